use std::error::Error;
use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement};
use sports_ports::PortError;
use sports_program::permissions;
use tokio::time::{sleep, timeout};

use super::connections::{Connections, LockDeadline, LockMode, OpenFile, PAUSE, Writer, make};
use crate::connect_error::LOCK_TIMEOUT;
use crate::failure::{PORT, is_damaged, is_full, is_locked, port_error};
use crate::{ConnectError, migrations};

/// A SQLite file that is open. Cloning shares the connections.
#[derive(Debug, Clone)]
pub struct SqliteFile {
    /// Replaced where a disk that was full has room again.
    pub(super) connections: Arc<RwLock<Connections>>,
    pub(super) file: OpenFile,
    /// True if the last write that failed, or the last probe, found the disk full.
    pub(super) found_full: Arc<AtomicBool>,
}

impl SqliteFile {
    /// Opens the database in a file, made and migrated as needed, with the folder that it is in.
    pub(crate) async fn connect(file: PathBuf) -> Result<Self, ConnectError> {
        expect_restored(&file)?;
        make_folder(&file)?;
        Self::in_file(file).await
    }

    /// Opens a database that was made before, and makes none.
    pub(crate) async fn connect_existing(file: PathBuf) -> Result<Self, ConnectError> {
        expect_file(&file)?;
        expect_restored(&file)?;
        if is_made(&file) { Self::in_file(file).await } else { Err(ConnectError::NoSuchFile { file }) }
    }

    /// Opens a database that was made before and leaves its tables in the form they have, to copy or check
    /// it: only what every form allows works on it.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file is not there, is being restored, cannot be opened or is of a newer program.
    pub async fn open_as_it_is(file: PathBuf) -> Result<Self, ConnectError> {
        expect_restored(&file)?;
        Self::open_restored(file).await
    }

    /// Opens a database like [`open_as_it_is`](Self::open_as_it_is), for the restore that put it in its place.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file is not there, cannot be opened or is of a newer program.
    pub async fn open_restored(file: PathBuf) -> Result<Self, ConnectError> {
        expect_file(&file)?;
        if !is_made(&file) {
            return Err(ConnectError::NoSuchFile { file });
        }
        let opened = Self::opened(file, LockMode::Shared).await?;
        if migrations::are_newer(&opened.readers()).await { Err(opened.newer()) } else { Ok(opened) }
    }

    /// Opens the database in a file, made and migrated as needed.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file or its tables cannot be used.
    pub async fn in_file(file: PathBuf) -> Result<Self, ConnectError> {
        expect_own_files(&file)?;
        make(&file).map_err(|source| ConnectError::Open { file: file.clone(), source: source.into() })?;
        let opened = Self::opened(file, LockMode::Shared).await?;
        let Err(source) = opened.prepare().await else { return Ok(opened) };
        let error = if migrations::are_newer(&opened.readers()).await {
            opened.newer()
        } else {
            refused(opened.file.path.clone(), source, |file, source| ConnectError::Migrate {
                database: file.display().to_string(),
                source,
            })
        };
        // The first failure is the one to report.
        drop(opened.connections().close().await);
        Err(error)
    }

    /// Opens a file that is there.
    pub(super) async fn opened(path: PathBuf, sharing: LockMode) -> Result<Self, ConnectError> {
        let unopened = |file, source| ConnectError::Open { file, source };
        let file = OpenFile::at(path.clone()).map_err(|source| unopened(path.clone(), source.into()))?;
        match Connections::open(&file, sharing).await {
            Ok(connections) => {
                Ok(Self { connections: Arc::new(RwLock::new(connections)), file, found_full: Arc::default() })
            }
            Err(source) => Err(refused(path, source, unopened)),
        }
    }

