use std::io;
use std::time::Duration;

use rustls::CertificateError;
use sea_orm::sqlx::postgres::PgConnection;
use sea_orm::sqlx::{self, Connection};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, IsolationLevel, RuntimeErr,
    TransactionTrait,
};
use sports_ports::PortError;
use tokio::pin;
use tokio::time::timeout;

use super::address::ServerAddress;
use super::connections::{LIMIT, LastFailure, pool, with_limits};
use crate::ConnectError;
use crate::failure::port_error;
use crate::tables;

/// The longest time that servers wait for another server to make the tables.
const MIGRATION: Duration = Duration::from_mins(1);

/// The lock that one of them holds meanwhile: a number that no other program is likely to take.
const MIGRATION_LOCK: i64 = 0x7370_6f72_7473;

/// Lets the statements of one transaction take longer than those that callers wait for.
const PATIENT: &str = "SET LOCAL statement_timeout = '5min'; SET LOCAL idle_in_transaction_session_timeout = '5min'";

/// A database on a PostgreSQL server. Cloning shares the connections.
#[derive(Debug, Clone)]
pub(crate) struct PostgresServer {
    pub connection: DatabaseConnection,
    address: String,
    last_failure: LastFailure,
}

/// No answer within the time that callers wait.
#[derive(Debug, thiserror::Error)]
#[error("{database} did not answer within {limit:?}")]
struct NoAnswer {
    database: String,
    limit: Duration,
}

impl PostgresServer {
    /// Connects to a database and makes its tables or brings them up to date.
    pub async fn connect(address: ServerAddress) -> Result<Self, ConnectError> {
        let server = Self::reached(address).await?;
        match server.prepare().await {
            Ok(()) => Ok(server),
            Err(_) if tables::are_newer(&server.connection).await => {
                Err(ConnectError::Newer { database: server.address })
            }
            Err(source) if is_lost(&source) => {
                Err(ConnectError::Unreachable { database: server.address, source: source.into() })
            }
            Err(source) => Err(ConnectError::Migrate { database: server.address, source: source.into() }),
        }
    }

    /// Connects to a database whose tables were made before.
    pub async fn connect_existing(address: ServerAddress) -> Result<Self, ConnectError> {
        Self::open_as_it_is(address.clone()).await?;
        Self::connect(address).await
    }

    /// Connects to a database whose tables were made before, and leaves them in the form they have.
    pub async fn open_as_it_is(address: ServerAddress) -> Result<Self, ConnectError> {
        let server = Self::reached(address).await?;
        if tables::are_made(&server.connection).await {
            Ok(server)
        } else {
            Err(ConnectError::NoTables { database: server.address })
        }
    }

    /// Connects once, to say at once what is wrong with the address.
    async fn reached(address: ServerAddress) -> Result<Self, ConnectError> {
        let (database, ServerAddress(options)) = (address.to_string(), address);
        let options = with_limits(options);
        match timeout(LIMIT, PgConnection::connect_with(&options)).await {
            Ok(Ok(connection)) => drop(timeout(LIMIT, connection.close()).await),
            Ok(Err(error)) if is_refusal(&error) => {
                return Err(ConnectError::Refused { database, source: error.into() });
            }
            Ok(Err(error)) => return Err(ConnectError::Unreachable { database, source: error.into() }),
            Err(_) => {
                let source = NoAnswer { database: database.clone(), limit: LIMIT }.into();
                return Err(ConnectError::Unreachable { database, source });
            }
        }
        let last_failure = LastFailure::default();
        Ok(Self { connection: pool(options, &last_failure), address: database, last_failure })
    }

