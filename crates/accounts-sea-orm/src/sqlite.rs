//! The database as a SQLite file: one machine, one server.

mod connections;
mod file;
mod full_disk;
mod identity;
mod server_lock;

pub use file::{FILES, RESTORING, SqliteFile, beside, expect_own_files, expect_restored, is_made, make_folder};
pub use server_lock::{LockError, ServerLock};
