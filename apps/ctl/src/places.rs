//! What the settings name, opened when a command needs it.

use std::sync::Arc;

use sports_accounts_sea_orm::AccountsDatabase;
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::ArtifactStore;
use sports_clock_system::SystemClock;
use sports_ports::Clock;
use sports_ports::publication::PublicationLog;
use sports_settings::Settings;
use sports_usecases::archives::Archives;

use crate::failure::Failure;

/// Where a command works.
pub struct Places<'a> {
    settings: &'a Settings,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
}

/// The store, as the use cases want it.
pub struct Store {
    /// The log.
    pub log: Arc<dyn PublicationLog>,
    /// The archives.
    pub archives: Archives,
}

impl<'a> Places<'a> {
    /// The places the settings name; nothing is opened yet.
    pub fn of(settings: &'a Settings) -> Self {
        Self { settings, clock: Arc::new(SystemClock::starting_at(settings.clock.as_of)) }
    }

    /// The store of published data.
    pub fn store(&self) -> Result<Store, Failure> {
        let store = ArtifactStore::open(self.settings.store.url.reveal()).map_err(Failure::other)?;
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        Ok(Store { log: Arc::new(store), archives })
    }

    /// The database of customers and keys.
    pub async fn accounts(&self) -> Result<AccountsDatabase, Failure> {
        AccountsDatabase::connect(self.settings.database.url.reveal()).await.map_err(Failure::other)
    }
}
