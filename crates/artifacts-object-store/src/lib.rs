#![doc = include_str!("../README.md")]

mod address;
mod bucket;
mod catalog_json;
mod circuit_breaker;
mod contents;
mod copying;
mod dataset_files;
mod endpoint;
mod exact_fields;
mod layout;
mod local_file;
mod local_store;
mod log;
mod objects;
mod open_error;
mod own_digest;
mod record_files;
mod record_layout;
mod retries;
mod set_aside;
mod signed_links;
mod slate_json;
mod store;
mod store_links;
mod traced_client;

pub use bucket::OpenOptions;
pub use catalog_json::SCHEMA_VERSION as LOG_ENTRY_VERSION;
pub use copying::{Copied, CopyError, Step};
pub use local_store::LocalStore;
pub use open_error::OpenError;
pub use retries::OnRetry;
pub use signed_links::HmacSigner;
pub use slate_json::{JsonSlates, SCHEMA_VERSION as SLATE_VERSION};
pub use store::ArtifactStore;
pub use store_links::StoreLinks;
pub use traced_client::TraceHeaders;
