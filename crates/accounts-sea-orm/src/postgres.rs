//! The database on a PostgreSQL server, which any number of servers share.

use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};

use rustls::CertificateError;
use sea_orm::sqlx::Connection;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, IsolationLevel, RuntimeErr,
    SqlxPostgresConnector, TransactionTrait, sqlx,
};
use sports_ports::PortError;
use tokio::pin;
use tokio::time::{Instant, timeout};

use crate::failure::{cause, connection_cause, port_error};
use crate::{ConnectError, migrations};

/// The address of a PostgreSQL database with its credentials, read as `psql` reads it. Its printed form has no password.
#[derive(Clone)]
pub(crate) struct ServerAddress(pub PgConnectOptions);

/// The options that may follow the `?` of an address. Anything else is a mistake, and may be a secret: no message repeats it.
const OPTIONS: [&str; 13] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// The reason for which a password or user with the marks of addresses is refused.
const LOOSE_SIGN: &str = "write `/`, `@`, `?` and `#` in its user and password as %2F, %40, %3F and %23";

impl ServerAddress {
    /// Reads an address with the scheme `postgres` or `postgresql`.
    pub fn parse(address: &str) -> Result<Self, ConnectError> {
        let unusable = |source| ConnectError::NotAServer { source };
        let options = address.split_once('?').map_or("", |(_, options)| options);
        let names = options.split('&').filter_map(|option| option.split('=').next()).filter(|name| !name.is_empty());
        for name in names {
            if !OPTIONS.contains(&name) {
                let reason = format!("it has an option that is not one of {}", OPTIONS.join(", "));
                return Err(unusable(reason.into()));
            }
        }
        // Of a password with `/`, the rest would be the name of the database, which messages have.
        if address
            .split('?')
            .next()
            .is_some_and(|place| place.splitn(4, '/').nth(3).is_some_and(|name| name.contains('@')))
        {
            return Err(unusable(LOOSE_SIGN.into()));
        }
        PgConnectOptions::from_str(address).map(Self).map_err(|error| unusable(error.into()))
    }
}

/// Such as `the database sports on db.internal:5432`.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(options) = self;
        let name = options.get_database().unwrap_or(options.get_username());
        match options.get_socket() {
            Some(folder) => write!(f, "{name} on {}", folder.display()),
            None => write!(f, "{name} on {}:{}", options.get_host(), options.get_port()),
        }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerAddress({self})")
    }
}

/// The most connections that a node uses. PostgreSQL may have as many again for some seconds, which were abandoned in the
/// middle of a statement. Six nodes stay below the hundred that it takes by default.
const MOST: u32 = 8;

/// The longest time for a call of a port. Nothing else bounds it: a network can accept a request and never deliver the
/// reply.
const LIMIT: Duration = Duration::from_secs(3);

/// The longest time for the check of a connection, before it is used or kept.
const CHECK: Duration = Duration::from_millis(500);

/// The time for which a connection is used without a check.
const TRUSTED: Duration = Duration::from_secs(1);

/// The time after a failure in which each connection is checked before use.
const WARY: Duration = Duration::from_secs(10);

/// The last failure of the database. For some time after it, every connection is checked before it is used. A connection with an
/// outstanding reply is not kept: the reply could be taken for that of the next statement.
#[derive(Debug, Clone, Default)]
struct LastFailure(Arc<Mutex<Option<Instant>>>);

impl LastFailure {
    /// Notes a failure at this moment.
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_recent(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|at| at.elapsed() < WARY)
    }
}

/// Connections to a server, made when they are needed.
fn pool(options: PgConnectOptions, last_failure: &LastFailure) -> DatabaseConnection {
    let (before, after) = (last_failure.clone(), last_failure.clone());
    let pool = PgPoolOptions::new()
        .max_connections(MOST)
        .acquire_timeout(LIMIT)
        // With either limit the pool (sqlx 0.9.0) has a task that can spin for ever: see the connections of SQLite.
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .before_acquire(move |connection, idle| {
            let is_trusted = idle.idle_for < TRUSTED && !before.is_recent();
            Box::pin(async move {
                if !is_trusted {
                    answers(connection).await?;
                }
                Ok(true)
            })
        })
        .after_release(move |connection, _| {
            let is_wary = after.is_recent();
            Box::pin(async move {
                if is_wary {
                    expect_nothing_outstanding(connection).await?;
                }
                // What was dropped in the middle is rolled back by the time that this is answered.
                answers(connection).await?;
                Ok(true)
            })
        });
    SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_lazy_with(options))
}

