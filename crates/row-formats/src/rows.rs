use std::borrow::Cow;

use sports_ports::PortError;
use sports_ports::tables::{ColumnHead, TableColumn};
use sports_publication::Value;

/// The cells of a row, column by column.
type Row<'t, 'a> = Box<dyn Iterator<Item = Option<&'t Value<Cow<'a, str>>>> + 't>;

/// Returns the rows of a part of a table with these heads, whose columns all have a value or a null in each of them.
pub fn rows<'t, 'a>(
    port: &'static str,
    heads: &[ColumnHead],
    columns: &'t [TableColumn<'a>],
) -> Result<impl Iterator<Item = Row<'t, 'a>>, PortError> {
    if !heads.iter().map(|head| head.name.as_str()).eq(columns.iter().map(|column| column.name)) {
        return Err(PortError::corrupt(port, "a part with other columns than its table"));
    }
    let length = columns.first().map_or(0, |column| column.values.len());
    if columns.iter().any(|column| column.values.len() != length) {
        return Err(PortError::corrupt(port, "columns of different lengths"));
    }
    Ok((0..length)
        .map(|row| -> Row<'t, 'a> { Box::new(columns.iter().map(move |column| column.values[row].as_ref())) }))
}
