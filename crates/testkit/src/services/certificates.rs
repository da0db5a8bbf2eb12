use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::ring};

/// A certificate authority of one test and its certificate for this machine, as files.
pub struct Certificates {
    folder: tempfile::TempDir,
}

impl Certificates {
    /// Creates certificates for `localhost` and `127.0.0.1`.
    ///
    /// # Panics
    ///
    /// Panics if they cannot be created.
    pub fn fresh() -> Self {
        Self::of(|_| {})
    }

    /// Creates certificates with a server certificate that expired in 1976.
    ///
    /// # Panics
    ///
    /// Panics if they cannot be created.
    pub fn expired() -> Self {
        Self::of(|server| {
            server.not_before = date_time_ymd(1975, 1, 1);
            server.not_after = date_time_ymd(1976, 1, 1);
        })
    }

    fn of(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let key = || KeyPair::generate().expect("a key");
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let authority = CertifiedIssuer::self_signed(authority, key()).expect("an authority");
        let server_key = key();
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut server = CertificateParams::new(names).expect("names");
        change(&mut server);
        let server = server.signed_by(&server_key, &authority);
        let certificates = Self { folder };
        fs::write(certificates.authority(), authority.pem()).expect("written");
        fs::write(certificates.server(), server.expect("signed").pem()).expect("written");
        fs::write(certificates.server_key(), server_key.serialize_pem()).expect("written");
        certificates
    }

    /// Returns the path of the authority's certificate, for `SSL_CERT_FILE` of a program that must trust it.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Returns the path of the server's certificate.
    pub fn server(&self) -> PathBuf {
        self.folder.path().join("server.pem")
    }

    /// Returns the path of the server's key.
    pub fn server_key(&self) -> PathBuf {
        self.folder.path().join("server.key")
    }

    /// Returns an acceptor of TLS connections with the server's certificate.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let certificate = CertificateDer::from_pem_file(self.server()).expect("a certificate");
        let key = PrivateKeyDer::from_pem_file(self.server_key()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key);
        TlsAcceptor::from(Arc::new(config.expect("a certificate with its key")))
    }
}
