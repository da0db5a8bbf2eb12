use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QuerySelect, Statement,
    UpdateMany,
};
use sea_orm_migration::MigratorTrait;
use sports_ports::PortError;
use tokio::time::{sleep, timeout};

use crate::address::sqlite_file;
use crate::connections::{OpenFile, PATIENCE, PAUSE, Patience, Writer, make, readers};
use crate::entities::customer;
use crate::failure::{is_damaged, is_locked, port_error};
use crate::migrations::Migrations;

pub(crate) const PORT: &str = "accounts database";

/// Customers, their keys, calls and datasets in a SQLite file. Cloning shares the connections.
#[derive(Debug, Clone)]
pub struct AccountsDatabase {
    /// For reading.
    pub(crate) connection: DatabaseConnection,
    /// For writing.
    pub(crate) writer: Writer,
    file: OpenFile,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No scheme in front.
    #[error("a database address starts with its scheme: use sqlite:PATH")]
    NotAnAddress,
    /// A database that is not SQLite.
    #[error("`{scheme}` databases are not supported in this version: use sqlite:PATH")]
    UnsupportedScheme {
        /// The scheme: the text before the colon.
        scheme: String,
    },
    /// Nothing that outlives the process.
    #[error("the database address names no file: use sqlite:PATH")]
    NoFile,
    /// Settings are fixed, so an address cannot change them.
    #[error("the database address takes no options: leave out `?` and what follows")]
    Options,
    /// There is no such file, and the caller wanted one that was there.
    #[error(
        "there is no database {file}; `sportsctl customer create`, `sportsctl migrate` or `sports-api serve` makes one",
        file = file.display()
    )]
    NoSuchFile {
        /// The file.
        file: PathBuf,
    },
    /// The folder of the file can be neither found nor made.
    #[error(
        "cannot make the folder {folder} of the database: remove what is in its place, or name another with --database (database.url)",
        folder = folder.display()
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// What has the name is no file, such as a folder or a named pipe.
    #[error("the database {file} cannot be used: name a file with --database (database.url)", file = file.display())]
    NotAFile {
        /// What has the name of the file.
        file: PathBuf,
        /// What it is.
        source: io::Error,
    },
    /// The file cannot be opened, or is no database.
    #[error("cannot open the database {file}", file = file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Another program has not stopped writing to it.
    #[error(
        "the database {file} is locked: another program writes to it for longer than {PATIENCE:?}; end that one, or try again",
        file = file.display()
    )]
    Locked {
        /// The file.
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// What is in the file is not what was written.
    #[error("the database {file} is damaged: move it away and restore a backup", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What SQLite found wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables have had steps that this program does not know.
    #[error("the database {file} was made by a newer version of this program: use that one", file = file.display())]
    Newer {
        /// The file.
        file: PathBuf,
    },
    /// The tables cannot be made or brought up to date.
    #[error("cannot migrate the database {file}", file = file.display())]
    Migrate {
        /// The file.
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl ConnectError {
    /// Whether another address, or another program, would do: what is there is not damaged.
    #[must_use]
    pub const fn blames_the_address(&self) -> bool {
        !matches!(self, Self::Open { .. } | Self::Locked { .. } | Self::Damaged { .. } | Self::Migrate { .. })
    }
}

impl AccountsDatabase {
    /// Opens the database at an address such as `sqlite:./var/sports.db`, made and migrated as needed.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the address is not one of SQLite's, or the file or its tables cannot be used.
    pub async fn connect(address: &str) -> Result<Self, ConnectError> {
        let file = sqlite_file(address)?;
        make_folder(&file)?;
        Self::in_file(file).await
    }

    /// Opens a database that was made before, and makes none: a mistyped address is an error.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] as for [`connect`](Self::connect), and when the file is not there.
    pub async fn connect_existing(address: &str) -> Result<Self, ConnectError> {
        let file = sqlite_file(address)?;
        expect_file(&file)?;
        if is_made(&file) { Self::in_file(file).await } else { Err(ConnectError::NoSuchFile { file }) }
    }

    /// Opens a database that was made before and leaves its tables in the form they have, to copy or check
    /// it: only what every form allows works on it.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file is not there, cannot be opened or is of a newer program.
    pub async fn open_as_it_is(file: PathBuf) -> Result<Self, ConnectError> {
        expect_file(&file)?;
        if !is_made(&file) {
            return Err(ConnectError::NoSuchFile { file });
        }
        let database = Self::opened(file).await?;
        if database.is_newer().await { Err(ConnectError::Newer { file: database.file.path }) } else { Ok(database) }
    }

    /// Opens the database in a file, made and migrated as needed.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file or its tables cannot be used.
    pub async fn in_file(file: PathBuf) -> Result<Self, ConnectError> {
        make(&file).map_err(|source| ConnectError::Open { file: file.clone(), source: source.into() })?;
        let database = Self::opened(file).await?;
        match database.prepare().await {
            Ok(()) => Ok(database),
            Err(_) if database.is_newer().await => Err(ConnectError::Newer { file: database.file.path }),
            Err(source) => {
                Err(refused(database.file.path, source, |file, source| ConnectError::Migrate { file, source }))
            }
        }
    }

    /// Opens a file that is there.
    async fn opened(path: PathBuf) -> Result<Self, ConnectError> {
        let unopened = |file, source| ConnectError::Open { file, source };
        let file = OpenFile::at(path.clone()).map_err(|source| unopened(path.clone(), source.into()))?;
        let both = async { Ok((readers(&file).await?, Writer::open(&file).await?)) };
        match both.await {
            Ok((connection, writer)) => Ok(Self { connection, writer, file }),
            Err(source) => Err(refused(path, source, unopened)),
        }
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

    /// The path of a file of the same name with an ending of its own, such as `-wal`.
    #[must_use]
    pub fn beside(&self, ending: &str) -> PathBuf {
        beside(&self.file.path, ending)
    }

    /// Whether the tables can be read right now.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when they cannot, or the file is no longer where it was opened.
    pub async fn ping(&self) -> Result<(), PortError> {
        self.file.expect_in_place().map_err(|displaced| PortError::unavailable(PORT, displaced))?;
        let one = customer::Entity::find().select_only().column(customer::Column::Id).limit(1);
        one.into_tuple::<String>().one(&self.connection).await.map(drop).map_err(port_error(PORT))
    }

    /// Whether something can be written right now. It is: one page, with nothing new on it.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when it cannot, or the file is no longer where it was opened.
    pub async fn ping_writing(&self) -> Result<(), PortError> {
        self.file.expect_in_place().map_err(|displaced| PortError::unavailable(PORT, displaced))?;
        self.writer.trusted(self.write_nothing().await).map_err(self.write_error(PORT))
    }

    /// What a failed write means to the caller of a port. One that another program kept waiting names the file.
    pub(crate) fn write_error(&self, port: &'static str) -> impl Fn(DbErr) -> PortError {
        move |error| {
            if is_locked(&error) {
                let (file, source) = (self.file.path.clone(), error.into());
                PortError::unavailable(port, ConnectError::Locked { file, source })
            } else {
                port_error(port)(error)
            }
        }
    }

    async fn write_nothing(&self) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        // This number means nothing to us. SQLite writes the page it is on, whether it changes or not.
        transaction.execute_unprepared("PRAGMA user_version = 0").await?;
        transaction.commit().await
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
            let folded = self.writer.connection.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await;
            let closed = self.connection.close_by_ref().await;
            closed.and(self.writer.connection.close_by_ref().await).and(folded.map(drop)).map_err(port_error(PORT))
        };
        timeout(PATIENCE, close).await.unwrap_or_else(|late| Err(PortError::unavailable(PORT, late)))
    }

    /// A transaction that holds the one write lock from its start, so that what it reads stays true until it commits,
    /// whatever other process has the file open.
    pub(crate) async fn begin_write(&self) -> Result<DatabaseTransaction, DbErr> {
        self.writer.begin().await
    }

    /// Changes rows of one table; gives how many.
    pub(crate) async fn write<E: EntityTrait>(&self, change: UpdateMany<E>) -> Result<u64, DbErr> {
        let transaction = self.begin_write().await?;
        let changed = change.exec(&transaction).await?.rows_affected;
        transaction.commit().await?;
        Ok(changed)
    }

    /// Makes the tables and brings them up to date. Of several processes that do this to a new file together, SQLite lets
    /// one proceed and fails the others without waiting.
    async fn prepare(&self) -> Result<(), DbErr> {
        let patience = Patience::starts();
        loop {
            let prepared = self.try_to_prepare().await;
            if patience.ends_with(&prepared) {
                return prepared;
            }
            sleep(PAUSE).await;
        }
    }

    async fn try_to_prepare(&self) -> Result<(), DbErr> {
        // Lets readers and a writer work side by side. The file remembers it.
        self.writer.connection.execute_unprepared("PRAGMA journal_mode = WAL").await?;
        let ours = Migrations::migrations();
        // Tables that are up to date are not written to.
        if !self.steps().await.iter().eq(ours.iter().map(|step| step.name())) {
            let transaction = self.begin_write().await?;
            Migrations::up(&transaction, None).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Whether the tables have had a step that is none of ours.
    async fn is_newer(&self) -> bool {
        let ours = Migrations::migrations();
        self.steps().await.iter().any(|name| ours.iter().all(|step| step.name() != name))
    }

    /// The steps that the tables have had, first to last; none where that cannot be read.
    async fn steps(&self) -> Vec<String> {
        let steps = Statement::from_string(DbBackend::Sqlite, "SELECT version FROM seaql_migrations ORDER BY version");
        let steps = self.connection.query_all_raw(steps).await.unwrap_or_default();
        steps.iter().filter_map(|step| step.try_get_by_index(0).ok()).collect()
    }
}

/// What the names of the files of a database end with: SQLite's and those that a server keeps beside them.
pub const FILES: [&str; 5] = ["", "-wal", "-shm", "-journal", COUNTS];

/// What the name of the file ends with in which a server keeps counts that are not on record.
pub const COUNTS: &str = "-counts";

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

/// Says whether a database can have this name: it is free, or a file has it. What cannot be asked shows when it is opened.
fn expect_file(database: &Path) -> Result<(), ConnectError> {
    let checked = fs::metadata(database).map_or(Ok(()), |found| sports_regular_files::check(&found));
    checked.map_err(|source| ConnectError::NotAFile { file: database.into(), source })
}

/// Whether there is a database: an empty file only keeps the place of one.
#[must_use]
pub fn is_made(database: &Path) -> bool {
    fs::metadata(database).is_ok_and(|file| file.len() > 0)
}

/// The path of a file of the same name as a database, with an ending of its own. Behind a link it is beside the file
/// itself, where SQLite has its own: one database has one of each, whatever it is called.
#[must_use]
pub fn beside(database: &Path, ending: &str) -> PathBuf {
    let file = if database.is_symlink() { database.canonicalize().ok() } else { None };
    let mut name = file.unwrap_or_else(|| database.to_owned()).into_os_string();
    name.push(ending);
    name.into()
}

/// Why a file cannot be used, by what the database says about it.
fn refused(
    file: PathBuf,
    error: DbErr,
    otherwise: impl FnOnce(PathBuf, Box<dyn Error + Send + Sync>) -> ConnectError,
) -> ConnectError {
    let (locked, damaged) = (is_locked(&error), is_damaged(&error));
    let source = error.into();
    match () {
        () if locked => ConnectError::Locked { file, source },
        () if damaged => ConnectError::Damaged { file, source },
        () => otherwise(file, source),
    }
}
