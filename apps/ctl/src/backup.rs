//! A database and a store as one folder, for `backup` and `restore`.

mod contents;
mod files;
mod folder;
mod manifest;

pub use contents::Contents;
pub use files::{copy_file, copy_store, create_file, create_folder, fingerprint, unusable};
pub use folder::{Backup, Unfinished};
pub use manifest::Manifest;