/// Asks for a sign of life. A connection that gives none is closed without a word.
async fn answers(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    timeout(CHECK, connection.ping()).await.map_err(|_| sqlx::Error::PoolTimedOut)?
}

async fn expect_nothing_outstanding(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    timeout(Duration::ZERO, connection.flush()).await.map_err(|_| sqlx::Error::PoolTimedOut)?
}

/// Sets limits of the server for a connection: it stops statements that were abandoned, and detects clients that are gone.
fn with_limits(options: PgConnectOptions) -> PgConnectOptions {
    let limit = LIMIT.as_millis().to_string();
    options.options([
        ("statement_timeout", limit.as_str()),
        ("idle_in_transaction_session_timeout", limit.as_str()),
        ("tcp_user_timeout", "10000"),
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
    ])
}

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

/// Describes the lack of an answer within the time that callers wait.
fn no_answer(database: &str, limit: Duration) -> String {
    format!("{database} did not answer within {limit:?}")
}

impl PostgresServer {
    /// Connects to a database and makes its tables or brings them up to date.
    pub async fn connect(address: ServerAddress) -> Result<Self, ConnectError> {
        let server = Self::reached(address).await?;
        match server.prepare().await {
            Ok(()) => Ok(server),
            Err(_) if migrations::are_newer(&server.connection).await => {
                Err(ConnectError::Newer { database: server.address })
            }
            Err(source) if is_lost(&source) => {
                Err(ConnectError::Unreachable { database: server.address, source: cause(source) })
            }
            Err(source) => Err(ConnectError::Migrate { database: server.address, source: cause(source) }),
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
        if migrations::are_made(&server.connection).await {
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
                return Err(ConnectError::Refused { database, source: connection_cause(error) });
            }
            Ok(Err(error)) => return Err(ConnectError::Unreachable { database, source: connection_cause(error) }),
            Err(_) => {
                let source = no_answer(&database, LIMIT).into();
                return Err(ConnectError::Unreachable { database, source });
            }
        }
        let last_failure = LastFailure::default();
        Ok(Self { connection: pool(options, &last_failure), address: database, last_failure })
    }

    /// Makes the tables under a lock: servers that start at the same time wait for each other.
    async fn prepare(&self) -> Result<(), DbErr> {
        if migrations::are_up_to_date(&self.connection).await {
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
            migrations::make_all(&transaction).await?;
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
            return Err(PortError::unavailable(port, no_answer(&self.address, limit)));
        };
        outcome.map_err(|error| {
            if is_lost(&error) {
                self.last_failure.note();
            }
            port_error(port)(error)
        })
    }

    /// Begins a transaction that reads everything as of one moment, without a time limit.
    pub async fn begin_read(&self) -> Result<DatabaseTransaction, DbErr> {
        let (level, mode) = (IsolationLevel::RepeatableRead, AccessMode::ReadOnly);
        let transaction = self.connection.begin_with_config(Some(level), Some(mode)).await?;
        transaction.execute_unprepared(PATIENT).await?;
        Ok(transaction)
    }

    /// Begins a transaction beside which nothing else writes. Tables are locked in the order in which servers lock rows of them.
    pub async fn begin_serializable(&self) -> Result<DatabaseTransaction, DbErr> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_shown_by_host_port_and_name_and_never_with_a_password() {
        let table = [
            ("postgres://ann:hunter2@db.internal:6432/sports", "sports on db.internal:6432"),
            ("postgresql://ann:hunter2@db/sports?sslmode=verify-full", "sports on db:5432"),
            ("postgres://db/sports?user=ann&password=hunter2", "sports on db:5432"),
            ("postgres:///sports?host=/run/postgresql", "sports on /run/postgresql"),
        ];
        for (address, shown) in table {
            let address = ServerAddress::parse(address).expect(address);
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("hunter2"));
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_is_refused_without_repeating_a_password() {
        let table = [
            "postgres://ann:hunter2@db:port/sports",
            "postgres://ann:hunter2@db:99999/sports",
            "postgres://ann:p@ss/hunter2@db/sports",
            "postgres://ann:hunter2@db/sports?sslmode=always",
            "postgres://ann@db/sports?passwort=hunter2",
            "postgres://ann:hunter2@db/sports?pool_size=hunter2",
        ];
        for address in table {
            let refused = ServerAddress::parse(address).expect_err(address);
            let said = sports_ports::error_chain(&refused);
            assert!(
                refused.blames_the_address() && said.starts_with("the PostgreSQL address cannot be used"),
                "{said}"
            );
            assert!(!said.contains("hunter2") && !format!("{refused:?}").contains("hunter2"), "{said}");
        }
    }
}
