mod csv;
mod json;
mod parquet;

use std::borrow::Cow;
use std::path::Path;

use ::bytes::Bytes;
use sports_publication::Value;

use crate::findings::Findings;
use crate::limits::{LONGEST_NAME, MOST_CELLS, MOST_COLUMNS, MOST_ROWS};

/// The rows and cells of a file, independent of its format, so that every rule is written once.
///
/// All text is kept in one buffer: a season has a hundred thousand cells, too many for an allocation each.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<String>,
    numbers: Vec<usize>,
    cells: Vec<Stored>,
    text: String,
}

/// One cell, trimmed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InputCell<'t> {
    Empty,
    /// Text from a format without types: a number, a date or a text.
    Written(&'t str),
    /// A value from a format with types. Numbers may be infinite; NaN is read as a missing value.
    Typed(Value<&'t str>),
}

#[derive(Debug, Clone, Copy)]
enum Stored {
    Plain(InputCell<'static>),
    Written { start: usize, end: usize },
    Text { start: usize, end: usize },
}

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
        match self {
            Self::Csv => csv::read(&bytes, found),
            Self::Json => json::read(&bytes, found),
            Self::Parquet => parquet::read(bytes, found),
        }
    }
}

/// Returns true if the number of columns and the lengths of their names are within the limits; otherwise records a
/// problem.
fn checked_columns<'n>(count: usize, names: impl Iterator<Item = &'n [u8]>, found: &mut Findings) -> bool {
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

/// Strips the UTF-8 byte order mark.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

impl Table {
    fn with_columns(columns: Vec<String>) -> Self {
        Self { columns, ..Self::default() }
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns true if the table has neither columns nor rows, such as an empty JSON list.
    pub(crate) const fn is_blank(&self) -> bool {
        self.columns.is_empty() && self.numbers.is_empty()
    }

    pub(crate) const fn has_rows(&self) -> bool {
        !self.numbers.is_empty()
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.numbers.len()).map(|index| Row { table: self, index })
    }

    /// Returns true if there is room for another row; otherwise records a problem.
    fn has_room(&self, found: &mut Findings) -> bool {
        let rows = self.numbers.len();
        let has_room = rows < MOST_ROWS && (rows + 1) * self.columns.len() <= MOST_CELLS;
        if !has_room {
            found.file(format!("at most {MOST_ROWS} rows and {MOST_CELLS} cells in all"));
        }
        has_room
    }

    /// Stores a text, trimmed; `None` if it is blank.
    fn keep(&mut self, text: &str) -> Option<(usize, usize)> {
        let text = text.trim();
        let start = self.text.len();
        self.text.push_str(text);
        (!text.is_empty()).then_some((start, self.text.len()))
    }

    fn written(&mut self, text: &str) -> Stored {
        self.keep(text).map_or(Stored::EMPTY, |(start, end)| Stored::Written { start, end })
    }

    fn text(&mut self, text: &str) -> Stored {
        self.keep(text).map_or(Stored::EMPTY, |(start, end)| Stored::Text { start, end })
    }
}

impl Stored {
    const EMPTY: Self = Self::Plain(InputCell::Empty);
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'t> {
    table: &'t Table,
    index: usize,
}

impl<'t> Row<'t> {
    /// Returns the row number as a publisher counts: the header is row 1; in JSON, which has no header, the first
    /// object is row 1.
    pub(crate) fn number(self) -> usize {
        self.table.numbers[self.index]
    }

    pub(crate) fn cell(self, column: usize) -> InputCell<'t> {
        match self.table.cells[self.index * self.table.columns.len() + column] {
            Stored::Plain(cell) => cell,
            Stored::Written { start, end } => InputCell::Written(&self.table.text[start..end]),
            Stored::Text { start, end } => InputCell::Typed(Value::Text(&self.table.text[start..end])),
        }
    }

    /// Returns the name of a column.
    pub(crate) fn column(self, column: usize) -> &'t str {
        &self.table.columns[column]
    }
}

impl<'t> InputCell<'t> {
    pub(crate) const fn is_empty(self) -> bool {
        matches!(self, Self::Empty)
    }

    /// Returns the cell as text; `None` if it is empty.
    pub(crate) fn written(self) -> Option<Cow<'t, str>> {
        match self {
            Self::Empty => None,
            Self::Written(text) => Some(Cow::Borrowed(text)),
            Self::Typed(value) => Some(value.written()),
        }
    }
}
