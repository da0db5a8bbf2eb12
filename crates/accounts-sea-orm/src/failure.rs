use std::error::Error;

use sea_orm::sqlx::{self, error::DatabaseError, postgres::PgDatabaseError};
use sea_orm::{DbErr, RuntimeErr};
use sports_ports::PortError;

/// The name of the port in errors that concern the whole database.
pub(crate) const PORT: &str = "accounts database";

/// Converts the error of a statement into that of a port.
pub(crate) fn port_error(port: &'static str) -> impl Fn(DbErr) -> PortError {
    move |error| {
        if is_unreadable(&error) { PortError::corrupt(port, error) } else { PortError::unavailable(port, cause(error)) }
    }
}

/// Boxes an error of a statement, of PostgreSQL's only the message: the driver appends a line number of the server's own source.
pub(crate) fn cause(error: DbErr) -> Box<dyn Error + Send + Sync> {
    driver_error(&error).and_then(said_by_server).map_or_else(|| error.into(), Into::into)
}

/// Boxes an error of a connection in the same way.
pub(crate) fn connection_cause(error: sqlx::Error) -> Box<dyn Error + Send + Sync> {
    said_by_server(&error).map_or_else(|| error.into(), Into::into)
}

fn said_by_server(error: &sqlx::Error) -> Option<String> {
    let said = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
    Some(said.message().to_owned())
}

fn driver_error(error: &DbErr) -> Option<&sqlx::Error> {
    let (DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return None;
    };
    Some(error)
}

/// Returns true if the database returned a value of another type than was stored.
fn is_unreadable(error: &DbErr) -> bool {
    match error {
        DbErr::Type(_) | DbErr::Json(_) | DbErr::TryIntoErr { .. } => true,
        DbErr::Query(RuntimeErr::SqlxError(error)) => {
            matches!(**error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_))
        }
        _ => false,
    }
}

/// Returns true if another connection holds a lock that the statement needed.
pub(crate) fn is_locked(error: &DbErr) -> bool {
    const BUSY: u32 = 5;
    sqlite_code(error) == Some(BUSY)
}

/// Returns true if the file is not as SQLite wrote it.
pub(crate) fn is_damaged(error: &DbErr) -> bool {
    const CORRUPT: u32 = 11;
    sqlite_code(error) == Some(CORRUPT)
}

/// Returns true if the disk has no room for a write, or for the index of the log.
pub(crate) fn is_full(error: &DbErr) -> bool {
    const FULL: u32 = 13;
    const IOERR_WRITE: u32 = 0x030A;
    const IOERR_SHMSIZE: u32 = 0x130A;
    matches!(extended_code(error), Some(FULL | IOERR_WRITE | IOERR_SHMSIZE))
}

/// Returns SQLite's primary result code.
fn sqlite_code(error: &DbErr) -> Option<u32> {
    extended_code(error).map(|code| code & 0xff)
}

fn extended_code(error: &DbErr) -> Option<u32> {
    let code = driver_error(error)?.as_database_error().and_then(DatabaseError::code)?;
    code.parse().ok()
}
