#![doc = include_str!("../README.md")]

mod catalog_json;
mod dataset_files;
mod layout;
mod local_file;
mod local_store;
mod log;
mod objects;
mod slate_json;
mod store;

pub use local_store::LocalStore;
pub use slate_json::JsonSlates;
pub use store::{ArtifactStore, OpenError};
