use std::error::Error;
use std::path::PathBuf;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
use sports_ports::PortError;
use tokio::time::{sleep, timeout};

use super::connections::{OpenFile, PATIENCE, PAUSE, Patience, Writer, make, readers};
use super::place::{beside, expect_file, is_made, make_folder};
use crate::ConnectError;
use crate::database::PORT;
use crate::failure::{is_damaged, is_locked, port_error};
use crate::{migrations, tables};

/// A SQLite file that is open. Cloning shares the connections.
#[derive(Debug, Clone)]
pub struct SqliteFile {
    pub(crate) readers: DatabaseConnection,
    pub(crate) writer: Writer,
    pub(super) file: OpenFile,
}

impl SqliteFile {
    /// Opens the database in a file, made and migrated as needed, with the folder that it is in.
    pub(crate) async fn connect(file: PathBuf) -> Result<Self, ConnectError> {
        make_folder(&file)?;
        Self::in_file(file).await
    }

    /// Opens a database that was made before, and makes none.
    pub(crate) async fn connect_existing(file: PathBuf) -> Result<Self, ConnectError> {
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
        let opened = Self::opened(file).await?;
        if tables::are_newer(&opened.readers).await { Err(opened.newer()) } else { Ok(opened) }
    }

    /// Opens the database in a file, made and migrated as needed.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the file or its tables cannot be used.
    pub async fn in_file(file: PathBuf) -> Result<Self, ConnectError> {
        make(&file).map_err(|source| ConnectError::Open { file: file.clone(), source: source.into() })?;
        let opened = Self::opened(file).await?;
        match opened.prepare().await {
            Ok(()) => Ok(opened),
            Err(_) if tables::are_newer(&opened.readers).await => Err(opened.newer()),
            Err(source) => Err(refused(opened.file.path, source, |file, source| ConnectError::Migrate {
                database: file.display().to_string(),
                source,
            })),
        }
    }

    /// Opens a file that is there.
    async fn opened(path: PathBuf) -> Result<Self, ConnectError> {
        let unopened = |file, source| ConnectError::Open { file, source };
        let file = OpenFile::at(path.clone()).map_err(|source| unopened(path.clone(), source.into()))?;
        let both = async { Ok((readers(&file).await?, Writer::open(&file).await?)) };
        match both.await {
            Ok((readers, writer)) => Ok(Self { readers, writer, file }),
            Err(source) => Err(refused(path, source, unopened)),
        }
    }

    fn newer(&self) -> ConnectError {
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

    /// The path of a file of the same name with an ending of its own, such as `-wal`.
    #[must_use]
    pub fn beside(&self, ending: &str) -> PathBuf {
        beside(&self.file.path, ending)
    }

    /// Says whether the file is still where it was opened.
    pub(crate) fn expect_in_place(&self) -> Result<(), PortError> {
        self.file.expect_in_place().map_err(|displaced| PortError::unavailable(PORT, displaced))
    }

    /// What a failed statement means to the caller of a port. One that another program kept waiting names the file.
    pub(crate) fn error(&self, port: &'static str, error: DbErr) -> PortError {
        if is_locked(&error) {
            let (file, source) = (self.file.path.clone(), error.into());
            PortError::unavailable(port, ConnectError::Locked { file, source })
        } else {
            port_error(port)(error)
        }
    }

    /// Writes a page with nothing new on it.
    pub(crate) async fn write_nothing(&self) -> Result<(), DbErr> {
        let transaction = self.writer.begin().await?;
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
            let closed = self.readers.close_by_ref().await;
            closed.and(self.writer.connection.close_by_ref().await).and(folded.map(drop)).map_err(port_error(PORT))
        };
        timeout(PATIENCE, close).await.unwrap_or_else(|late| Err(PortError::unavailable(PORT, late)))
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
        // Tables that are up to date are not written to.
        if !tables::are_up_to_date(&self.readers).await {
            let transaction = self.writer.begin().await?;
            migrations::make_all(&transaction).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
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