    /// Returns the connections as they are now.
    pub(super) fn connections(&self) -> Connections {
        self.connections.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the connections that only read.
    pub(crate) fn readers(&self) -> DatabaseConnection {
        self.connections().readers
    }

    /// Returns the connection that writes.
    pub(crate) fn writer(&self) -> Writer {
        self.connections().writer
    }

    pub(super) fn newer(&self) -> ConnectError {
        ConnectError::Newer { database: self.file.path.display().to_string() }
    }

    /// Reads every page and checks that the file is one that SQLite wrote.
    ///
    /// # Errors
    ///
    /// [`ConnectError::Damaged`].
    pub async fn expect_undamaged(&self) -> Result<(), ConnectError> {
        let damaged = |source| ConnectError::Damaged { file: self.file.path.clone(), source: Box::new(source) };
        self.check_pages("quick_check").await.map_err(damaged)
    }

    /// Returns the path of a file of the same name with an ending of its own, such as `-wal`.
    pub fn beside(&self, ending: &str) -> PathBuf {
        beside(&self.file.path, ending)
    }

    /// Checks that the file is still where it was opened.
    pub(crate) fn expect_in_place(&self) -> Result<(), PortError> {
        self.file.expect_in_place().map_err(|displaced| PortError::unavailable(PORT, displaced))
    }

    /// Converts the error of a statement into that of a port. An error due to the lock of another program names the file.
    pub(crate) fn error(&self, port: &'static str, error: DbErr) -> PortError {
        if is_full(&error) {
            self.found_full.store(true, Ordering::Relaxed);
        }
        if is_locked(&error) {
            let (file, source) = (self.file.path.clone(), error.into());
            PortError::unavailable(port, ConnectError::Locked { file, source })
        } else {
            port_error(port)(error)
        }
    }

    /// Writes a page with nothing new on it.
    pub(crate) async fn write_nothing(&self) -> Result<(), DbErr> {
        let transaction = self.writer().begin().await?;
        // This number means nothing to us. SQLite writes the page it is on, whether it changes or not.
        transaction.execute_unprepared("PRAGMA user_version = 0").await?;
        transaction.commit().await?;
        self.found_full.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Closes every connection. Where no other process has the file open, all that was written is in it afterwards and
    /// nothing beside it: the file alone is the database.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when that takes too long, or the database does not answer.
    pub async fn close(&self) -> Result<(), PortError> {
        let close = async {
            // The last process to close the file does this by itself; another one may be killed before it does.
            let connections = self.connections();
            let folded = connections.writer.connection.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await;
            connections.close().await.and(folded.map(drop)).map_err(port_error(PORT))
        };
        timeout(LOCK_TIMEOUT, close).await.unwrap_or_else(|late| Err(PortError::unavailable(PORT, late)))
    }

    /// Makes the tables and brings them up to date. Of several processes that do this to a new file together, SQLite lets
    /// one proceed and fails the others without waiting.
    pub(super) async fn prepare(&self) -> Result<(), DbErr> {
        let deadline = LockDeadline::start();
        loop {
            let prepared = self.try_to_prepare().await;
            if deadline.ends_with(&prepared) {
                return prepared;
            }
            sleep(PAUSE).await;
        }
    }

    async fn try_to_prepare(&self) -> Result<(), DbErr> {
        let Connections { readers, writer, .. } = self.connections();
        // Lets readers and a writer work side by side. The file remembers it.
        writer.connection.execute_unprepared("PRAGMA journal_mode = WAL").await?;
        // Tables that are up to date are not written to.
        if !migrations::are_up_to_date(&readers).await {
            let transaction = writer.begin().await?;
            migrations::make_all(&transaction).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}

/// Converts the error of a database into the reason why its file cannot be used.
fn refused(
    file: PathBuf,
    error: DbErr,
    otherwise: impl FnOnce(PathBuf, Box<dyn Error + Send + Sync>) -> ConnectError,
) -> ConnectError {
    let (locked, damaged, full) = (is_locked(&error), is_damaged(&error), is_full(&error));
    let source = error.into();
    match () {
        () if locked => ConnectError::Locked { file, source },
        () if damaged => ConnectError::Damaged { file, source },
        () if full => ConnectError::Full { file, source },
        () => otherwise(file, source),
    }
}

/// The endings of the names of a database's files.
pub const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// The suffix of the folder that is beside a database while it is restored.
pub const RESTORING: &str = ".restoring";

/// Checks that no restore of a database is running, and that none was interrupted.
///
/// # Errors
///
/// [`ConnectError::Restoring`].
pub fn expect_restored(database: &Path) -> Result<(), ConnectError> {
    let folder = beside(database, RESTORING);
    if folder.exists() { Err(ConnectError::Restoring { file: database.into(), folder }) } else { Ok(()) }
}

/// Makes the folder that a database is in, and those above it, where they are not there.
///
/// # Errors
///
/// [`ConnectError::Folder`], and [`ConnectError::NotAFile`] where something else has the name of the database: to open
/// that could wait forever.
pub fn make_folder(database: &Path) -> Result<(), ConnectError> {
    expect_file(database)?;
    match database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|source| ConnectError::Folder { folder: folder.into(), source })
        }
        None => Ok(()),
    }
}

/// Checks that a database can have this path: it is free or that of a file. Other errors are left to the opening.
pub(super) fn expect_file(database: &Path) -> Result<(), ConnectError> {
    let checked = fs::metadata(database).map_or(Ok(()), |found| sports_program::regular_file::check(&found));
    checked.map_err(|source| ConnectError::NotAFile { file: database.into(), source })
}

/// Checks that the files of a database that are there belong to the user of this process. One that is not there is not refused.
///
/// # Errors
///
/// [`ConnectError::OtherOwner`] for the first file of another user.
pub fn expect_own_files(database: &Path) -> Result<(), ConnectError> {
    FILES.iter().try_for_each(|ending| permissions::expect_own(&beside(database, ending)).map_err(ConnectError::from))
}

/// Returns true if a file has a database: an empty file only reserves its path.
pub fn is_made(database: &Path) -> bool {
    fs::metadata(database).is_ok_and(|file| file.len() > 0)
}

/// Returns the path of a file of the same name as a database, with another ending. Behind a link it is beside the file
/// itself, where SQLite has its own: one database has one of each, whatever it is called.
pub fn beside(database: &Path, ending: &str) -> PathBuf {
    let file = if database.is_symlink() { database.canonicalize().ok() } else { None };
    let mut name = file.unwrap_or_else(|| database.to_owned()).into_os_string();
    name.push(ending);
    name.into()
}

impl SqliteFile {
    /// Writes the database as it is at this moment into an empty file or a new one, also while it is being written
    /// to.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when it cannot be read, or the file cannot be written.
    pub async fn copy_into(&self, file: &Path) -> Result<(), PortError> {
        let path = file.to_str().ok_or_else(|| PortError::unavailable(PORT, "the name of the copy is not Unicode"))?;
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
        self.readers().execute_raw(copy).await.map_err(port_error(PORT))?;
        // SQLite leaves it to the system when a copy reaches the disk.
        File::open(file).and_then(|copy| copy.sync_all()).map_err(|source| PortError::unavailable(PORT, source))
    }

