use super::Table;
use crate::findings::Findings;
use crate::limits::{LONGEST_NAME, MOST_CELLS, MOST_COLUMNS, MOST_ROWS};

/// Returns true if the number of columns and the lengths of their names are within the limits; otherwise records a
/// problem.
pub(super) fn checked_columns<'n>(count: usize, names: impl Iterator<Item = &'n [u8]>, found: &mut Findings) -> bool {
    if count > MOST_COLUMNS {
        found.file(format!("at most {MOST_COLUMNS} columns; it has {count}"));
        return false;
    }
    let mut longest = names.map(<[u8]>::len).filter(|length| *length > LONGEST_NAME);
    longest.next().is_none_or(|length| {
        found.file(format!("names of columns of at most {LONGEST_NAME} bytes; one has {length}"));
        false
    })
}

/// Returns true if there is room for one more row; otherwise records a problem.
pub(super) fn has_room(table: &Table, found: &mut Findings) -> bool {
    let rows = table.numbers.len();
    let has_room = rows < MOST_ROWS && (rows + 1) * table.columns.len() <= MOST_CELLS;
    if !has_room {
        found.file(format!("at most {MOST_ROWS} rows and {MOST_CELLS} cells in all"));
    }
    has_room
}
