//! The file of the key that signs a record, and beside it what this machine signed last, as the port
//! [`SigningMemories`](sports_ports::signing::SigningMemories).

mod key_file;
mod memory_files;

pub use key_file::{EarlierSeed, KeyFile, KeyFileError};
pub use memory_files::MemoryFiles;

use std::fs::File;
use std::io;
use std::path::Path;

/// A folder whose names are synced, so that a new name of a file outlives a power failure.
struct SyncedFolder(File);

impl SyncedFolder {
    /// Opens the folder of a file that is about to be written.
    fn of(file: &Path) -> io::Result<Self> {
        File::open(folder_of(file)).map(Self)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
