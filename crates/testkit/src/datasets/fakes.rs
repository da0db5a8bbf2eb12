use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, stream};
use sports_accounts::Download;
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, LinkSigner, Pieces, SignedLink, StoredFile};
use sports_publication::ObjectHash;

/// Files in memory.
#[derive(Debug, Default)]
pub struct DatasetFilesFake(Mutex<HashMap<ObjectHash, Bytes>>);

impl DatasetFilesFake {
    /// Keeps bytes without a file.
    ///
    /// # Panics
    ///
    /// When another test thread panicked while using the fake.
    pub fn keep(&self, bytes: &[u8]) -> ObjectHash {
        let object = ObjectHash::of(bytes);
        self.0.lock().expect("not poisoned").insert(object, Bytes::copy_from_slice(bytes));
        object
    }

    fn bytes(&self, object: &ObjectHash) -> Option<Bytes> {
        self.0.lock().expect("not poisoned").get(object).cloned()
    }
}

#[async_trait]
impl DatasetFiles for DatasetFilesFake {
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError> {
        let bytes = std::fs::read(file).map_err(|error| PortError::unavailable("files", error))?;
        Ok(StoredFile { object: self.keep(&bytes), bytes: bytes.len().try_into().expect("fits") })
    }

    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError> {
        Ok(self.bytes(object).map(|bytes| bytes.len().try_into().expect("fits")))
    }

    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError> {
        let place = |at: u64| usize::try_from(at).expect("fits");
        let Some(bytes) = self.bytes(object) else { return Ok(None) };
        let pieces: Vec<_> = bytes[place(range.start)..place(range.end)]
            .chunks(7)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        Ok(Some(stream::iter(pieces).boxed()))
    }
}

/// Links that anybody can make up, from a signer that can be made to fail.
#[derive(Debug, Default)]
pub struct LinkSignerFake {
    signed: AtomicUsize,
    fails_after: AtomicUsize,
}

impl LinkSignerFake {
    /// From now on so many links are signed, and no more; 0 is no limit.
    pub fn fail_after(&self, links: usize) {
        self.signed.store(0, Ordering::SeqCst);
        self.fails_after.store(links, Ordering::SeqCst);
    }
}

#[async_trait]
impl LinkSigner for LinkSignerFake {
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError> {
        let (signed, most) = (self.signed.fetch_add(1, Ordering::SeqCst), self.fails_after.load(Ordering::SeqCst));
        if most > 0 && signed >= most {
            return Err(PortError::unavailable("link signer", "told to fail by a test"));
        }
        Ok(SignedLink::Here(format!("/fake/{}/{}", download.object, download.file_name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::contract;

    #[tokio::test]
    async fn the_fake_keeps_the_contract_of_files() {
        contract::files(&DatasetFilesFake::default()).await;
    }
}
