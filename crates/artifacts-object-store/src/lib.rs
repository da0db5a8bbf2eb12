#![doc = include_str!("../README.md")]

mod catalog_json;
mod layout;
mod log;
mod objects;
mod store;

pub use store::{ArtifactStore, OpenError};
