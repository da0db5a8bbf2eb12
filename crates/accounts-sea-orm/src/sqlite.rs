//! The database as a SQLite file: one machine, one server.

mod connections;
mod copy;
mod file;
mod full_disk;
mod identity;
mod place;
mod server_lock;

pub(crate) use connections::LOCK_TIMEOUT;
pub use file::SqliteFile;
pub use place::{FILES, RESTORING, beside, expect_own_files, expect_restored, is_made, make_folder};
pub use server_lock::{LockError, ServerLock};
