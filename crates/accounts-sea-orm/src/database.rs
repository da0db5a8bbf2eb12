use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QuerySelect, TransactionTrait,
};
use sports_accounts::Actor;
use sports_ports::PortError;
use sports_ports::calls::{CallObserver, observed};
use tokio::runtime::Handle;

use crate::address::Address;
use crate::entities::customer;
use crate::failure::PORT;
use crate::postgres::PostgresServer;
use crate::sqlite::SqliteFile;
use crate::{ConnectError, migrations};

/// Rows written in one statement: twelve values each at most, far below what any database takes.
pub(crate) const ROWS: usize = 500;

/// Customers, their keys, calls and datasets in a SQL database. Cloning shares the connections.
///
/// Statements run in the context of the runtime that the database was opened on, whichever runtime awaits them: that runtime
/// has to live as long as the database is used.
#[derive(Debug, Clone)]
pub struct AccountsDatabase {
    kind: Kind,
    runtime: Handle,
    pub(crate) author: Author,
    observer: CallObserver,
}

/// The author of changes.
#[derive(Debug, Clone)]
pub(crate) enum Author {
    /// The audit log has no entry of the changes.
    Unrecorded,
    /// The audit log has the changes under this name.
    Recorded(Arc<Actor>),
}

/// The kind of a database.
#[derive(Debug, Clone)]
enum Kind {
    Sqlite(SqliteFile),
    Postgres(PostgresServer),
}

impl From<SqliteFile> for AccountsDatabase {
    /// # Panics
    ///
    /// Outside of a Tokio runtime.
    fn from(file: SqliteFile) -> Self {
        Self::on_this_runtime(Kind::Sqlite(file))
    }
}

impl AccountsDatabase {
    fn on_this_runtime(kind: Kind) -> Self {
        Self { kind, runtime: Handle::current(), author: Author::Unrecorded, observer: CallObserver::ignoring() }
    }

    /// Returns the database with an observer of its calls.
    pub fn observed_by(self, observer: CallObserver) -> Self {
        Self { observer, ..self }
    }

    /// Opens the database at an address such as `sqlite:./var/sports.db` or `postgres://user@host/sports`, with its
    /// tables made and migrated as needed. A SQLite file is made, too.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] when the address cannot be used, or the database or its tables cannot.
    pub async fn connect(address: &str) -> Result<Self, ConnectError> {
        match Address::parse(address)? {
            Address::Sqlite(file) => Ok(SqliteFile::connect(file).await?.into()),
            Address::Postgres(server) => {
                Ok(Self::on_this_runtime(Kind::Postgres(PostgresServer::connect(*server).await?)))
            }
        }
    }

    /// Opens a database for a server. A SQLite file that is up to date is opened on a full disk, too: until the disk has room
    /// again it can be read, and no other program can open it.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] as for [`connect`](Self::connect).
    pub async fn connect_to_serve(address: &str) -> Result<Self, ConnectError> {
        match Address::parse(address)? {
            Address::Sqlite(file) => Ok(SqliteFile::connect_to_serve(file).await?.into()),
            Address::Postgres(_) => Self::connect(address).await,
        }
    }

    /// Opens a database that was made before, and makes none: a mistyped address is an error.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] as for [`connect`](Self::connect), and when there is no file or there are no tables.
    pub async fn connect_existing(address: &str) -> Result<Self, ConnectError> {
        match Address::parse(address)? {
            Address::Sqlite(file) => Ok(SqliteFile::connect_existing(file).await?.into()),
            Address::Postgres(server) => {
                Ok(Self::on_this_runtime(Kind::Postgres(PostgresServer::connect_existing(*server).await?)))
            }
        }
    }

    /// Returns true if [`connect_existing`](Self::connect_existing) would bring the tables up to date. This changes nothing.
    ///
    /// # Errors
    ///
    /// [`ConnectError`] as for [`connect_existing`](Self::connect_existing).
    pub async fn is_older(address: &str) -> Result<bool, ConnectError> {
        let database: Self = match Address::parse(address)? {
            Address::Sqlite(file) => SqliteFile::open_as_it_is(file).await?.into(),
            Address::Postgres(server) => {
                Self::on_this_runtime(Kind::Postgres(PostgresServer::open_as_it_is(*server).await?))
            }
        };
        let is_older = migrations::are_older(&database.reader()).await;
        // Nothing was written.
        drop(database.close().await);
        Ok(is_older)
    }

    /// Returns the file of a SQLite database.
    pub const fn file(&self) -> Option<&SqliteFile> {
        match &self.kind {
            Kind::Sqlite(file) => Some(file),
            Kind::Postgres(_) => None,
        }
    }

    /// Checks that the tables can be read.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when they cannot, or a file is no longer where it was opened.
    pub async fn ping(&self) -> Result<(), PortError> {
        self.observed(async { self.file().map_or(Ok(()), SqliteFile::expect_in_place) }).await?;
        let one = customer::Entity::find().select_only().column(customer::Column::Id).limit(1);
        self.answer(PORT, one.into_tuple::<String>().one(&self.reader())).await.map(drop)
    }

