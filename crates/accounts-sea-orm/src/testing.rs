//! Databases as other programs, or older ones, leave them.

use std::path::Path;
use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use sports_ports::PortError;

use crate::failure::{PORT, port_error};

/// Runs SQL statements on the database in a file, whatever they do to it.
///
/// # Errors
///
/// [`PortError`] when there is no such file, or it does not take them.
pub async fn change(file: &Path, statements: &str) -> Result<(), PortError> {
    let database = Database::connect(format!("sqlite:{}", file.display())).await.map_err(port_error(PORT))?;
    database.execute_unprepared(statements).await.map_err(port_error(PORT))?;
    database.close().await.map_err(port_error(PORT))
}

/// Keeps every other connection from writing to the database in a file for so long, once it is this program's turn.
///
/// # Errors
///
/// [`PortError`] when there is no such file, or its turn does not come.
pub async fn lock(file: &Path, time: Duration) -> Result<(), PortError> {
    let mut one = ConnectOptions::new(format!("sqlite:{}", file.display()));
    one.max_connections(1);
    let database = Database::connect(one).await.map_err(port_error(PORT))?;
    database.execute_unprepared("BEGIN IMMEDIATE").await.map_err(port_error(PORT))?;
    tokio::time::sleep(time).await;
    database.execute_unprepared("ROLLBACK").await.map_err(port_error(PORT))?;
    database.close().await.map_err(port_error(PORT))
}
