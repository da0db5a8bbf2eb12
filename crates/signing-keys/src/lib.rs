#![doc = include_str!("../README.md")]

mod key_file;
mod memory_files;

pub use key_file::{EarlierSeed, KeyFile, KeyFileError};
pub use memory_files::MemoryFiles;
