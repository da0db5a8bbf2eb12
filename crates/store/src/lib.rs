#![doc = include_str!("../README.md")]

mod bucket;
mod catalog_json;
mod contents;
mod copying;
mod dataset_files;
mod layout;
mod local_store;
mod log;
mod open_error;
mod record_files;
mod record_layout;
mod slate_json;
mod store;

pub use bucket::{OnRetry, OpenOptions, TraceHeaders};
pub use catalog_json::SCHEMA_VERSION as LOG_ENTRY_VERSION;
pub use contents::StoreLinks;
pub use copying::{Copied, CopyError, Step};
pub use dataset_files::HmacSigner;
pub use local_store::LocalStore;
pub use open_error::OpenError;
pub use slate_json::{JsonSlates, SCHEMA_VERSION as SLATE_VERSION};
pub use store::ArtifactStore;
