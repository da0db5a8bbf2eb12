//! The places of the settings, opened when a command needs them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use sports_accounts::Actor;
use sports_accounts_sea_orm::{AccountsDatabase, ConnectError, SqliteFile, expect_own_files, is_shared, sqlite_file};
use sports_ports::Clock;
use sports_ports::contents::StoreContents;
use sports_ports::datasets::DatasetFiles;
use sports_ports::publication::{LogRepairs, PublicationLog};
use sports_ports::record::RecordFiles;
use sports_program::settings::{ConnectionUrl, Settings};
use sports_program::{SystemClock, SystemRandom, machine_name, permissions, user_name};
use sports_publication::ClockSource;
use sports_store::{ArtifactStore, JsonSlates, LocalStore, OpenError, OpenOptions};
use sports_tables::archive::ParquetArchives;
use sports_usecases::publish::Publisher;
use sports_usecases::record::{Archives, Ledgers, Slates, TreeReader};
use sports_usecases::signing::{RecordSigner, TreeSigning};

use crate::failure::Failure;
use crate::report::print_place;
use crate::retries::Retries;

/// The store, database and clock of a command.
pub struct Places<'a> {
    settings: &'a Settings,
    database: OnceLock<AccountsDatabase>,
    database_is_used: AtomicBool,
    store_is_used: AtomicBool,
    are_printed: bool,
    are_written: bool,
    pub clock: Arc<dyn Clock>,
    /// The counter of repeated requests to stores.
    pub retries: Retries,
}

/// The store, as the ports of the use cases.
pub struct Store {
    pub log: Arc<dyn PublicationLog>,
    /// The facts of the entries of the log.
    pub ledgers: Arc<Ledgers>,
    pub archives: Archives,
    /// Odds, predictions and openers.
    pub slates: Slates,
    /// All files in the store, named by an entry or not.
    pub contents: Arc<dyn StoreContents>,
    /// Tiles, signed checkpoints and keys of the record.
    pub record: Arc<dyn RecordFiles>,
    /// What was moved out of the logs.
    pub repairs: Arc<dyn LogRepairs>,
    /// True for an empty store in memory, in place of one that does not exist.
    is_stand_in: bool,
}

impl Store {
    /// Wraps an open store.
    pub fn over(store: ArtifactStore) -> Self {
        let log: Arc<dyn PublicationLog> = Arc::new(store.clone());
        let ledgers = Arc::new(Ledgers::new(&log));
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
        let (record, repairs) = (Arc::new(store.clone()), Arc::new(store.clone()));
        let contents = Arc::new(store);
        Self { log, ledgers, archives, slates, contents, record, repairs, is_stand_in: false }
    }

    /// Creates a reader of the trees of this store.
    pub fn trees(&self) -> TreeReader {
        let trees = TreeReader::new(Arc::clone(&self.log), self.slates.clone(), Arc::clone(&self.record));
        trees.following(Arc::clone(&self.ledgers))
    }

    /// Creates a signer of the trees of this store.
    pub fn signer(&self, places: &Places<'_>, signing: TreeSigning) -> RecordSigner {
        RecordSigner::new(self.trees(), Arc::clone(&places.clock), Arc::new(SystemRandom), signing)
    }

    /// Creates a publisher into this store, with the clock of these places.
    pub fn publisher(&self, places: &Places<'_>) -> Publisher {
        let clock = Arc::clone(&places.clock);
        let (log, archives, slates) = (Arc::clone(&self.log), self.archives.clone(), self.slates.clone());
        let publisher = Publisher::new(log, archives, slates, clock, Arc::new(SystemRandom));
        publisher.timed_by(places.clock_source())
    }
}

/// Returns an opened store once it answers, if it is a bucket.
pub async fn reached(opened: Result<ArtifactStore, OpenError>) -> Result<ArtifactStore, Failure> {
    let store = opened?;
    store.expect_bucket().await?;
    Ok(store)
}

/// The advice about a database that is not a file.
const SERVER_BACKUP: &str = "backup and restore copy a SQLite file and a folder: for PostgreSQL use pg_dump and \
                             pg_restore, and copy the store after the database was dumped, so that every file on sale \
                             is in the copy";

impl<'a> Places<'a> {
    /// Creates the places of the settings, without opening them.
    pub fn from_settings(settings: &'a Settings, retries: Retries) -> Self {
        let clock = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        let (database_is_used, store_is_used) = (AtomicBool::new(false), AtomicBool::new(false));
        Self {
            settings,
            database: OnceLock::new(),
            database_is_used,
            store_is_used,
            are_printed: false,
            are_written: false,
            clock,
            retries,
        }
    }

