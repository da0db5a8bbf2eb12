#![doc = include_str!("../README.md")]

mod catalog_json;
mod contents;
mod dataset_files;
mod layout;
mod local_file;
mod local_store;
mod log;
mod objects;
mod slate_json;
mod store;
mod within_reach;

pub use catalog_json::SCHEMA_VERSION as LOG_ENTRY_VERSION;
pub use local_store::LocalStore;
pub use slate_json::{JsonSlates, SCHEMA_VERSION as SLATE_VERSION};
pub use store::{ArtifactStore, OpenError};
