use std::ops::Range;

/// Texts one after the other, each with one separating byte behind it.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    text: &'a [u8],
    starts: &'a [usize],
}

impl<'a> Rows<'a> {
    /// `starts` says where each row begins in `text`, and after the last where a next one would.
    #[must_use]
    pub const fn new(text: &'a [u8], starts: &'a [usize]) -> Self {
        Self { text, starts }
    }

    /// How many there are.
    pub(crate) const fn len(self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows of a range, separated.
    pub(crate) fn slice(self, range: &Range<usize>) -> &'a [u8] {
        if range.is_empty() { &[] } else { &self.text[self.starts[range.start]..self.starts[range.end] - 1] }
    }

    /// A row.
    pub(crate) fn row(self, index: usize) -> &'a [u8] {
        self.slice(&(index..index + 1))
    }

    /// All of them.
    pub(crate) const fn text(self) -> &'a [u8] {
        self.text
    }

    /// Where a row begins.
    pub(crate) fn start(self, row: usize) -> usize {
        self.starts[row]
    }

    /// Where a row is, with the separator before it if there is one.
    pub(crate) fn with_separator(self, row: usize) -> Range<usize> {
        self.starts[row].saturating_sub(1)..self.starts[row + 1] - 1
    }

    /// Rows from which to learn how all of them are: some hundred, from everywhere.
    pub(crate) fn samples(self) -> impl Iterator<Item = usize> {
        (1..self.len()).step_by(self.len().div_ceil(512).max(1))
    }
}
