use std::borrow::Cow;
use std::path::Path;

use sports_accounts::has_key;
use sports_domain::trim_blanks;
use sports_publication::Value;

/// The rows and cells of a file, independent of its format, so that every rule is written once.
///
/// All text is kept in one buffer: a season has a hundred thousand cells, too many for an allocation each.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) numbers: Vec<usize>,
    pub(crate) cells: Vec<Stored>,
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
pub(crate) enum Stored {
    Plain(InputCell<'static>),
    Written { start: usize, end: usize },
    Text { start: usize, end: usize },
}

/// Strips the UTF-8 byte order mark.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Returns true for text in UTF-16, which spreadsheets call Unicode text: by its mark, or by the zero of a first letter.
pub(crate) fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [_, 0, ..] | [0, _, ..])
}

/// The expected form of text in UTF-16.
pub(crate) const NOT_UTF16: &str = "text in UTF-8; this is UTF-16: save the sheet as CSV UTF-8";

/// Returns the separator that the first line of a spreadsheet's export names, as `sep=;` does, and the rest.
pub(crate) fn named_separator(text: &[u8]) -> Option<(u8, &[u8])> {
    let (separator, rest) = text.strip_prefix(b"sep=")?.split_first()?;
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    Some((*separator, rest.strip_prefix(b"\n")?))
}

impl Table {
    pub(crate) fn with_columns(columns: Vec<String>) -> Self {
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

    pub(crate) fn row(&self, index: usize) -> Option<Row<'_>> {
        (index < self.numbers.len()).then_some(Row { table: self, index })
    }

    /// Returns true if a whole API key is in a text or in the name of a column.
    pub(crate) fn has_key(&self) -> bool {
        has_key(&self.text) || self.columns.iter().any(|name| has_key(name))
    }

    /// Stores a text, trimmed; `None` if it is blank.
    fn keep(&mut self, text: &str) -> Option<(usize, usize)> {
        let text = trim_blanks(text);
        let start = self.text.len();
        self.text.push_str(text);
        (!text.is_empty()).then_some((start, self.text.len()))
    }

    pub(crate) fn written(&mut self, text: &str) -> Stored {
        self.keep(text).map_or(Stored::EMPTY, |(start, end)| Stored::Written { start, end })
    }

    pub(crate) fn text(&mut self, text: &str) -> Stored {
        self.keep(text).map_or(Stored::EMPTY, |(start, end)| Stored::Text { start, end })
    }
}

impl Stored {
    pub(crate) const EMPTY: Self = Self::Plain(InputCell::Empty);
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

/// The expected form of a file with an API key in a text: what is on record is public for good.
pub(crate) const NO_KEY: &str =
    "no API key in it, which is a secret: leave it out, and revoke the key if others have read it";

// Size limits for files from publishers. Each limit is at least ten times the size of the largest leagues' files; a
// larger file is a mistake or an attack, and is reported instead of filling the memory.

/// Maximum size of one table, in bytes.
pub(crate) const LARGEST_FILE: u64 = 32 << 20;

/// Maximum size of a JSON file, in bytes; JSON files hold the games of one slate.
pub(crate) const LARGEST_JSON: u64 = 8 << 20;

/// Maximum size of all files of a release together, in bytes.
pub(crate) const LARGEST_RELEASE: u64 = 256 << 20;

/// Maximum number of rows of a table, incomplete rows included.
pub(crate) const MOST_ROWS: usize = 50_000;

/// Maximum number of columns of a table.
pub(crate) const MOST_COLUMNS: usize = 1_000;

/// Maximum number of cells of a table.
pub(crate) const MOST_CELLS: usize = 4_000_000;

/// Maximum length of a column name, in bytes.
pub(crate) const LONGEST_NAME: usize = 200;

/// Maximum length of a cell, in bytes.
pub(crate) const LONGEST_CELL: usize = 16 << 10;

/// Maximum number of problems recorded per file.
pub(crate) const MOST_FINDINGS: usize = 10_000;

/// Maximum number of warnings recorded per file; each is compared with the others.
pub(crate) const MOST_WARNINGS: usize = 1_000;

/// Returns the size limit of a file with this name, in bytes.
pub(crate) fn largest(path: &Path) -> u64 {
    if path.extension().is_some_and(|ending| ending == "json") { LARGEST_JSON } else { LARGEST_FILE }
}
