#![doc = include_str!("../README.md")]

mod catalog_json;
mod dataset_files;
mod layout;
mod local_file;
mod log;
mod objects;
mod store;

pub use store::{ArtifactStore, OpenError};
