use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

/// The files of a certificate and its key, and what was last read from them.
pub(super) struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    /// The bytes that were last read, whether they could be used or not.
    read: Mutex<Bytes>,
    current: RwLock<Arc<CertifiedKey>>,
}

/// The bytes of a certificate and its key.
#[derive(PartialEq, Eq)]
struct Bytes {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// The reason that the files of a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("`{setting}`: {} cannot be read: {source}", path.display())]
    Unreadable { setting: &'static str, path: PathBuf, source: io::Error },
    /// A file has another content.
    #[error("`{setting}`: {} has no {content} in PEM: {source}", path.display())]
    NotPem { setting: &'static str, path: PathBuf, content: &'static str, source: pem::Error },
    /// The key is of a kind that is not supported, or belongs to another certificate.
    #[error("`{KEY}`: {} is not the key of the certificate in {}: {source}", key.display(), certificate.display())]
    NotItsKey { key: PathBuf, certificate: PathBuf, source: rustls::Error },
}

pub(super) const CERTIFICATE: &str = "http.tls.certificate";

pub(super) const KEY: &str = "http.tls.key";

/// The largest file: far larger than any chain of certificates.
const LARGEST: u64 = 1024 * 1024;

impl CertificateFiles {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// [`CertificateError`] if they are no certificate and its key.
    pub(super) fn read(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
        let bytes = Bytes::read(certificate, key)?;
        let current = RwLock::new(Arc::new(bytes.parse(certificate, key)?));
        Ok(Self { certificate: certificate.to_owned(), key: key.to_owned(), read: Mutex::new(bytes), current })
    }

    /// Reads the files again, and uses them if they changed. Otherwise, and if they cannot be used, the certificate stays.
    pub(super) fn refresh(&self) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // Between two steps of a renewal a file may be absent; another round will find it.
        let Ok(bytes) = Bytes::read(&self.certificate, &self.key) else { return };
        if bytes == *read {
            return;
        }
        match bytes.parse(&self.certificate, &self.key) {
            Ok(certified) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(certified);
                tracing::info!("the certificate was read again");
            }
            Err(error) => tracing::warn!(%error, "the certificate stays as it was: {error}"),
        }
        *read = bytes;
    }
}

impl Bytes {
    fn read(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
        let file = |setting, path: &Path| {
            let unreadable = |source| CertificateError::Unreadable { setting, path: path.to_owned(), source };
            sports_program::regular_file::read(path, LARGEST).map_err(unreadable)
        };
        Ok(Self { certificate: file(CERTIFICATE, certificate)?, key: file(KEY, key)? })
    }

    fn parse(&self, certificate: &Path, key: &Path) -> Result<CertifiedKey, CertificateError> {
        let not_pem = |setting, path: &Path, content| {
            let path = path.to_owned();
            move |source| CertificateError::NotPem { setting, path, content, source }
        };
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate).collect();
        let chain = chain.and_then(|chain| if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) });
        let chain = chain.map_err(not_pem(CERTIFICATE, certificate, "certificate"))?;
        let private = PrivateKeyDer::from_pem_slice(&self.key).map_err(not_pem(KEY, key, "private key"))?;
        CertifiedKey::from_der(chain, private, &ring::default_provider()).map_err(|source| {
            CertificateError::NotItsKey { key: key.to_owned(), certificate: certificate.to_owned(), source }
        })
    }
}

impl ResolvesServerCert for CertificateFiles {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for CertificateFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateFiles").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}
