//! Rows as CSV.

use std::borrow::Cow;

use bytes::Bytes;
use sports_domain::escaped_for_spreadsheets;
use sports_publication::Value;
use sports_publication::season_table::{ArchiveColumn, GradedGame};

/// A header, then a line a game.
pub fn write<'a>(columns: &[ArchiveColumn], games: impl Iterator<Item = GradedGame<'a>>) -> Result<Bytes, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| escaped_for_spreadsheets(column.name()).as_bytes().to_vec()))?;
    for game in games {
        for column in columns {
            writer.write_field(cell(column.served_value(&game)).as_bytes())?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.into_inner().map(Bytes::from).map_err(|error| error.into_error().into())
}

/// A missing value is an empty cell, and no text is a formula.
fn cell(value: Option<Value<&str>>) -> Cow<'_, str> {
    match value {
        None => Cow::Borrowed(""),
        Some(Value::Text(text)) => escaped_for_spreadsheets(text),
        Some(other) => other.written(),
    }
}
