use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{StreamExt, stream};
use sports_accounts::Download;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, DownloadLink, LinkError, LinkSigner, Pieces, SignedLink, StoredFile};

/// A store of files in memory, which can become unavailable.
#[derive(Debug, Default)]
pub struct DatasetFilesFake {
    kept: Mutex<HashMap<ObjectHash, Bytes>>,
    unavailable: AtomicBool,
    times_read: AtomicUsize,
}

impl DatasetFilesFake {
    /// Stores bytes; returns their name.
    pub fn keep(&self, bytes: &[u8]) -> ObjectHash {
        let object = ObjectHash::from_bytes(bytes);
        self.keep_as(object, bytes);
        object
    }

    /// Stores bytes under any name, as a damaged store does.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the fake.
    pub fn keep_as(&self, object: ObjectHash, bytes: &[u8]) {
        self.kept.lock().expect("not poisoned").insert(object, Bytes::copy_from_slice(bytes));
    }

    /// Returns the number of reads, whole or in part.
    pub fn times_read(&self) -> usize {
        self.times_read.load(Ordering::SeqCst)
    }

    /// Makes every later call fail.
    pub fn become_unavailable(&self) {
        self.unavailable.store(true, Ordering::SeqCst);
    }

    /// Makes calls succeed again.
    pub fn come_back(&self) {
        self.unavailable.store(false, Ordering::SeqCst);
    }

    fn bytes(&self, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        if self.unavailable.load(Ordering::SeqCst) {
            return Err(PortError::unavailable("files", "a test made it unavailable"));
        }
        Ok(self.kept.lock().expect("not poisoned").get(object).cloned())
    }
}

#[async_trait]
impl DatasetFiles for DatasetFilesFake {
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError> {
        let bytes = std::fs::read(file).map_err(|error| PortError::unavailable("files", error))?;
        let object = ObjectHash::from_bytes(&bytes);
        let written = self.bytes(&object)?.as_deref() != Some(&*bytes);
        self.keep_as(object, &bytes);
        Ok(StoredFile { object, bytes: bytes.len().try_into().expect("fits"), written })
    }

    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError> {
        Ok(self.bytes(object)?.map(|bytes| bytes.len().try_into().expect("fits")))
    }

    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError> {
        self.times_read.fetch_add(1, Ordering::SeqCst);
        let place = |at: u64| usize::try_from(at).expect("fits");
        let Some(bytes) = self.bytes(object)? else { return Ok(None) };
        let pieces: Vec<_> = bytes[place(range.start)..place(range.end)]
            .chunks(7)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        Ok(Some(stream::iter(pieces).boxed()))
    }
}

/// A signer that remembers its links, and that can be made to fail.
#[derive(Debug, Default)]
pub struct LinkSignerFake {
    given: Mutex<Vec<(DownloadLink, Download)>>,
    signed: AtomicUsize,
    fails_after: AtomicUsize,
}

impl LinkSignerFake {
    /// Signs this many more links and fails afterwards; 0 removes the limit.
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
            return Err(PortError::unavailable("link signer", "a test made it fail"));
        }
        let link = DownloadLink::from_download(download, format!("{signed:02x}"));
        let path = link.path_and_query();
        self.given.lock().expect("not poisoned").push((link, download.clone()));
        Ok(SignedLink::Here(path))
    }

    fn open(&self, link: &DownloadLink, now: DateTime<Utc>) -> Result<Download, LinkError> {
        let given = self.given.lock().expect("not poisoned");
        let (_, download) = given.iter().find(|(given, _)| given == link).ok_or(LinkError::Forged)?;
        if now < download.expires_at { Ok(download.clone()) } else { Err(LinkError::Expired) }
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

    #[tokio::test]
    async fn the_fake_keeps_the_contract_of_links() {
        contract::links(&LinkSignerFake::default()).await;
    }
}
