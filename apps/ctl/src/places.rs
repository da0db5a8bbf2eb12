//! What the settings name, opened when a command needs it.

use std::sync::Arc;

use sports_accounts_sea_orm::{AccountsDatabase, ConnectError};
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates, OpenError};
use sports_clock_system::SystemClock;
use sports_ports::Clock;
use sports_ports::contents::StoreContents;
use sports_ports::datasets::DatasetFiles;
use sports_ports::publication::PublicationLog;
use sports_settings::Settings;
use sports_usecases::archives::Archives;
use sports_usecases::publish::Publisher;
use sports_usecases::slates::Slates;

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
    /// Odds, predictions and openers.
    pub slates: Slates,
    /// Everything in it, named or not.
    pub contents: Arc<dyn StoreContents>,
}

impl Store {
    /// A publisher into this store.
    pub fn publisher(&self, clock: &Arc<dyn Clock>) -> Publisher {
        Publisher::new(Arc::clone(&self.log), self.archives.clone(), self.slates.clone(), Arc::clone(clock))
    }
}

impl<'a> Places<'a> {
    /// The places the settings name; nothing is opened yet.
    pub fn of(settings: &'a Settings) -> Self {
        Self { settings, clock: Arc::new(SystemClock::starting_at(settings.clock.as_of)) }
    }

    /// The store of published data, made if it is not there, to publish into.
    pub fn store(&self) -> Result<Store, Failure> {
        self.opened(ArtifactStore::open)
    }

    /// The store of published data, to read: one that is not there was mistyped.
    pub fn existing_store(&self) -> Result<Store, Failure> {
        self.opened(ArtifactStore::open_existing)
    }

    /// The store of published data, or an empty one in its place, to say what publishing would do.
    pub fn rehearsal_store(&self) -> Result<Store, Failure> {
        self.opened(|url| match ArtifactStore::open_existing(url) {
            Err(OpenError::NoFolder(_)) => Ok(ArtifactStore::in_memory()),
            opened => opened,
        })
    }

    fn opened(&self, open: impl FnOnce(&str) -> Result<ArtifactStore, OpenError>) -> Result<Store, Failure> {
        let store = self.opened_at(open)?;
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
        let contents = Arc::new(store.clone());
        Ok(Store { log: Arc::new(store), archives, slates, contents })
    }

    fn opened_at(&self, open: impl FnOnce(&str) -> Result<ArtifactStore, OpenError>) -> Result<ArtifactStore, Failure> {
        open(self.settings.store.url.reveal()).map_err(|error| match error {
            OpenError::NoFolder(_) | OpenError::UnknownAddress(_) => Failure::bad_input(error),
            OpenError::Folder { .. } => Failure::other(error),
        })
    }

    /// The store to keep customers' files in, made if it is not there.
    pub fn dataset_files(&self) -> Result<Arc<dyn DatasetFiles>, Failure> {
        Ok(Arc::new(self.opened_at(ArtifactStore::open)?))
    }

    /// The store of customers' files, to read: one that is not there was mistyped.
    pub fn existing_dataset_files(&self) -> Result<Arc<dyn DatasetFiles>, Failure> {
        Ok(Arc::new(self.opened_at(ArtifactStore::open_existing)?))
    }

    /// The database of customers and keys: one that is not there was mistyped.
    pub async fn accounts(&self) -> Result<AccountsDatabase, Failure> {
        AccountsDatabase::connect_existing(self.database()).await.map_err(unusable)
    }

    /// The database of customers and keys, made if it is not there.
    pub async fn new_accounts(&self) -> Result<AccountsDatabase, Failure> {
        AccountsDatabase::connect(self.database()).await.map_err(unusable)
    }

    fn database(&self) -> &str {
        self.settings.database.url.reveal()
    }
}

fn unusable(error: ConnectError) -> Failure {
    if error.blames_the_address() || matches!(error, ConnectError::NoSuchFile { .. }) {
        Failure::bad_input(error)
    } else {
        Failure::other(error)
    }
}
