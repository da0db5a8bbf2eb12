//! Rows as JSON.

use sports_publication::season_table::{ArchiveColumn, GradedGame, InRows};

use crate::json_value::write_json_value;

/// A column with its name as a JSON key, colon included.
pub struct JsonColumn<'a> {
    column: &'a ArchiveColumn,
    key: Vec<u8>,
    left_out_where_null: bool,
}

impl<'a> From<&'a ArchiveColumn> for JsonColumn<'a> {
    fn from(column: &'a ArchiveColumn) -> Self {
        let mut key = serde_json::Value::from(column.name()).to_string().into_bytes();
        key.push(b':');
        let left_out_where_null = matches!(column, ArchiveColumn::Known(column) if column.in_rows == InRows::OrLeftOut);
        Self { column, key, left_out_where_null }
    }
}

/// Writes a game as an object.
pub fn write_row(columns: &[JsonColumn<'_>], game: &GradedGame<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for JsonColumn { column, key, left_out_where_null } in columns {
        let value = column.served_value(game);
        if value.is_none() && *left_out_where_null {
            continue;
        }
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        out.extend_from_slice(key);
        write_json_value(value, out);
    }
    out.push(b'}');
}
