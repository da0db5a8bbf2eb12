//! Tables as files for other programs.

use std::borrow::Cow;

use bytes::Bytes;
use sports_publication::{Value, ValueKind};

use crate::PortError;

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableColumn<'a> {
    /// The column's name.
    pub name: &'a str,
    /// The kind of the values, even if all are missing. Text formats ignore it and write each value by itself.
    pub kind: ValueKind,
    /// The values, one per row; `None` for a missing value.
    pub values: Vec<Option<Value<Cow<'a, str>>>>,
}

/// The name and the kind of a column, without values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnHead {
    /// The column's name.
    pub name: String,
    /// The kind of the values.
    pub kind: ValueKind,
}

/// A file format for tables.
///
/// # Contract
///
/// - Columns keep their order, names and values, and a missing value stays missing.
/// - Columns of different lengths, and parts with other columns than the heads, are [`PortError::Corrupt`].
/// - A table may have no rows.
/// - A table written in parts has the rows of its parts below each other.
pub trait TableFormat: Send + Sync {
    /// Begins a table with these columns.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if there is no such table.
    fn begin(&self, heads: &[ColumnHead]) -> Result<Box<dyn TableParts>, PortError>;

    /// Writes a table.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the columns do not form a table.
    fn encode(&self, columns: Vec<TableColumn<'_>>) -> Result<Bytes, PortError> {
        let head = |column: &TableColumn<'_>| ColumnHead { name: column.name.to_owned(), kind: column.kind };
        let mut parts = self.begin(&columns.iter().map(head).collect::<Vec<_>>())?;
        parts.add(columns)?;
        parts.finish()
    }
}

/// A table that is written part by part, so that only one part at a time is in memory as columns.
pub trait TableParts: Send {
    /// Adds rows: the columns of the table, in its order.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if these are not the columns of the table.
    fn add(&mut self, columns: Vec<TableColumn<'_>>) -> Result<(), PortError>;

    /// Returns the file.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the table cannot be written.
    fn finish(self: Box<Self>) -> Result<Bytes, PortError>;
}
