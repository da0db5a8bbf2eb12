use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{Stream, StreamExt, TryStreamExt, stream};
use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};
use sports_accounts::Download;
use sports_domain::content::{ObjectHash, ObjectHasher};
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, DownloadLink, LinkError, LinkSigner, Pieces, SignedLink, StoredFile};

use crate::local_store::LocalFile;
use crate::store::ReadError;
use crate::{ArtifactStore, copying, layout};

const PORT: &str = "the store of datasets";

/// The number of parts that are uploaded at the same time.
const PARTS_IN_FLIGHT: usize = 4;

/// Their time limit: four parts of eight mebibytes at 280 kB a second.
const PARTS_TIMEOUT: Duration = Duration::from_mins(2);

fn unread_source(source: std::io::Error) -> PortError {
    PortError::unavailable("the file of a dataset", source)
}

fn unreadable(error: ReadError) -> PortError {
    error.of_port(PORT)
}

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

#[async_trait]
impl DatasetFiles for ArtifactStore {
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError> {
        let (object, bytes) = hashed(file)?;
        let written = !self.holds_file(&object, bytes).await?;
        if written {
            let mut pieces = LocalFile::open(file).map_err(unread_source)?;
            let pieces = std::iter::from_fn(|| pieces.next().map_err(unread_source).transpose());
            if self.upload(&layout::dataset(&object), &object, stream::iter(pieces)).await?.is_none() {
                return Err(unread_source(std::io::Error::other("the file changed while it was read")));
            }
        }
        Ok(StoredFile { object, bytes, written })
    }

    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError> {
        let path = layout::dataset(object);
        self.check_regular(&path).await.map_err(unreadable)?;
        match self.in_time(self.store.head(&path)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => self.expect_folder().await.map(|()| None).map_err(unavailable),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError> {
        self.read_at(&layout::dataset(object), range).await
    }
}

impl ArtifactStore {
    /// Returns `true` if the store has the file undamaged: its bytes hash to its name.
    async fn holds_file(&self, object: &ObjectHash, bytes: u64) -> Result<bool, PortError> {
        if self.file_size(object).await? != Some(bytes) {
            return Ok(false);
        }
        let Some(pieces) = self.read_file(object, 0..bytes).await? else { return Ok(false) };
        Ok(copying::hash(pieces).await? == *object)
    }

    /// Reads a range of a file, with a time limit for each piece. Returns `None` if there is no such file.
    pub(crate) async fn read_at(
        &self,
        path: &object_store::path::Path,
        range: Range<u64>,
    ) -> Result<Option<Pieces>, PortError> {
        self.check_regular(path).await.map_err(unreadable)?;
        if range.is_empty() {
            return Ok(Some(stream::empty().boxed()));
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        match self.in_time(self.store.get_opts(path, options)).await {
            Ok(found) => {
                let pieces = stream::try_unfold((self.clone(), found.into_stream()), async |(store, mut pieces)| {
                    let piece = store.in_time(pieces.try_next()).await.map_err(unavailable)?;
                    Ok(piece.map(|piece| (piece, (store, pieces))))
                });
                Ok(Some(pieces.boxed()))
            }
            Err(object_store::Error::NotFound { .. }) => self.expect_folder().await.map(|()| None).map_err(unavailable),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Uploads pieces to a path if they hash to `expected`. Otherwise writes nothing and returns `None`.
    pub(crate) async fn upload(
        &self,
        path: &object_store::path::Path,
        expected: &ObjectHash,
        pieces: impl Stream<Item = Result<Bytes, PortError>> + Unpin,
    ) -> Result<Option<()>, PortError> {
        let upload = self.in_time(self.store.put_multipart(path)).await.map_err(unavailable)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, LocalFile::PIECE);
        match send(&mut upload, pieces).await {
            Ok(sent) if sent == *expected => within_parts_timeout(upload.finish()).await.map(|_| Some(())),
            Ok(_) => within_parts_timeout(upload.abort()).await.map(|()| None),
            Err(failed) => {
                // The first failure is returned, even if its parts could not be removed.
                drop(self.in_time(upload.abort()).await);
                Err(failed)
            }
        }
    }
}

/// Uploads pieces as parts and returns their hash.
async fn send(
    upload: &mut WriteMultipart,
    mut pieces: impl Stream<Item = Result<Bytes, PortError>> + Unpin,
) -> Result<ObjectHash, PortError> {
    let mut hasher = ObjectHasher::default();
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
        within_parts_timeout(upload.wait_for_capacity(PARTS_IN_FLIGHT)).await?;
        upload.put(piece);
    }
    Ok(hasher.finish())
}

/// Awaits uploads of parts, for at most [`PARTS_TIMEOUT`].
async fn within_parts_timeout<T>(parts: impl Future<Output = object_store::Result<T>>) -> Result<T, PortError> {
    match tokio::time::timeout(PARTS_TIMEOUT, parts).await {
        Ok(sent) => sent.map_err(unavailable),
        Err(late) => Err(PortError::unavailable(PORT, late)),
    }
}

/// Computes the hash and size of a file.
fn hashed(file: &Path) -> Result<(ObjectHash, u64), PortError> {
    let (mut hasher, mut bytes) = (ObjectHasher::default(), 0);
    let mut pieces = LocalFile::open(file).map_err(unread_source)?;
    while let Some(piece) = pieces.next().map_err(unread_source)? {
        hasher.update(&piece);
        bytes += u64::try_from(piece.len()).unwrap_or_default();
    }
    Ok((hasher.finish(), bytes))
}

// Download links that the service serves itself, signed with its secret.

/// A signer of download links with a secret, which also verifies its own links.
#[derive(Clone)]
pub struct HmacSigner {
    keyed: Hmac<Sha256>,
}

impl HmacSigner {
    /// Creates a signer with this secret, which must be too long to guess.
    pub fn new(secret: &[u8]) -> Self {
        let mut key = Key::<Hmac<Sha256>>::default();
        let digest = Sha256::digest(secret);
        key[..digest.len()].copy_from_slice(&digest);
        Self { keyed: Hmac::new(&key) }
    }

    /// Returns the signed link for a download.
    pub fn signed(&self, download: &Download) -> DownloadLink {
        let unsigned = DownloadLink::from_download(download, String::new());
        let signature = hex::encode(self.mac(&unsigned).finalize().into_bytes());
        DownloadLink { signature, ..unsigned }
    }

    /// Returns the MAC over every part of a link except the signature.
    fn mac(&self, link: &DownloadLink) -> Hmac<Sha256> {
        let DownloadLink { product, sport, object, file_name, bytes, customer, expires, signature: _ } = link;
        let mut mac = self.keyed.clone();
        // No part contains a line break, so different links never have the same text.
        for part in ["download", product, sport, object, file_name, bytes, customer, expires] {
            mac.update(part.as_bytes());
            mac.update(b"\n");
        }
        mac
    }
}

impl std::fmt::Debug for HmacSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HmacSigner(*****)")
    }
}

#[async_trait]
impl LinkSigner for HmacSigner {
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError> {
        Ok(SignedLink::Here(self.signed(download).path_and_query()))
    }

