//! The formats of tables: CSV, JSON and Parquet.

mod csv;
mod json;
mod parquet;

use std::borrow::Cow;
use std::path::Path;

use bytes::Bytes;

use crate::findings::Findings;
use crate::table::{LONGEST_NAME, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, NO_KEY, Table};

pub use csv::LineCounter;

/// The format of a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Json,
    Parquet,
}

impl Format {
    pub(crate) fn from_extension(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Reads a table; records a problem and returns `None` if its rows cannot be checked.
    pub(crate) fn read(self, bytes: Bytes, found: &mut Findings) -> Option<Table> {
        let table = match self {
            Self::Csv => csv::read(&bytes, found),
            Self::Json => json::read(&bytes, found),
            Self::Parquet => parquet::read(bytes, found),
        };
        if table.as_ref().is_some_and(Table::has_key) {
            found.file(NO_KEY);
            return None;
        }
        table
    }
}

/// Returns true if the number of columns and the lengths of their names are within the limits; otherwise records a
/// problem.
fn checked_columns<'n>(count: usize, names: impl Iterator<Item = &'n [u8]>, found: &mut Findings) -> bool {
    if count > MOST_COLUMNS {
        found.file(format!("at most {MOST_COLUMNS} columns; it has {count}"));
        return false;
    }
    let mut longest = names.map(<[u8]>::len).filter(|length| *length > LONGEST_NAME);
    longest.next().is_none_or(|length| {
        found.file(format!("names of columns of at most {LONGEST_NAME} bytes; one has {length}"));
        false
    })
}

/// Returns true if there is room for one more row; otherwise records a problem.
fn has_room(table: &Table, found: &mut Findings) -> bool {
    let rows = table.numbers.len();
    let has_room = rows < MOST_ROWS && (rows + 1) * table.columns.len() <= MOST_CELLS;
    if !has_room {
        found.file(format!("at most {MOST_ROWS} rows and {MOST_CELLS} cells in all"));
    }
    has_room
}

/// The columns and rows of a Parquet file of another source, within the limits of a release.
#[derive(Debug)]
pub struct ParquetTable(Table);

impl ParquetTable {
    /// Reads a Parquet file.
    ///
    /// # Errors
    ///
    /// The expected form, if the file is damaged, too large, or has columns of lists.
    pub fn read(bytes: Bytes) -> Result<Self, String> {
        let mut found = Findings::in_file("");
        Format::Parquet.read(bytes, &mut found).map(Self).ok_or_else(|| {
            let expected = found.problems.first().map(|problem| match &problem.column {
                Some(column) => format!("{} in column {column}", problem.expected),
                None => problem.expected.clone(),
            });
            expected.unwrap_or_default()
        })
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        self.0.columns()
    }

    /// Returns the cells of a row as texts; dates and times have the ISO form. `None` after the last row.
    pub fn row(&self, index: usize) -> Option<impl Iterator<Item = Cow<'_, str>>> {
        let row = self.0.row(index)?;
        Some((0..self.columns().len()).map(move |column| row.cell(column).written().unwrap_or_default()))
    }
}
