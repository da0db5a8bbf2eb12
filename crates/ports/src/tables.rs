//! Rows as a file that other programs open.

use std::borrow::Cow;

use bytes::Bytes;
use sports_publication::{Value, ValueKind};

use crate::PortError;

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// What its values are, also where it has none. A text format needs no kind: it writes each value as it is.
    pub kind: ValueKind,
    /// Its values, one a row; `None` for a missing one.
    pub values: Vec<Option<Value<Cow<'a, str>>>>,
}

/// A file format for tables.
///
/// # Contract
///
/// - Columns keep their order, names and values, and a missing value stays missing.
/// - Columns of different lengths are [`PortError::Corrupt`].
/// - A table may have no rows.
pub trait TableFormat: Send + Sync {
    /// Writes a table.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when the columns make no table.
    fn encode(&self, columns: Vec<TableColumn<'_>>) -> Result<Bytes, PortError>;
}