    /// Makes the tables under a lock: servers that start at the same time wait for each other.
    async fn prepare(&self) -> Result<(), DbErr> {
        if tables::are_up_to_date(&self.connection).await {
            return Ok(());
        }
        let prepare = async {
            let transaction = self.connection.begin().await?;
            let alone = format!(
                "SET LOCAL statement_timeout = {timeout}; SET LOCAL idle_in_transaction_session_timeout = {timeout}; \
                 SELECT pg_advisory_xact_lock({MIGRATION_LOCK})",
                timeout = MIGRATION.as_millis()
            );
            transaction.execute_unprepared(&alone).await?;
            tables::make_all(&transaction).await?;
            transaction.commit().await
        };
        timeout(MIGRATION, prepare).await.unwrap_or_else(|late| Err(DbErr::Custom(format!("no answer: {late}"))))
    }

    /// Runs the statements of a port within the time limit of callers, and converts their error into that of the port.
    pub async fn answer<T>(
        &self,
        port: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, PortError> {
        self.answer_within(LIMIT, port, work).await
    }

    /// Runs statements that take long, within a time limit of their own.
    pub async fn answer_within<T>(
        &self,
        limit: Duration,
        port: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, PortError> {
        // Dropped after the failure is noted: its connection is checked when it returns to the pool.
        pin!(work);
        let Ok(outcome) = timeout(limit, &mut work).await else {
            self.last_failure.note();
            return Err(PortError::unavailable(port, NoAnswer { database: self.address.clone(), limit }));
        };
        outcome.map_err(|error| {
            if is_lost(&error) {
                self.last_failure.note();
            }
            port_error(port)(error)
        })
    }

    /// Begins a transaction that reads everything as of one moment, without a time limit.
    pub async fn begin_snapshot(&self) -> Result<DatabaseTransaction, DbErr> {
        let (level, mode) = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
        let transaction = self.connection.begin_with_config(Some(level), Some(mode)).await?;
        transaction.execute_unprepared(PATIENT).await?;
        Ok(transaction)
    }

    /// Begins a transaction beside which nothing else writes. Tables are locked in the order in which servers lock rows of them.
    pub async fn begin_alone(&self) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.connection.begin().await?;
        transaction.execute_unprepared(PATIENT).await?;
        let lock = "LOCK TABLE customers, api_keys, usage_counts, process_counts, dataset_refreshes, datasets, \
                    entitlements, secrets IN EXCLUSIVE MODE";
        transaction.execute_unprepared(lock).await?;
        Ok(transaction)
    }

    /// Writes nothing, which a server that only reads refuses.
    pub async fn write_nothing(&self) -> Result<(), DbErr> {
        self.connection.execute_unprepared("UPDATE secrets SET value = value WHERE false").await.map(drop)
    }
}

/// Returns true if the server refused the connection, and will until its configuration changes.
fn is_refusal(error: &sqlx::Error) -> bool {
    match error {
        // Classes of SQLSTATE: 53 and 57 are those of a server that is full, starting or ending.
        sqlx::Error::Database(error) => error.code().is_none_or(|code| !["53", "57"].contains(&&code[..2])),
        sqlx::Error::Io(error) => error.kind() == io::ErrorKind::InvalidData && !is_untimely(error),
        sqlx::Error::Configuration(_) | sqlx::Error::Tls(_) => true,
        _ => false,
    }
}

/// Checks for a certificate that is not valid at this time: the clock of this machine or of the server's may be wrong.
fn is_untimely(error: &io::Error) -> bool {
    use CertificateError::{Expired, ExpiredContext, NotValidYet, NotValidYetContext};
    matches!(
        error.get_ref().and_then(|error| error.downcast_ref()),
        Some(rustls::Error::InvalidCertificate(
            Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. }
        ))
    )
}

/// Returns true if a connection was lost or could not be made: others may be broken, too.
fn is_lost(error: &DbErr) -> bool {
    let (DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return matches!(error, DbErr::ConnectionAcquire(_));
    };
    match &**error {
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| ["08", "53", "57"].contains(&code.get(..2).unwrap_or_default()))
        }
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Tls(_) => true,
        _ => false,
    }
}
