#![doc = include_str!("../README.md")]

mod address;
mod copy;
mod customers;
mod database;
mod datasets;
mod entities;
mod entitlements;
mod failure;
mod key_ring;
mod migrations;
mod refreshes;
mod secrets;
mod server_lock;
#[cfg(feature = "testing")]
pub mod testing;
mod usage_counts;

pub use address::sqlite_file;
pub use database::{AccountsDatabase, ConnectError};
pub use migrations::STEPS as MIGRATIONS;
pub use server_lock::{LockError, ServerLock};
