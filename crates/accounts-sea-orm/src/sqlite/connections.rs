use std::fs::File;
use std::future::ready;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sea_orm::sqlx::Connection;
use sea_orm::{
    ConnAcquireErr, ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait, sqlx,
};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use super::Identity;
use crate::connect_error::LOCK_TIMEOUT;
use crate::failure::is_locked;

/// The pause between attempts of a writer to get the lock of the file. SQLite's own pauses grow to 100 ms, so that a late caller
/// would often overtake an early one.
pub(super) const PAUSE: Duration = Duration::from_millis(2);

/// Readers do not wait for each other.
const READERS: u32 = 8;

/// The file behind connections that are open: none is used for what has taken its path since.
#[derive(Debug, Clone)]
pub(crate) struct OpenFile {
    pub path: PathBuf,
    identity: Identity,
}

impl OpenFile {
    /// Returns the file at a path where there is one.
    pub fn at(path: PathBuf) -> io::Result<Self> {
        Identity::at(&path).map(|identity| Self { path, identity })
    }

    /// Says whether the path still names the file.
    pub fn expect_in_place(&self) -> Result<(), &'static str> {
        if Identity::at(&self.path).is_ok_and(|now| now == self.identity) { Ok(()) } else { Err(DISPLACED) }
    }
}

/// The failure when another file, or none, has the path of the database.
const DISPLACED: &str =
    "the file of the database was moved, deleted or replaced while it was open: put it back, or restart";

/// The connections of this process to a file.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    /// Connections that only read.
    pub readers: DatabaseConnection,
    pub writer: Writer,
    pub sharing: LockMode,
}

/// The programs that may have the file open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// Any.
    Shared,
    /// This process, and no other. The index of the log is in its memory, so that it can be opened on a full disk.
    Exclusive,
}

impl Connections {
    pub async fn open(file: &OpenFile, sharing: LockMode) -> Result<Self, DbErr> {
        let readers = Database::connect(options(file, READERS, LOCK_TIMEOUT, Arc::default(), sharing)).await?;
        match Writer::open(file, sharing).await {
            Ok(writer) => Ok(Self { readers, writer, sharing }),
            // SQLite shares the index of the log between connections: none may be left behind.
            Err(error) => readers.close().await.and(Err(error)),
        }
    }

    /// Closes all, once they are back in their pools.
    pub async fn close(&self) -> Result<(), DbErr> {
        let closed = self.readers.close_by_ref().await;
        closed.and(self.writer.connection.close_by_ref().await)
    }
}

/// The one connection that writes. Writers of this process wait for it in the order in which they came: SQLite admits one
/// at a time anyway, and not in that order.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    pub connection: DatabaseConnection,
    turn: Arc<Mutex<()>>,
    distrusted: Arc<AtomicBool>,
}

impl Writer {
    async fn open(file: &OpenFile, sharing: LockMode) -> Result<Self, DbErr> {
        let (distrusted, deadline) = (Arc::default(), LockDeadline::start());
        let opened = loop {
            let options = options(file, 1, Duration::ZERO, Arc::clone(&distrusted), sharing);
            let opened = Database::connect(options).await;
            if deadline.ends_with(&opened) {
                break opened;
            }
            sleep(PAUSE).await;
        };
        Ok(Self { connection: opened?, turn: Arc::default(), distrusted })
    }

    /// Begins a transaction that holds the write lock from its start, so that its reads stay valid until it commits,
    /// whatever other process has the file open.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let turn = timeout(LOCK_TIMEOUT, self.turn.lock()).await;
        let _turn = turn.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
        let deadline = LockDeadline::start();
        loop {
            let begun = self.connection.begin_with_options(immediate).await;
            if deadline.ends_with(&begun) {
                return self.trusted(begun);
            }
            sleep(PAUSE).await;
        }
    }

    /// Passes on what became of a write. After one that failed the next has a new connection: opened while the disk took
    /// no writes, a connection reads only, and for good.
    pub fn trusted<T, E>(&self, outcome: Result<T, E>) -> Result<T, E> {
        outcome.inspect_err(|_| self.distrusted.store(true, Ordering::Relaxed))
    }
}

/// The time limit of retries while another process has a lock.
pub(super) struct LockDeadline(Instant);

impl LockDeadline {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns true once the time is over.
    pub fn is_over(&self) -> bool {
        self.0.elapsed() >= LOCK_TIMEOUT
    }

    /// Returns true if a result is final: it is no locked database, or the time is over.
    pub fn ends_with<T>(&self, outcome: &Result<T, DbErr>) -> bool {
        self.is_over() || !outcome.as_ref().is_err_and(is_locked)
    }
}

fn options(
    file: &OpenFile,
    most: u32,
    busy_timeout: Duration,
    distrusted: Arc<AtomicBool>,
    sharing: LockMode,
) -> ConnectOptions {
    let path = file.path.clone();
    // The path goes in as a path: in an address, a `%` or `#` in it would be read as something else.
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(most)
        .acquire_timeout(LOCK_TIMEOUT)
        // A file's connections do not grow old. With either limit the pool (sqlx 0.9.0) has a task that counts idle
        // connections: one released and taken in the same instant makes that count wrap around, and the task never ends.
        .idle_timeout(None)
        .max_lifetime(None)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |sqlite| {
            let sqlite = sqlite.filename(&path).busy_timeout(busy_timeout).foreign_keys(true);
            match sharing {
                LockMode::Shared => sqlite,
                LockMode::Exclusive => sqlite.vfs("unix-excl"),
            }
        });
    check_pooled(&mut options, file, distrusted);
    options
}

/// Makes the pool check its connections: the file must be in place, and a transaction that was dropped is rolled back.
fn check_pooled(options: &mut ConnectOptions, file: &OpenFile, distrusted: Arc<AtomicBool>) {
    let idle = file.clone();
    options.map_sqlx_sqlite_before_acquire(move |_, _| {
        let may_be_used = idle.expect_in_place().is_ok() && !distrusted.swap(false, Ordering::Relaxed);
        Box::pin(ready(Ok(may_be_used)))
    });
    let file = file.clone();
    options.map_sqlx_sqlite_pool_opts(move |pool| {
        let file = file.clone();
        let pool = pool.after_connect(move |_, _| Box::pin(ready(file.expect_in_place().map_err(displaced))));
        pool.after_release(|connection, _| {
            Box::pin(async move {
                // Past this, what was dropped in the middle is rolled back, unless that failed as well: closing does it.
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
    });
}

fn displaced(reason: &'static str) -> sqlx::Error {
    sqlx::Error::Configuration(reason.into())
}

/// Makes an empty file where none is, which SQLite takes for an empty database. One that is there is left alone: to open
/// and close it would take this process's locks on it away from SQLite.
pub(super) fn make(path: &Path) -> io::Result<()> {
    match File::create_new(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_pool_looks_after_old_connections() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db");
        make(&path).expect("made");
        let file = OpenFile::at(path).expect("a file");
        let opened = Connections::open(&file, LockMode::Shared).await.expect("opened");
        for connection in [opened.readers, opened.writer.connection] {
            let options = connection.get_sqlite_connection_pool().options();
            assert_eq!((options.get_idle_timeout(), options.get_max_lifetime()), (None, None));
        }
    }
}
