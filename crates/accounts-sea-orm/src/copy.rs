use std::fs::File;
use std::path::Path;

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sports_ports::PortError;

use crate::AccountsDatabase;
use crate::database::PORT;
use crate::failure::port_error;

impl AccountsDatabase {
    /// Writes the database as it is at this moment into an empty file or a new one, whoever else is writing to it.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when it cannot be read, or the file cannot be written.
    pub async fn copy_into(&self, file: &Path) -> Result<(), PortError> {
        let path = file.to_str().ok_or_else(|| PortError::unavailable(PORT, "the name of the copy is not Unicode"))?;
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
        self.connection.execute_raw(copy).await.map_err(port_error(PORT))?;
        // SQLite leaves it to the system when a copy reaches the disk.
        File::open(file).and_then(|copy| copy.sync_all()).map_err(|source| PortError::unavailable(PORT, source))
    }

    /// Reads all of the file and checks that it is whole.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] with what is wrong, [`PortError::Unavailable`] when it cannot be read.
    pub async fn check(&self) -> Result<(), PortError> {
        let ask = |pragma: &str| self.connection.query_all_raw(Statement::from_string(DbBackend::Sqlite, pragma));
        let found = ask("PRAGMA integrity_check(1)").await.map_err(port_error(PORT))?;
        let found = found.first().map(|row| row.try_get_by_index::<String>(0)).transpose().map_err(port_error(PORT))?;
        match found.as_deref() {
            Some("ok") => {}
            trouble => return Err(PortError::corrupt(PORT, trouble.unwrap_or("it cannot be checked").to_owned())),
        }
        let orphans = ask("PRAGMA foreign_key_check").await.map_err(port_error(PORT))?;
        if orphans.is_empty() { Ok(()) } else { Err(PortError::corrupt(PORT, "rows refer to rows that are not there")) }
    }
}