    /// Reads all of the file and checks that it is whole.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] with what is wrong, [`PortError::Unavailable`] when it cannot be read.
    pub async fn check(&self) -> Result<(), PortError> {
        self.check_pages("integrity_check").await?;
        let orphans = self.query("PRAGMA foreign_key_check".to_owned()).await?;
        if orphans.is_empty() { Ok(()) } else { Err(PortError::corrupt(PORT, "rows refer to rows that are not there")) }
    }

    /// Has SQLite check the pages of the file by one of its ways of doing so, up to the first that is wrong.
    pub(super) async fn check_pages(&self, check: &str) -> Result<(), PortError> {
        let found = self.query(format!("PRAGMA {check}(1)")).await?;
        let found = found.first().map(|row| row.try_get_by_index::<String>(0)).transpose().map_err(port_error(PORT))?;
        match found.as_deref() {
            Some("ok") => Ok(()),
            trouble => Err(PortError::corrupt(PORT, trouble.unwrap_or("it cannot be checked").to_owned())),
        }
    }

    async fn query(&self, pragma: String) -> Result<Vec<QueryResult>, PortError> {
        self.readers().query_all_raw(Statement::from_string(DbBackend::Sqlite, pragma)).await.map_err(port_error(PORT))
    }
}

// Serving a database whose disk was full when the server started.

/// The time between two attempts to share the file again.
const INTERVAL: Duration = Duration::from_secs(1);

/// The room that has to be there before the file is shared again: the index of the log takes half of it.
const ROOM: usize = 1 << 16;

/// The failure of a write to a database whose disk has no room for the index of its log.
const NO_ROOM: &str = "the disk is full: the database can be read, and no other program can open it";

impl SqliteFile {
    /// Opens the database in a file for a server, also where the disk is full and the tables are up to date. Then this
    /// process has the file for itself until there is room again, which a task looks for.
    pub(crate) async fn connect_to_serve(file: PathBuf) -> Result<Self, ConnectError> {
        expect_restored(&file)?;
        make_folder(&file)?;
        let full = match Self::in_file(file.clone()).await {
            Err(full @ ConnectError::Full { .. }) if is_made(&file) => full,
            connected => return connected,
        };
        let opened = Self::alone(file).await?;
        if migrations::are_newer(&opened.readers()).await {
            return Err(opened.newer());
        }
        if !migrations::are_up_to_date(&opened.readers()).await {
            return Err(full);
        }
        tokio::spawn(opened.clone().share_when_there_is_room());
        Ok(opened)
    }

