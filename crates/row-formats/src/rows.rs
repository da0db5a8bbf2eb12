use std::borrow::Cow;

use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::Value;

/// The cells of a row, column by column.
type Row<'t, 'a> = Box<dyn Iterator<Item = Option<&'t Value<Cow<'a, str>>>> + 't>;

/// Returns the rows of a table whose columns all have a value or a null in each of them.
pub fn rows<'t, 'a>(
    port: &'static str,
    columns: &'t [TableColumn<'a>],
) -> Result<impl Iterator<Item = Row<'t, 'a>>, PortError> {
    let length = columns.first().map_or(0, |column| column.values.len());
    if columns.iter().any(|column| column.values.len() != length) {
        return Err(PortError::corrupt(port, "columns of different lengths"));
    }
    Ok((0..length)
        .map(|row| -> Row<'t, 'a> { Box::new(columns.iter().map(move |column| column.values[row].as_ref())) }))
}
