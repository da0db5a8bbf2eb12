//! The files that customers buy, and links to them.

use std::sync::Arc;

use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::datasets::LinkSigner;
use sports_ports::{Clock, PortError, error_chain, random_bytes};
use sports_program::SystemRandom;
use sports_program::settings::Settings;
use sports_store::{ArtifactStore, HmacSigner, StoreLinks};
use sports_usecases::datasets::{CheckedFiles, DatasetService};

/// Creates the customers' datasets, whose links the store signs, or else this service.
pub(super) async fn service(
    settings: &Settings,
    database: &AccountsDatabase,
    store: &ArtifactStore,
    clock: &Arc<dyn Clock>,
) -> Result<DatasetService, PortError> {
    let signer: Arc<dyn LinkSigner> = match StoreLinks::to(store, Arc::clone(clock)) {
        Some(links) => Arc::new(links),
        None => Arc::new(HmacSigner::new(link_secret(settings, database).await?.as_bytes())),
    };
    let records = Arc::new(database.clone());
    Ok(DatasetService {
        datasets: records.clone(),
        files: Arc::new(store.clone()),
        entitlements: records.clone(),
        refreshes: records,
        signer,
        clock: Arc::clone(clock),
        checked: CheckedFiles::default(),
    })
}

/// Returns the secret that signs download links: from the settings, else made at the first start and stored, so that
/// links stay valid after a restart.
async fn link_secret(settings: &Settings, database: &AccountsDatabase) -> Result<String, PortError> {
    if let Some(secret) = &settings.downloads.secret {
        return Ok(secret.reveal().to_owned());
    }
    let fresh = hex::encode(random_bytes::<32>(&SystemRandom)?);
    match database.secret_or("download links", &fresh).await {
        // On one machine no other process needs the secret.
        Err(error @ PortError::Unavailable { .. }) if database.file().is_some() => {
            let causes = error_chain(&error);
            tracing::warn!("download links that are issued now end with this process: {causes}");
            Ok(fresh)
        }
        kept => kept,
    }
}