    pub const fn settings(&self) -> &Settings {
        self.settings
    }

    /// Prints each place on standard error before it is opened.
    pub fn printed(self) -> Self {
        Self { are_printed: true, ..self }
    }

    /// Checks before the store or the database is opened that they belong to the user of this process, and before one of them is
    /// created, that root does not create it in a folder of another user.
    pub fn written(self) -> Self {
        Self { are_written: true, ..self }
    }

    /// Returns whether the time was set by hand.
    pub const fn clock_source(&self) -> ClockSource {
        if self.settings.clock.as_of.is_some() { ClockSource::Set } else { ClockSource::System }
    }

    /// Opens the store of published data for writing; creates it if it does not exist.
    pub async fn store(&self) -> Result<Store, Failure> {
        self.opened(ArtifactStore::open_with).await
    }

    /// Opens the store of published data for reading. A store that does not exist is an error: its name was mistyped.
    pub async fn existing_store(&self) -> Result<Store, Failure> {
        self.opened(ArtifactStore::open_existing_with).await
    }

    /// Opens the store of published data, or an empty one in its place, for a dry run.
    pub async fn rehearsal_store(&self) -> Result<Store, Failure> {
        let mut is_stand_in = false;
        let open = |url: &str, options: &OpenOptions| match ArtifactStore::open_existing_with(url, options) {
            Err(OpenError::NoFolder(_)) => {
                is_stand_in = true;
                Ok(ArtifactStore::in_memory())
            }
            opened => opened,
        };
        let store = self.opened(open).await?;
        Ok(Store { is_stand_in, ..store })
    }

    /// Returns the store of a rehearsal for writing; creates it if it does not exist.
    pub async fn store_after(&self, rehearsal: Store) -> Result<Store, Failure> {
        if rehearsal.is_stand_in { self.store().await } else { Ok(rehearsal) }
    }

    async fn opened(
        &self,
        open: impl FnOnce(&str, &OpenOptions) -> Result<ArtifactStore, OpenError>,
    ) -> Result<Store, Failure> {
        self.opened_at(open).await.map(Store::over)
    }

    async fn opened_at(
        &self,
        open: impl FnOnce(&str, &OpenOptions) -> Result<ArtifactStore, OpenError>,
    ) -> Result<ArtifactStore, Failure> {
        reached(open(self.store_address()?, &self.retries.options())).await
    }

    /// Returns the folder of the store, to copy its files. A folder that does not exist is an error: its name was
    /// mistyped.
    pub fn existing_local_store(&self) -> Result<LocalStore, Failure> {
        LocalStore::existing_at(self.store_address()?).map_err(not_local)
    }

    /// Returns the folder of the store, whether or not it exists.
    pub fn local_store(&self) -> Result<LocalStore, Failure> {
        LocalStore::at(self.store_address()?).map_err(not_local)
    }

    /// Opens the store of customers' files for writing; creates it if it does not exist.
    pub async fn dataset_files(&self) -> Result<Arc<dyn DatasetFiles>, Failure> {
        Ok(Arc::new(self.opened_at(ArtifactStore::open_with).await?))
    }

    /// Opens the store of customers' files for reading. A store that does not exist is an error: its name was
    /// mistyped.
    pub async fn existing_dataset_files(&self) -> Result<Arc<dyn DatasetFiles>, Failure> {
        Ok(Arc::new(self.opened_at(ArtifactStore::open_existing_with).await?))
    }

    /// Opens the database of customers and keys. A database that does not exist is an error: its name was mistyped.
    pub async fn accounts(&self) -> Result<AccountsDatabase, Failure> {
        AccountsDatabase::connect_existing(self.address()?).await.map(|opened| self.keep(opened)).map_err(Failure::from)
    }

    /// Opens the file of customers and keys without changing the form of its tables, to copy it.
    pub async fn accounts_as_they_are(&self) -> Result<SqliteFile, Failure> {
        let opened = SqliteFile::open_as_it_is(self.database_file()?).await?;
        self.keep(opened.clone().into());
        Ok(opened)
    }

    /// Opens the database of customers and keys; creates it if it does not exist.
    pub async fn new_accounts(&self) -> Result<AccountsDatabase, Failure> {
        AccountsDatabase::connect(self.address()?).await.map(|opened| self.keep(opened)).map_err(Failure::from)
    }

    /// Returns the file of the database, to back up or restore, whether or not it exists.
    pub fn database_file(&self) -> Result<PathBuf, Failure> {
        let address = self.address()?;
        if is_shared(address) {
            return Err(Failure::bad_input(SERVER_BACKUP));
        }
        sqlite_file(address).map_err(Failure::bad_input)
    }

