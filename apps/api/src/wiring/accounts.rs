//! The database of customers and keys.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt;
use sports_accounts_sea_orm::{
    AccountsDatabase, ConnectError, ServerLock, expect_restored, is_shared, make_folder, sqlite_file,
};
use sports_cache::CachedKeyRing;
use sports_limits::Commits;
use sports_ports::accounts::KeyRing;
use sports_ports::{Clock, error_chain};
use sports_program::permissions;
use sports_program::settings::Settings;
use sports_telemetry::dependencies::Dependencies;
use sports_telemetry::{BackgroundTasks, Pulse};
use sports_usecases::key_uses::CommittedKeyUses;
use sports_usecases::probes::{DatabasePings, RestrictionCheck};
use tokio::time::{Instant, sleep};

use super::figures;
use crate::state::{AppState, KeyChanges};

/// The time for which a starting server retries a database that does not answer yet.
const RETRY_TIMEOUT: Duration = Duration::from_secs(30);

/// The time before its expiry from which a key is counted as expiring.
const EXPIRES_SOON: TimeDelta = TimeDelta::days(14);

/// The time between retries.
const PAUSE: Duration = Duration::from_secs(1);

/// Takes the lock of the one server on a SQLite file, before it is opened or anything is changed. PostgreSQL admits
/// many servers.
///
/// # Errors
///
/// Another server holds the lock, or the file cannot be a database.
pub fn lock(settings: &Settings) -> Result<Option<ServerLock>, Box<dyn Error + Send + Sync>> {
    let address = settings.database.url.reveal();
    if is_shared(address) {
        return Ok(None);
    }
    let file = sqlite_file(address)?;
    // Before anything is created; and again, since a restore takes the lock after it made its folder.
    expect_restored(&file)?;
    permissions::expect_own_place(&file).map_err(ConnectError::from)?;
    make_folder(&file)?;
    let lock = ServerLock::take(&file)?;
    expect_restored(&file)?;
    Ok(Some(lock))
}

/// Connects to the database and creates or updates its tables. An unreachable database is retried, since it may be
/// starting as well.
pub(super) async fn connect(
    dependencies: &Dependencies,
    settings: &Settings,
) -> Result<AccountsDatabase, ConnectError> {
    let started = Instant::now();
    let database = loop {
        match AccountsDatabase::connect_to_serve(settings.database.url.reveal()).await {
            Err(error) if error.may_pass() && started.elapsed() < RETRY_TIMEOUT => {
                let causes = error_chain(&error);
                tracing::warn!("connection to the database is retried: {causes}");
                sleep(PAUSE).await;
            }
            connected => break connected?,
        }
    };
    let database = database.observed_by(dependencies.database.observer());
    if let Some(file) = database.file() {
        file.expect_undamaged().await?;
        if file.is_alone() {
            tracing::error!(
                "the disk of the database is full: it is read, counts are kept in memory, and no other program can open \
                 it until there is room"
            );
        }
    }
    Ok(database)
}

/// Closes the connections; a file is complete afterwards, with no files beside it.
pub(super) async fn close(database: &AccountsDatabase) {
    if let Err(error) = database.close().await {
        let causes = error_chain(&error);
        tracing::warn!("the database could not be closed: {causes}");
    }
}

/// Returns the pings that check whether the database can be read and written. Counts that fail to be recorded make
/// the writing ping fail.
pub(super) fn pings(database: &AccountsDatabase, counts: &Commits) -> DatabasePings {
    let (read, written, counts) = (database.clone(), database.clone(), counts.clone());
    let reading = move || {
        let database = read.clone();
        async move { database.ping().await }.boxed()
    };
    let writing = move || {
        let (database, counts) = (written.clone(), counts.clone());
        async move { database.ping_writing().await.and(counts.expect_on_record()) }.boxed()
    };
    DatabasePings { reading: Box::new(reading), writing: Box::new(writing) }
}

/// Returns the check of the disk of a database that is a file.
pub(super) fn restriction_check(database: &AccountsDatabase) -> Option<RestrictionCheck> {
    let file = database.file()?.clone();
    let sentence = "It can be read, and nothing can be written: its disk is full";
    Some(Box::new(move || file.is_disk_full().then(|| sentence.to_owned())))
}

/// Returns the key ring, and the ring for changes by customers.
pub(super) fn keys(database: &AccountsDatabase) -> (Arc<dyn KeyRing>, KeyChanges) {
    let cached = Arc::new(CachedKeyRing::new(Arc::new(database.clone())));
    let (keys, database) = (Arc::clone(&cached), database.clone());
    (keys, KeyChanges::new(move |actor| Arc::new(cached.changing(Arc::new(database.acting(actor))))))
}

/// Starts the commits of the last uses of keys.
pub(super) fn key_uses(
    tasks: &BackgroundTasks,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Arc<CommittedKeyUses> {
    let uses = Arc::new(CommittedKeyUses::new(Arc::new(database.clone()), Arc::clone(clock)));
    let noted = Arc::downgrade(&uses);
    let commit = move |pulse: Pulse| CommittedKeyUses::run(Weak::clone(&noted), move || pulse.beat());
    drop(tasks.supervise("uses of keys", commit));
    uses
}

/// Counts the keys that expire soon once a minute, for as long as the number is read.
pub(super) fn measure_expiring_keys(state: &AppState, database: &AccountsDatabase) {
    let (database, clock, number) = (database.clone(), Arc::clone(&state.clock), Arc::<AtomicUsize>::default());
    let counted = Arc::downgrade(&number);
    drop(state.operations.tasks.supervise("expiring keys", move |pulse| {
        let (database, clock, counted) = (database.clone(), Arc::clone(&clock), Weak::clone(&counted));
        async move {
            while let Some(number) = counted.upgrade() {
                let now = clock.now();
                // Until the database answers again, the last number stays.
                if let Ok(keys) = database.keys_expiring(now, now + EXPIRES_SOON).await {
                    number.store(keys.len(), Relaxed);
                }
                drop(number);
                pulse.beat();
                sleep(Duration::from_mins(1)).await;
            }
        }
    }));
    state.operations.metrics.add_source(figures::expiring_keys(number));
}
