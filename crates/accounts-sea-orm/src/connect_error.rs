use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use sports_program::permissions::OtherOwner;

/// The longest time that a statement waits for another process to finish writing, and a caller for a connection.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why a database cannot be used. No message repeats a password.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No scheme in front.
    #[error("a database address starts with its scheme: use sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")]
    NotAnAddress,
    /// A database of another kind.
    #[error("`{scheme}` databases are not supported: use sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")]
    UnsupportedScheme {
        /// The scheme: the text before the colon.
        scheme: String,
    },
    /// A PostgreSQL database, although the operation needs a file.
    #[error(
        "this works on a SQLite file only, not on a PostgreSQL database: name a file with --database (database.url)"
    )]
    NotSqlite,
    /// An address without a file, such as that of a database in memory.
    #[error("the database address names no file: use sqlite:PATH")]
    NoFile,
    /// Settings are fixed, so an address cannot change them.
    #[error("the address of a SQLite database takes no options: leave out `?` and what follows")]
    Options,
    /// An address that PostgreSQL's programs would not understand either.
    #[error("the PostgreSQL address cannot be used: use postgres://USER:PASSWORD@HOST:PORT/NAME?sslmode=verify-full")]
    NotAServer {
        /// The error in the address.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server refuses the login.
    #[error("{database} refuses the connection: set database.url (--database) to what it lets in")]
    Refused {
        /// The database, without a password.
        database: String,
        /// The server's own words.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server does not respond.
    #[error("{database} cannot be reached: start it, or set database.url (--database) to another")]
    Unreachable {
        /// The database, without a password.
        database: String,
        /// The error of the connection.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database has no tables, and this connection does not create them.
    #[error(
        "there are no accounts in {database}; `sportsctl customer create`, `sportsctl migrate` or `sports-api serve` \
         makes the tables"
    )]
    NoTables {
        /// The database, without a password.
        database: String,
    },
    /// The file does not exist, and this connection does not create it.
    #[error(
        "there is no database {file}; `sportsctl customer create`, `sportsctl migrate` or `sports-api serve` makes one",
        file = file.display()
    )]
    NoSuchFile { file: PathBuf },
    /// The folder of the file can be neither found nor made.
    #[error(
        "cannot make the folder {folder} of the database: remove what is in its place, or name another with --database (database.url)",
        folder = folder.display()
    )]
    Folder {
        folder: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The path is that of a folder, a named pipe or another thing that is no file.
    #[error("the database {file} cannot be used: name a file with --database (database.url)", file = file.display())]
    NotAFile {
        file: PathBuf,
        /// The error, which names the thing at the path.
        source: io::Error,
    },
    /// The file, or one beside it, is of another user.
    #[error(transparent)]
    OtherOwner(#[from] OtherOwner),
    /// The file cannot be opened, or is no database.
    #[error("cannot open the database {file}", file = file.display())]
    Open {
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Another program holds the lock of the file for too long.
    #[error(
        "the database {file} is locked: another program writes to it for longer than {LOCK_TIMEOUT:?}; end that one, or try again",
        file = file.display()
    )]
    Locked {
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The disk has no room for the files that are written as a database is opened.
    #[error("the disk of the database {file} is full: make room on it", file = file.display())]
    Full {
        file: PathBuf,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A restore is running, or was interrupted.
    #[error(
        "the database {file} is being restored, or its restore was interrupted: wait for it, or run `sportsctl restore` on \
         the same backup again; to give that restore up, remove {folder} and what it copied",
        file = file.display(),
        folder = folder.display()
    )]
    Restoring {
        file: PathBuf,
        /// The folder that a restore removes at its end.
        folder: PathBuf,
    },
    /// The content of the file is damaged.
    #[error("the database {file} is damaged: move it away and restore a backup", file = file.display())]
    Damaged {
        file: PathBuf,
        /// The error of SQLite.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables have migrations of a newer program.
    #[error("the database {database} was made by a newer version of this program: use that one")]
    Newer {
        /// The database, without a password.
        database: String,
    },
    /// The tables cannot be made or brought up to date.
    #[error("cannot migrate the database {database}")]
    Migrate {
        /// The database, without a password.
        database: String,
        /// The database's own error.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl ConnectError {
    /// Returns true if another address or another program solves it: the database is not damaged.
    pub const fn blames_the_address(&self) -> bool {
        !matches!(
            self,
            Self::Open { .. }
                | Self::Locked { .. }
                | Self::Damaged { .. }
                | Self::Full { .. }
                | Self::Restoring { .. }
                | Self::Migrate { .. }
                | Self::Unreachable { .. }
        )
    }

    /// Returns true if a retry may succeed: the database or the network is starting.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}