    /// Opens a file that no other program has open. Connections of this process that failed may take a moment to close.
    async fn alone(path: PathBuf) -> Result<Self, ConnectError> {
        let deadline = LockDeadline::start();
        loop {
            match Self::opened(path.clone(), LockMode::Exclusive).await {
                Err(ConnectError::Full { .. }) if !deadline.is_over() => sleep(PAUSE).await,
                opened => return opened,
            }
        }
    }

    /// Returns true while no other program can open the file: the disk had no room at the start, and has none yet.
    pub fn is_alone(&self) -> bool {
        self.connections().sharing == LockMode::Exclusive
    }

    /// Returns true while writes fail because the disk is full, as far as writes and probes showed.
    pub fn is_disk_full(&self) -> bool {
        self.is_alone() || self.found_full.load(Ordering::Relaxed)
    }

    /// Checks that the disk has had room since the start.
    pub(crate) fn expect_room(&self) -> Result<(), PortError> {
        if self.is_alone() { Err(PortError::unavailable(PORT, NO_ROOM)) } else { Ok(()) }
    }

    /// Looks for room, and opens the file as other programs do once there is some. Ends with that.
    async fn share_when_there_is_room(self) {
        loop {
            sleep(INTERVAL).await;
            if self.has_room() && self.reopened(LockMode::Shared).await.is_ok() {
                // What a full disk left to be done; the next start does it otherwise.
                drop(self.prepare().await);
                return;
            }
            while self.connections().sharing == LockMode::Shared {
                drop(self.reopened(LockMode::Exclusive).await);
                sleep(PAUSE).await;
            }
        }
    }

    /// Closes the connections and opens others in their place. Statements that come in between fail, and a server answers
    /// from its caches meanwhile.
    async fn reopened(&self, sharing: LockMode) -> Result<(), DbErr> {
        let before = self.connections();
        before.close().await?;
        let opened = Connections::open(&self.file, sharing).await;
        let (now, outcome) = match opened {
            Ok(opened) => (opened, Ok(())),
            // They are closed, and the next attempt replaces them.
            Err(error) => (Connections { sharing: LockMode::Shared, ..before }, Err(error)),
        };
        *self.connections.write().unwrap_or_else(PoisonError::into_inner) = now;
        outcome
    }

    fn has_room(&self) -> bool {
        let probe = self.beside("-room");
        let written = fs::write(&probe, vec![0; ROOM]);
        drop(fs::remove_file(probe));
        written.is_ok()
    }
}
