#![doc = include_str!("../README.md")]

mod address;
mod connections;
mod copy;
mod customers;
mod database;
mod datasets;
mod entities;
mod entitlements;
mod failure;
mod identity;
mod key_ring;
mod migrations;
mod refreshes;
mod secrets;
mod server_lock;
#[cfg(feature = "testing")]
pub mod testing;
mod usage_counts;

pub use address::sqlite_file;
pub use database::{AccountsDatabase, COUNTS, ConnectError, FILES, beside, is_made, make_folder};
pub use migrations::STEPS as MIGRATIONS;
pub use server_lock::{LockError, ServerLock};
