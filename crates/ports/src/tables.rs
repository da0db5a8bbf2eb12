//! Rows as a file that other programs open.

use bytes::Bytes;

use crate::PortError;

/// One column of a table, a missing value for a row being `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// Its values, one a row.
    pub values: ColumnValues,
}

/// The values of a column, all of one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValues {
    /// True or false.
    Flags(Vec<Option<bool>>),
    /// Whole numbers.
    Integers(Vec<Option<i64>>),
    /// Floating numbers.
    Numbers(Vec<Option<f64>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

/// A file format for tables.
///
/// # Contract
///
/// - Columns keep their order, names and values; columns of different lengths are
///   [`PortError::Corrupt`].
///
/// There is no suite in the test kit: a table is written and never read back by us, so its format's own reader holds it
/// to this, in the tests of the one implementation.
pub trait TableFormat: Send + Sync {
    /// Writes a table.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when the columns make no table.
    fn encode(&self, columns: Vec<TableColumn>) -> Result<Bytes, PortError>;
}
