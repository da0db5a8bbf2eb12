//! Encrypted connections: a certificate from files, which are read again when they change, or from an authority (ACME).

#[cfg(feature = "acme")]
mod acme;
mod certificate;

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use actix_http::Protocol;
use futures::future::{Either, poll_fn, select};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::ResolvesServerCert;
use sports_program::settings::Settings;
use sports_telemetry::Pulse;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::connection::Connection;
use crate::stream::Socket;
use certificate::{CERTIFICATE, CertificateError, CertificateFiles, KEY};

/// The encryption of connections.
#[derive(Clone)]
pub(super) struct Tls {
    acceptor: TlsAcceptor,
    certificate: Source,
    timeout: Duration,
}

/// The source of the certificate.
#[derive(Clone)]
enum Source {
    Files(Arc<CertificateFiles>),
    #[cfg(feature = "acme")]
    Authority(Arc<acme::Authority>),
}

/// The reason that connections cannot be encrypted.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A setting needs another one.
    #[error("`{set}` is set and `{missing}` is not: {needs}")]
    Incomplete { set: &'static str, missing: &'static str, needs: &'static str },
    /// There are two sources of the certificate.
    #[error("`{CERTIFICATE}` and `{DOMAINS}` are both set: a certificate is either in a file or from an authority")]
    Ambiguous,
    /// The program has no client of an authority.
    #[error("`{DOMAINS}` is set, and this program was built without the feature `acme`")]
    NoAcme,
    /// A file cannot be used.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

const DOMAINS: &str = "http.tls.acme.domains";

/// HTTP/2, and HTTP/1.1, as clients name them.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The protocol by which an authority checks a domain; nothing is sent over it.
const CHALLENGE: &[u8] = b"acme-tls/1";

impl Source {
    /// Returns the source that the settings name; `None` if they name none.
    fn from_settings(settings: &Settings) -> Result<Option<Self>, TlsError> {
        const BOTH: &str = "a certificate and its key are two files, and both are needed";
        const NAMES: &str = "a certificate is for domains";
        let (tls, acme) = (&settings.tls, &settings.acme);
        let incomplete = |set, missing, needs| Err(TlsError::Incomplete { set, missing, needs });
        match (&tls.certificate, &tls.key, acme.domains.as_slice()) {
            (None, None, []) if acme.contact.is_some() => incomplete("http.tls.acme.contact", DOMAINS, NAMES),
            (None, None, []) if acme.directory.is_some() => incomplete("http.tls.acme.directory", DOMAINS, NAMES),
            (None, None, []) => Ok(None),
            (Some(certificate), Some(key), []) => {
                Ok(Some(Self::Files(Arc::new(CertificateFiles::read(certificate, key)?))))
            }
            (Some(_), None, []) => incomplete(CERTIFICATE, KEY, BOTH),
            (None, Some(_), []) => incomplete(KEY, CERTIFICATE, BOTH),
            (None, None, _) => Self::authority(settings).map(Some),
            _ => Err(TlsError::Ambiguous),
        }
    }

    #[cfg(feature = "acme")]
    #[expect(clippy::unnecessary_wraps, reason = "a build without the feature has no authority")]
    fn authority(settings: &Settings) -> Result<Self, TlsError> {
        Ok(Self::Authority(Arc::new(acme::Authority::new(&settings.acme))))
    }

    #[cfg(not(feature = "acme"))]
    fn authority(_: &Settings) -> Result<Self, TlsError> {
        Err(TlsError::NoAcme)
    }

    fn resolver(&self) -> Arc<dyn ResolvesServerCert> {
        match self {
            Self::Files(files) => Arc::clone(files) as _,
            #[cfg(feature = "acme")]
            Self::Authority(authority) => authority.resolver(),
        }
    }
}

impl Tls {
    /// The time between two checks for changed files.
    const TICK: Duration = Duration::from_secs(1);

    /// Reads the certificate that the settings name; returns `None` if they name none.
    ///
    /// # Errors
    ///
    /// [`TlsError`] if it cannot be used.
    pub(super) fn from_settings(settings: &Settings) -> Result<Option<Self>, TlsError> {
        let Some(certificate) = Source::from_settings(settings)? else { return Ok(None) };
        let provider = Arc::new(ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = versions.expect("the provider has all versions of TLS").with_no_client_auth();
        let mut config = builder.with_cert_resolver(certificate.resolver());
        config.alpn_protocols = PROTOCOLS.into_iter().chain([CHALLENGE]).map(<[u8]>::to_vec).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Some(Self { acceptor, certificate, timeout: settings.http.head_timeout }))
    }

    /// Negotiates encryption and protocol with a client. Returns `None` if it fails, takes too long, or the connection is to end.
    pub(super) async fn accept<T: Socket>(
        &self,
        socket: T,
        connection: &Connection,
    ) -> Option<(TlsStream<T>, Protocol)> {
        connection.await_client();
        let handshake = timeout(self.timeout, self.acceptor.accept(socket));
        let ending = poll_fn(|context| if connection.is_ending(context) { Poll::Ready(()) } else { Poll::Pending });
        let Either::Left((Ok(handshake), _)) = select(Box::pin(handshake), ending).await else { return None };
        let stream = handshake.inspect_err(|error| tracing::debug!(%error, "no encryption: {error}")).ok()?;
        match stream.get_ref().1.alpn_protocol() {
            Some(CHALLENGE) => None,
            Some(b"h2") => Some((stream, Protocol::Http2)),
            _ => Some((stream, Protocol::Http1)),
        }
    }

    /// Reads the certificate again when its files change, or renews it, until it is dropped.
    pub(super) async fn renew(self, pulse: Pulse) {
        match self.certificate {
            Source::Files(files) => loop {
                sleep(Self::TICK).await;
                files.refresh();
                pulse.beat();
            },
            #[cfg(feature = "acme")]
            Source::Authority(authority) => authority.renew(pulse).await,
        }
    }
}
