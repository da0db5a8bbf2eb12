use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    QuerySelect, SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use sea_orm_migration::MigratorTrait;
use sports_ports::PortError;
use tokio::time::{Instant, sleep, timeout};

use crate::address::sqlite_file;
use crate::entities::customer;
use crate::failure::{is_locked, port_error};
use crate::migrations::Migrations;

pub(crate) const PORT: &str = "accounts database";

/// How long a statement waits for another process to finish writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Readers do not wait for each other; writers do, so many connections would only queue.
const CONNECTIONS: u32 = 8;

/// Customers, their keys, calls and datasets in a SQLite file. Cloning shares the connections.
#[derive(Debug, Clone)]
pub struct AccountsDatabase {
    pub(crate) connection: DatabaseConnection,
    pub(crate) file: PathBuf,
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
        /// What stands before the colon.
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
        /// Which file.
        file: PathBuf,
    },
    /// The folder of the file can be neither found nor made.
    #[error(
        "cannot make the folder {folder} of the database: make way there, or name another with --database (database.url)",
        folder = folder.display()
    )]
    Folder {
        /// Which folder.
        folder: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// The file cannot be opened, or is no database.
    #[error("cannot open the database {file}", file = file.display())]
    Open {
        /// Which file.
        file: PathBuf,
        /// What the database says.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables have had steps that this program does not know.
    #[error("the database {file} was made by a newer version of this program: use that one", file = file.display())]
    Newer {
        /// Which file.
        file: PathBuf,
    },
    /// The tables cannot be made or brought up to date.
    #[error("cannot migrate the database {file}", file = file.display())]
    Migrate {
        /// Which file.
        file: PathBuf,
        /// What the database says.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl ConnectError {
    /// Whether another address, or another program, would do: what is there is not damaged.
    #[must_use]
    pub const fn blames_the_address(&self) -> bool {
        !matches!(self, Self::Open { .. } | Self::Migrate { .. })
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
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|source| ConnectError::Folder { folder: folder.into(), source })?;
        }
        Self::in_file(file).await
    }

    /// Opens a database that was made before, for whoever has no use for an empty one: a mistyped address is no
    /// database.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] as for [`connect`](Self::connect), and when the file is not there.
    pub async fn connect_existing(address: &str) -> Result<Self, ConnectError> {
        let file = sqlite_file(address)?;
        if file.exists() { Self::in_file(file).await } else { Err(ConnectError::NoSuchFile { file }) }
    }

    /// Opens a database that was made before and leaves its tables in the form they have, for whoever copies or checks
    /// it: only what every form allows works on it.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file is not there, cannot be opened or is of a newer program.
    pub async fn open_as_it_is(file: PathBuf) -> Result<Self, ConnectError> {
        if !file.exists() {
            return Err(ConnectError::NoSuchFile { file });
        }
        let database = match Database::connect(options(&file, false)).await {
            Ok(connection) => Self { connection, file },
            Err(source) => return Err(ConnectError::Open { file, source: source.into() }),
        };
        if database.is_newer().await { Err(ConnectError::Newer { file: database.file }) } else { Ok(database) }
    }

    /// Opens the database in a file, made and migrated as needed.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file or its tables cannot be used.
    pub async fn in_file(file: PathBuf) -> Result<Self, ConnectError> {
        let connection = match open(&file).await {
            Ok(connection) => connection,
            Err(source) => return Err(ConnectError::Open { file, source: source.into() }),
        };
        let database = Self { connection, file };
        match database.migrate().await {
            Ok(()) => Ok(database),
            Err(_) if database.is_newer().await => Err(ConnectError::Newer { file: database.file }),
            Err(source) => Err(ConnectError::Migrate { file: database.file, source: source.into() }),
        }
    }

    /// Whether the tables can be read right now.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when they cannot.
    pub async fn ping(&self) -> Result<(), PortError> {
        let one = customer::Entity::find().select_only().column(customer::Column::Id).limit(1);
        one.into_tuple::<String>().one(&self.connection).await.map(drop).map_err(port_error(PORT))
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
            let folded = self.connection.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await;
            self.connection.close_by_ref().await.and(folded.map(drop)).map_err(port_error(PORT))
        };
        timeout(PATIENCE, close).await.unwrap_or_else(|late| Err(PortError::unavailable(PORT, late)))
    }

    /// A transaction that holds the one write lock from its start, so that what it reads stays true until
    /// it commits, whoever else has the file open.
    pub(crate) async fn begin_write(&self) -> Result<DatabaseTransaction, DbErr> {
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        self.connection.begin_with_options(immediate).await
    }

    /// Processes that start together take turns: the first makes the tables, the others find them made.
    async fn migrate(&self) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        Migrations::up(&transaction, None).await?;
        transaction.commit().await
    }

    /// Whether the tables have had a step that is none of ours.
    async fn is_newer(&self) -> bool {
        let steps = Statement::from_string(DbBackend::Sqlite, "SELECT version FROM seaql_migrations");
        let steps = self.connection.query_all_raw(steps).await.unwrap_or_default();
        let ours = Migrations::migrations();
        let mut names = steps.iter().filter_map(|step| step.try_get_by_index::<String>(0).ok());
        names.any(|name| ours.iter().all(|step| step.name() != name))
    }
}

async fn open(file: &Path) -> Result<DatabaseConnection, DbErr> {
    let connection = Database::connect(options(file, true)).await?;
    write_ahead(&connection).await?;
    Ok(connection)
}

fn options(file: &Path, may_make: bool) -> ConnectOptions {
    let file = file.to_owned();
    // The path goes in as a path: in an address, a `%` or `#` in it would be read as something else.
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(CONNECTIONS).sqlx_logging(false).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).create_if_missing(may_make).busy_timeout(PATIENCE).foreign_keys(true)
    });
    options
}

/// Lets readers and a writer work side by side. The file remembers it, so once is enough.
///
/// Of several processes that do this to a new file together, SQLite lets one proceed and fails the others
/// without waiting: they try again.
async fn write_ahead(connection: &DatabaseConnection) -> Result<(), DbErr> {
    let started = Instant::now();
    loop {
        match connection.execute_unprepared("PRAGMA journal_mode = WAL").await {
            Err(error) if is_locked(&error) && started.elapsed() < PATIENCE => sleep(Duration::from_millis(20)).await,
            outcome => return outcome.map(drop),
        }
    }
}
