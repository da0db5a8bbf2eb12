//! Settings become adapters, adapters become pieces of the API.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_artifacts_object_store::ArtifactStore;
use sports_cache_moka::CachedKeyRing;
use sports_clock_system::SystemClock;
use sports_ports::accounts::KeyRing;
use sports_ports::publication::PublicationLog;
use sports_ports::{Clock, PortError};
use sports_publication::Catalog;
use sports_settings::Settings;
use sports_usecases::on_air::{OnAir, Preparation};

use crate::api::Api;
use crate::probes::Probes;

/// Opens what the settings name and puts the API together.
///
/// # Errors
///
/// When the database or the store cannot be opened.
pub async fn wire(settings: &Settings) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let database = AccountsDatabase::connect(settings.database.url.reveal()).await?;
    let log: Arc<dyn PublicationLog> = Arc::new(ArtifactStore::open(settings.store.url.reveal())?);

    let keys: Arc<dyn KeyRing> = Arc::new(CachedKeyRing::new(Arc::new(database.clone())));
    let on_air = Arc::new(OnAir::new(Arc::clone(&log), Arc::new(Nothing), Arc::clone(&clock)));
    follow(Arc::clone(&on_air), settings.store.poll_interval);
    let ping = move || {
        let database = database.clone();
        async move { database.ping().await }
    };
    let probes = Probes::new(ping, log, on_air);

    Ok(Api::new(clock).provide(keys).provide(Arc::new(probes)))
}

/// Keeps looking for newer generations for as long as the program runs.
fn follow(on_air: Arc<OnAir>, interval: Duration) {
    tokio::spawn(async move {
        loop {
            on_air.poll().await;
            tokio::time::sleep(interval).await;
        }
    });
}

/// Nothing is loaded before a generation goes on air: no route serves seasons yet.
struct Nothing;

#[async_trait]
impl Preparation for Nothing {
    async fn prepare(&self, _: &Catalog) -> Result<(), PortError> {
        Ok(())
    }
}
