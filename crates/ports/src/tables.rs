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
    /// [`PortError::Corrupt`] if the columns do not form a table.
    fn encode(&self, columns: Vec<TableColumn<'_>>) -> Result<Bytes, PortError>;
}
