use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sea_orm::sqlx::{self, Connection};
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};
use tokio::time::{Instant, timeout};

/// The most connections that a node uses. PostgreSQL may have as many again for some seconds, which were abandoned in the
/// middle of a statement. Six nodes stay below the hundred that it takes by default.
const MOST: u32 = 8;

/// The longest time for a call of a port. Nothing else bounds it: a network can accept a request and never deliver the
/// reply.
pub(super) const LIMIT: Duration = Duration::from_secs(3);

/// The longest time for the check of a connection, before it is used or kept.
const CHECK: Duration = Duration::from_millis(500);

/// The time for which a connection is used without a check.
const TRUSTED: Duration = Duration::from_secs(1);

/// The time after a failure in which each connection is checked before use.
const WARY: Duration = Duration::from_secs(10);

/// The last failure of the database. For some time after it, every connection is checked before it is used. A connection with an
/// outstanding reply is not kept: the reply could be taken for that of the next statement.
#[derive(Debug, Clone, Default)]
pub(super) struct LastFailure(Arc<Mutex<Option<Instant>>>);

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
pub(super) fn pool(options: PgConnectOptions, last_failure: &LastFailure) -> DatabaseConnection {
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
pub(super) fn with_limits(options: PgConnectOptions) -> PgConnectOptions {
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
