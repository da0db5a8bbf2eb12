use std::io;
use std::sync::Arc;

use futures::StreamExt;
use rustls::crypto::ring;
use rustls::server::ResolvesServerCert;
use rustls::{ClientConfig, RootCertStore};
use rustls_acme::acme::LETS_ENCRYPT_PRODUCTION_DIRECTORY;
use rustls_acme::caches::DirCache;
use rustls_acme::{AcmeConfig, AcmeState};
use sports_program::settings::{Acme, SecurityContact};
use sports_telemetry::Pulse;
use tokio::sync::Mutex;

/// An authority that checks the domains of this server, and gives it certificates for them.
pub(super) struct Authority {
    resolver: Arc<dyn ResolvesServerCert>,
    state: Mutex<AcmeState<io::Error>>,
}

impl Authority {
    /// Prepares the first request. The authority itself has a certificate of an authority that the system trusts.
    pub(super) fn new(settings: &Acme) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(ring::default_provider());
        let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = versions.expect("the provider has all versions of TLS").with_root_certificates(roots);
        let directory = settings.directory.as_ref().map_or(LETS_ENCRYPT_PRODUCTION_DIRECTORY, |url| url.as_str());
        let state =
            AcmeConfig::new_with_client_config(settings.domains.as_slice(), Arc::new(builder.with_no_client_auth()))
                .contact(settings.contact.iter().flat_map(SecurityContact::addresses))
                .directory(directory)
                .cache(DirCache::new(settings.folder.clone()))
                .state();
        Self { resolver: state.resolver(), state: Mutex::new(state) }
    }

    pub(super) fn resolver(&self) -> Arc<dyn ResolvesServerCert> {
        Arc::clone(&self.resolver)
    }

    /// Requests certificates, each before the one before it ends, until it is dropped.
    pub(super) async fn renew(&self, pulse: Pulse) {
        let mut state = self.state.lock().await;
        while let Some(event) = state.next().await {
            match event {
                Ok(event) => tracing::info!("the certificate of an authority: {event:?}"),
                Err(error) => tracing::warn!(%error, "there is no new certificate yet: {error}"),
            }
            pulse.beat();
        }
    }
}
