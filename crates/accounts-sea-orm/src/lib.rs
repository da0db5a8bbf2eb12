#![doc = include_str!("../README.md")]

mod address;
mod connect_error;
mod customers;
mod database;
mod datasets;
mod entities;
mod entitlements;
mod failure;
mod key_ring;
mod migrations;
mod node_registry;
mod postgres;
mod refreshes;
mod sqlite;
#[cfg(feature = "testing")]
pub mod testing;
mod transfer;
mod usage_counts;
mod webhooks;

pub use address::{is_shared, sqlite_file};
pub use connect_error::ConnectError;
pub use database::AccountsDatabase;
pub use migrations::STEPS as MIGRATIONS;
pub use sqlite::{
    FILES, LockError, RESTORING, ServerLock, SqliteFile, beside, expect_own_files, expect_restored, is_made,
    make_folder,
};
pub use transfer::{Copied, CopyError};
