use std::path::Path;

use bytes::Bytes;

use super::{Table, csv, json, parquet};
use crate::findings::Findings;

/// The expected form of a file with an API key in a text: what is on record is public for good.
pub(crate) const NO_KEY: &str =
    "no API key in it, which is a secret: leave it out, and revoke the key if others have read it";

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
