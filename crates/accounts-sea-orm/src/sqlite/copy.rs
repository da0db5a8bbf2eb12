use std::fs::File;
use std::path::Path;

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};
use sports_ports::PortError;

use super::SqliteFile;
use crate::failure::{PORT, port_error};

impl SqliteFile {
    /// Writes the database as it is at this moment into an empty file or a new one, also while it is being written
    /// to.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when it cannot be read, or the file cannot be written.
    pub async fn copy_into(&self, file: &Path) -> Result<(), PortError> {
        let path = file.to_str().ok_or_else(|| PortError::unavailable(PORT, "the name of the copy is not Unicode"))?;
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
        self.readers().execute_raw(copy).await.map_err(port_error(PORT))?;
        // SQLite leaves it to the system when a copy reaches the disk.
        File::open(file).and_then(|copy| copy.sync_all()).map_err(|source| PortError::unavailable(PORT, source))
    }

    /// Reads all of the file and checks that it is whole.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] with what is wrong, [`PortError::Unavailable`] when it cannot be read.
    pub async fn check(&self) -> Result<(), PortError> {
        self.check_pages("integrity_check").await?;
        let orphans = self.query("PRAGMA foreign_key_check".to_owned()).await?;
        if orphans.is_empty() { Ok(()) } else { Err(PortError::corrupt(PORT, "rows refer to rows that are not there")) }
    }

    /// Has SQLite check the pages of the file by one of its ways of doing so, up to the first that is wrong.
    pub(super) async fn check_pages(&self, check: &str) -> Result<(), PortError> {
        let found = self.query(format!("PRAGMA {check}(1)")).await?;
        let found = found.first().map(|row| row.try_get_by_index::<String>(0)).transpose().map_err(port_error(PORT))?;
        match found.as_deref() {
            Some("ok") => Ok(()),
            trouble => Err(PortError::corrupt(PORT, trouble.unwrap_or("it cannot be checked").to_owned())),
        }
    }

    async fn query(&self, pragma: String) -> Result<Vec<QueryResult>, PortError> {
        self.readers().query_all_raw(Statement::from_string(DbBackend::Sqlite, pragma)).await.map_err(port_error(PORT))
    }
}
