use std::ops::Range;
use std::path::Path;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, WriteMultipart};
use sports_content::{ObjectHash, ObjectHasher};
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, Pieces, StoredFile};

use crate::local_file::LocalFile;
use crate::{ArtifactStore, layout};

const PORT: &str = "the store of datasets";

/// How many parts are on their way at a time.
const ON_THEIR_WAY: usize = 4;

fn unreadable(source: std::io::Error) -> PortError {
    PortError::unavailable("the file of a dataset", source)
}

fn no_file(what: std::io::Error) -> PortError {
    PortError::corrupt(PORT, what)
}

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

#[async_trait]
impl DatasetFiles for ArtifactStore {
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError> {
        let stored = hashed(file)?;
        if self.file_size(&stored.object).await? != Some(stored.bytes) {
            self.upload(file, &stored).await?;
        }
        Ok(stored)
    }

    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError> {
        let path = layout::dataset(object);
        self.check_regular(&path).map_err(no_file)?;
        match self.in_time(self.store.head(&path)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => self.is_there().map(|()| None).map_err(unavailable),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let path = layout::dataset(object);
        self.check_regular(&path).map_err(no_file)?;
        match self.in_time(self.store.get_opts(&path, options)).await {
            Ok(found) => Ok(Some(found.into_stream().map_err(unavailable).boxed())),
            Err(object_store::Error::NotFound { .. }) => self.is_there().map(|()| None).map_err(unavailable),
            Err(error) => Err(unavailable(error)),
        }
    }
}

impl ArtifactStore {
    /// Writes a file under the name its bytes had when they were hashed, unless they have changed since.
    async fn upload(&self, file: &Path, expected: &StoredFile) -> Result<(), PortError> {
        let upload = self.store.put_multipart(&layout::dataset(&expected.object)).await.map_err(unavailable)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, LocalFile::PIECE);
        let mut hasher = ObjectHasher::default();
        let mut pieces = LocalFile::open(file).map_err(unreadable)?;
        while let Some(piece) = pieces.next().map_err(unreadable)? {
            hasher.update(&piece);
            upload.wait_for_capacity(ON_THEIR_WAY).await.map_err(unavailable)?;
            upload.put(piece);
        }
        if hasher.finish() != expected.object {
            upload.abort().await.map_err(unavailable)?;
            return Err(unreadable(std::io::Error::other("the file changed while it was read")));
        }
        upload.finish().await.map(drop).map_err(unavailable)
    }
}

/// The name and size of a file as it is now.
fn hashed(file: &Path) -> Result<StoredFile, PortError> {
    let (mut hasher, mut bytes) = (ObjectHasher::default(), 0);
    let mut pieces = LocalFile::open(file).map_err(unreadable)?;
    while let Some(piece) = pieces.next().map_err(unreadable)? {
        hasher.update(&piece);
        bytes += u64::try_from(piece.len()).unwrap_or_default();
    }
    Ok(StoredFile { object: hasher.finish(), bytes })
}
