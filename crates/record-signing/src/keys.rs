//! The file of the key that signs a record, and beside it what this machine signed last, as the port
//! [`SigningMemories`](sports_ports::signing::SigningMemories).

mod key_file;
mod memory_files;

pub use key_file::{EarlierSeed, KeyFile, KeyFileError};
pub use memory_files::MemoryFiles;
