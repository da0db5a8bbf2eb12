use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;

/// A local file, read in pieces because it may be larger than memory.
pub struct LocalFile(File);

impl LocalFile {
    /// The size of a piece, in bytes. Parts of a multipart upload must have 5 MiB or more.
    pub const PIECE: usize = 8 << 20;

    pub fn open(path: &Path) -> io::Result<Self> {
        sports_system::regular_file::open(path).map(Self)
    }

    /// Reads the next piece. Returns `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<Bytes>> {
        let mut piece = Vec::new();
        let most = u64::try_from(Self::PIECE).unwrap_or(u64::MAX);
        self.0.by_ref().take(most).read_to_end(&mut piece)?;
        Ok((!piece.is_empty()).then(|| piece.into()))
    }
}
