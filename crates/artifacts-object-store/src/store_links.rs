use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use object_store::signer::{Method, SignedUrlOptions, Signer};
use sports_accounts::Download;
use sports_ports::datasets::{DownloadLink, LinkError, LinkSigner, SignedLink};
use sports_ports::{Clock, PortError};

use crate::{ArtifactStore, layout};

const PORT: &str = "the links of the store";

/// Download links that the store itself serves.
#[derive(Clone)]
pub struct StoreLinks {
    signer: Arc<dyn Signer>,
    store: ArtifactStore,
    clock: Arc<dyn Clock>,
}

impl StoreLinks {
    /// Returns the links of a store; `None` if it cannot sign links. `clock` must be the clock that sets their
    /// expiry.
    pub fn to(store: &ArtifactStore, clock: Arc<dyn Clock>) -> Option<Self> {
        let signer = Arc::clone(store.bucket()?.signer()?);
        Some(Self { signer, store: store.clone(), clock })
    }
}

#[async_trait]
impl LinkSigner for StoreLinks {
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError> {
        let path = layout::dataset(&download.object);
        // The name is the dataset's: two datasets may have the same bytes.
        let saved_as = format!("attachment; filename=\"{}\"", download.file_name);
        let options = SignedUrlOptions::new().with_query([("response-content-disposition", saved_as)]);
        let left = (download.expires_at - self.clock.now()).to_std().unwrap_or_default();
        // Expiry is signed in whole seconds, rounded up.
        let left = Duration::from_secs((left + Duration::from_millis(999)).as_secs());
        let signed = self.signer.signed_url_opts(Method::GET, &path, left, &options);
        // The signer may have to fetch credentials.
        let url = self.store.in_time(signed).await.map_err(|source| PortError::unavailable(PORT, source))?;
        Ok(SignedLink::Elsewhere(url.into()))
    }

    fn open(&self, _: &DownloadLink, _: DateTime<Utc>) -> Result<Download, LinkError> {
        Err(LinkError::Forged)
    }
}