    /// Checks that the database can be written to, without changing anything.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when it cannot, or a file is no longer where it was opened.
    pub async fn ping_writing(&self) -> Result<(), PortError> {
        match &self.kind {
            Kind::Sqlite(file) => {
                self.observed(async { file.expect_in_place().and_then(|()| file.expect_room()) }).await?;
                self.answer(PORT, async { file.writer().trusted(file.write_nothing().await) }).await
            }
            Kind::Postgres(server) => self.answer(PORT, server.write_nothing()).await,
        }
    }

    /// Closes every connection. A SQLite file that no other process has open is the whole database afterwards.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when that takes too long, or the database does not answer.
    pub async fn close(&self) -> Result<(), PortError> {
        match &self.kind {
            Kind::Sqlite(file) => file.close().await,
            Kind::Postgres(server) => server.answer(PORT, server.connection.close_by_ref()).await,
        }
    }

    /// Returns the connections for statements that only read.
    pub(crate) fn reader(&self) -> DatabaseConnection {
        match &self.kind {
            Kind::Sqlite(file) => file.readers(),
            Kind::Postgres(server) => server.connection.clone(),
        }
    }

    /// Runs the statements of a port, and converts their error into that of the port.
    pub(crate) async fn answer<T>(
        &self,
        port: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, PortError> {
        let work = OnRuntime::new(&self.runtime, work);
        let answer = async {
            match &self.kind {
                Kind::Sqlite(file) => work.await.map_err(|error| file.error(port, error)),
                Kind::Postgres(server) => server.answer(port, work).await,
            }
        };
        self.observed(answer).await
    }

    async fn observed<T>(&self, call: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        observed(&self.observer, call, |_| true).await
    }

    /// Begins a transaction that writes. On SQLite it holds the one write lock from its start, so that what it reads stays true
    /// until it commits, whatever other process has the file open. On PostgreSQL only what is locked stays as it is read.
    pub(crate) async fn begin_write(&self) -> Result<DatabaseTransaction, DbErr> {
        match &self.kind {
            Kind::Sqlite(file) => file.writer().begin().await,
            Kind::Postgres(server) => server.connection.begin().await,
        }
    }

    /// Begins a transaction that writes, and that alone changes a table.
    pub(crate) async fn begin_locking(&self, table: &str) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.begin_write().await?;
        if matches!(self.kind, Kind::Postgres(_)) {
            transaction.execute_unprepared(&format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")).await?;
        }
        Ok(transaction)
    }

    /// Runs statements that take long, such as reading everything.
    pub(crate) async fn without_limit<T>(
        &self,
        port: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, PortError> {
        match &self.kind {
            Kind::Sqlite(_) => self.answer(port, work).await,
            Kind::Postgres(server) => {
                let work = OnRuntime::new(&self.runtime, work);
                self.observed(server.answer_within(Duration::from_mins(10), port, work)).await
            }
        }
    }

    /// Begins a transaction that reads everything as of one moment.
    pub(crate) async fn begin_read(&self) -> Result<DatabaseTransaction, DbErr> {
        match &self.kind {
            Kind::Sqlite(file) => file.readers().begin().await,
            Kind::Postgres(server) => server.begin_read().await,
        }
    }

    /// Begins a transaction beside which nothing else writes.
    pub(crate) async fn begin_serializable(&self) -> Result<DatabaseTransaction, DbErr> {
        match &self.kind {
            Kind::Sqlite(file) => file.writer().begin().await,
            Kind::Postgres(server) => server.begin_serializable().await,
        }
    }

    /// Returns the result of a write, and marks the connection of a failed write on a file as distrusted.
    pub(crate) fn trusted<T>(&self, outcome: Result<T, DbErr>) -> Result<T, DbErr> {
        match self.file() {
            Some(file) => file.writer().trusted(outcome),
            None => outcome,
        }
    }
}

/// A future that is polled and dropped in the context of one runtime, whichever runtime awaits it.
///
/// A pooled connection depends on the runtime in whose context it was opened, and on the one that returns it to the pool.
/// The runtime of an HTTP worker ends with the worker, while requests on other workers still use the pool.
pub(crate) struct OnRuntime<F> {
    /// `Some` until the drop.
    work: Option<Pin<Box<F>>>,
    runtime: Handle,
}

impl<F: Future> OnRuntime<F> {
    pub fn new(runtime: &Handle, work: F) -> Self {
        // Statements are large futures.
        Self { work: Some(Box::pin(work)), runtime: runtime.clone() }
    }
}

impl<F: Future> Future for OnRuntime<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { work, runtime } = &mut *self;
        let _entered = runtime.enter();
        work.as_mut().map_or(Poll::Pending, |work| work.as_mut().poll(context))
    }
}

impl<F> Drop for OnRuntime<F> {
    /// Drops the work in the context of the runtime: its connection is returned to the pool by a task.
    fn drop(&mut self) {
        let _entered = self.runtime.enter();
        self.work = None;
    }
}