    /// Closes the database if a command opened it, so that its file is complete.
    pub async fn close(&self) {
        if let Some(database) = self.database.get() {
            // The command's changes are committed in any case.
            drop(database.close().await);
        }
    }

    /// Opens the database of customers and keys for an entry of the audit log; returns `None` if the settings name none, or if
    /// it does not exist. The caller closes it.
    pub async fn accounts_if_any(&self) -> Result<Option<AccountsDatabase>, Failure> {
        if self.settings.expect_place("database.url").is_err() {
            return Ok(None);
        }
        match AccountsDatabase::connect_existing(self.settings.database.url.reveal()).await {
            Err(ConnectError::NoSuchFile { .. } | ConnectError::NoTables { .. }) => Ok(None),
            opened => Ok(Some(opened?.acting(self.operator()))),
        }
    }

    /// Keeps the database that a command opened, to close it when the command is done. The operator is behind its changes.
    fn keep(&self, opened: AccountsDatabase) -> AccountsDatabase {
        self.database.get_or_init(|| opened).acting(self.operator())
    }

    fn operator(&self) -> Actor {
        Actor::operator(&user_name(), machine_name(), self.clock.now())
    }

    /// Returns the places that were used, each with its address without a password.
    pub fn used(&self) -> Vec<(&'static str, &ConnectionUrl)> {
        let Settings { database, store, .. } = self.settings;
        let all = [("database", &self.database_is_used, &database.url), ("store", &self.store_is_used, &store.url)];
        all.into_iter().filter(|(_, is_used, _)| is_used.load(Relaxed)).map(|(kind, _, url)| (kind, url)).collect()
    }

    /// Returns the address of the database.
    pub fn address(&self) -> Result<&str, Failure> {
        let url = self.place("database", &self.database_is_used, &self.settings.database.url)?;
        if self.are_written { expect_own_database(url).map(|()| url) } else { Ok(url) }
    }

    fn store_address(&self) -> Result<&str, Failure> {
        let url = self.place("store", &self.store_is_used, &self.settings.store.url)?;
        if self.are_written {
            expect_own(url)?;
            // The audit log has an entry about what is written.
            expect_own_files_of(self.settings.database.url.reveal())?;
        }
        Ok(url)
    }

    fn place<'b>(&self, kind: &str, is_used: &AtomicBool, url: &'b ConnectionUrl) -> Result<&'b str, Failure> {
        self.settings.expect_place(&format!("{kind}.url")).map_err(Failure::bad_input)?;
        if !is_used.swap(true, Relaxed) && self.are_printed {
            print_place(kind, &url.to_string());
        }
        Ok(url.reveal())
    }
}

/// Refuses a store in a folder of another user, who could not read what is written.
pub fn expect_own(store: &str) -> Result<(), Failure> {
    let local = LocalStore::at(store).ok();
    local.map_or(Ok(()), |local| permissions::expect_own_place(local.folder())).map_err(Failure::bad_input)
}

/// Refuses a SQLite database of another user, and for root a new one in a folder of another user, who could not read it.
pub fn expect_own_database(url: &str) -> Result<(), Failure> {
    expect_own_files_of(url)?;
    sqlite_file(url).map_or(Ok(()), |file| permissions::expect_own_place(&file)).map_err(Failure::bad_input)
}

/// Refuses a SQLite database of another user, or with a file of another user beside it. One that is not there is not refused.
fn expect_own_files_of(url: &str) -> Result<(), Failure> {
    // Other addresses are of no file, or are refused by whoever opens them.
    let Ok(file) = sqlite_file(url) else { return Ok(()) };
    expect_own_files(&file).map_err(Failure::bad_input)
}

/// Refuses a folder inside a store, which would be lost or changed with it.
pub fn expect_outside(folder: &Path, store: &Path) -> Result<(), Failure> {
    if resolved(folder).starts_with(resolved(store)) {
        let (folder, store) = (folder.display(), store.display());
        return Err(Failure::bad_input(format!("{folder} is in the store {store}: name a folder outside of it")));
    }
    Ok(())
}

/// Resolves the links of a path, as far as the path exists.
fn resolved(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = whole.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found {
        Some((above, real)) => real.join(whole.strip_prefix(above).unwrap_or(Path::new(""))),
        None => whole,
    }
}

/// Explains that backups are made of files of this machine.
fn not_local(error: OpenError) -> Failure {
    match error {
        OpenError::NoLocalStore(_) => Failure::bad_input(format!(
            "{error}, and only such a store is part of a backup: copy this one with `sportsctl store copy`, and the \
             database by its own means"
        )),
        error => error.into(),
    }
}
