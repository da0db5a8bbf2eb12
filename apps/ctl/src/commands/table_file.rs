//! A new file with a table, in the format of its name's ending.

use std::fmt;
use std::path::Path;

use sports_ports::tables::{TableColumn, TableFormat};
use sports_tables::archive::ParquetArchives;
use sports_tables::{CsvTables, NdjsonTables};

use crate::failure::Failure;
use crate::whole_file;

/// A file that does not exist yet, and the writer of its format.
pub struct TableFile<'a> {
    path: &'a Path,
    format: Box<dyn TableFormat>,
}

impl<'a> TableFile<'a> {
    /// Checks the name of a file.
    pub fn new(path: &'a Path) -> Result<Self, Failure> {
        let format: Box<dyn TableFormat> = match path.extension().and_then(|ending| ending.to_str()) {
            Some("parquet") => Box::new(ParquetArchives),
            Some("csv") => Box::new(CsvTables),
            Some("ndjson") => Box::new(NdjsonTables),
            _ => {
                return Err(Failure::bad_input(format!(
                    "--out {} must end with .parquet, .csv or .ndjson",
                    path.display()
                )));
            }
        };
        if path.try_exists().map_err(Failure::other)? {
            return Err(Failure::bad_input(format!("{} exists already: name a new file", path.display())));
        }
        Ok(Self { path, format })
    }

    /// Returns the name for messages.
    pub fn name(&self) -> impl fmt::Display {
        self.path.display()
    }

    /// Writes the table, all of it or nothing.
    pub fn write(&self, table: Vec<TableColumn<'_>>) -> Result<(), Failure> {
        let bytes = self.format.encode(table).map_err(Failure::other)?;
        whole_file::write(self.path, &bytes).map_err(Failure::other)
    }
}