    fn open(&self, link: &DownloadLink, now: DateTime<Utc>) -> Result<Download, LinkError> {
        let download = described(link).ok_or(LinkError::Forged)?;
        let signature = hex::decode(&link.signature).map_err(|_| LinkError::Forged)?;
        let ours = DownloadLink::from_download(&download, hex::encode(&signature));
        self.mac(&ours).verify_slice(&signature).map_err(|_| LinkError::Forged)?;
        // A link has one spelling: `NFL`, `+900` or a signature in capitals was not issued by this signer.
        if ours != *link {
            return Err(LinkError::Forged);
        }
        if now < download.expires_at { Ok(download) } else { Err(LinkError::Expired) }
    }
}

/// Returns the download that a link describes, without verifying its signature; `None` if a part is malformed.
fn described(link: &DownloadLink) -> Option<Download> {
    Some(Download {
        customer: link.customer.parse().ok()?,
        product: link.product.parse().ok()?,
        sport: link.sport.parse().ok()?,
        object: link.object.parse().ok()?,
        file_name: link.file_name.parse().ok()?,
        bytes: link.bytes.parse().ok()?,
        expires_at: DateTime::from_timestamp(link.expires.parse().ok()?, 0)?,
    })
}

#[cfg(test)]
mod tests {
    use sports_testkit::services::S3Server;

    use super::*;
    use crate::OpenOptions;

    #[tokio::test]
    async fn an_upload_whose_source_fails_leaves_no_parts_in_the_bucket() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = S3Server::start();
        let variables = server.variables().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let options = OpenOptions { variables, ..OpenOptions::default() };
        let store = ArtifactStore::open_with(&format!("s3://{}", server.fresh_bucket()), &options).expect("opened");
        let fails = || Err(unread_source(std::io::Error::other("the source fails")));
        let pieces = [Ok(Bytes::from(vec![0; LocalFile::PIECE])), fails()];
        let object = ObjectHash::from_bytes(b"any");
        let failed = store.upload(&layout::dataset(&object), &object, stream::iter(pieces)).await;
        assert!(matches!(failed, Err(PortError::Unavailable { .. })), "{failed:?}");
        let left = std::fs::read_dir(server.folder_of("")).expect("listed").flatten().map(|file| file.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["bucket-0"]);
    }
}
