use std::borrow::Cow;

use bytes::Bytes;

use crate::findings::Findings;
use crate::table::{Format, Table};

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
