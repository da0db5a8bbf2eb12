//! Databases as other programs, or older ones, leave them.

use std::path::Path;

use sea_orm::{ConnectionTrait, Database};
use sports_ports::PortError;

use crate::database::PORT;
use crate::failure::port_error;

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
