use std::ops::Range;

use ::csv_core::{ReadRecordResult, Reader};

/// A reader of comma-separated records that reuses one buffer.
pub(super) struct Records<'b> {
    reader: Reader,
    rest: &'b [u8],
    /// The cells of the current record, concatenated.
    text: Vec<u8>,
    /// The end of each cell in `text`.
    ends: Vec<usize>,
    cells: usize,
}

/// The error for a record with more cells than a table has columns. Excess cells are counted, not stored, since commas
/// alone could fill the memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyCells(pub(super) usize);

impl<'b> Records<'b> {
    /// Creates a reader of records with at most `cells` cells.
    pub(super) fn with_max_cells(cells: usize, bytes: &'b [u8]) -> Self {
        // One slot more distinguishes a full record from one with too many cells.
        Self { reader: Reader::new(), rest: bytes, text: vec![0; 1 << 10], ends: vec![0; cells + 1], cells: 0 }
    }

    /// Returns the number of unread bytes.
    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next record; returns false at the end of the input.
    pub(super) fn read(&mut self) -> Result<bool, TooManyCells> {
        let (mut written, mut counted) = (0, 0);
        self.cells = 0;
        loop {
            let (text, ends) = (&mut self.text[written..], &mut self.ends[self.cells..]);
            let (read, consumed, wrote, ended) = self.reader.read_record(self.rest, text, ends);
            self.rest = &self.rest[consumed..];
            written += wrote;
            self.cells += ended;
            match read {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(self.text.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => (counted, self.cells) = (counted + self.cells, 0),
                ReadRecordResult::Record if counted + self.cells >= self.ends.len() => {
                    return Err(TooManyCells(counted + self.cells));
                }
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Returns the number of cells in the record.
    pub(super) const fn len(&self) -> usize {
        self.cells
    }

    /// Returns true if every cell is empty.
    pub(super) fn is_blank(&self) -> bool {
        self.ends[..self.cells].last().is_none_or(|end| *end == 0)
    }

    /// Returns the cells of the record.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges().map(|range| &self.text[range])
    }

    /// Returns the cells of the record as text; `None` for a cell that is not UTF-8.
    pub(super) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        let end = self.ends[..self.cells].last().copied().unwrap_or_default();
        // One check of the whole record is faster than a check per cell.
        let whole = std::str::from_utf8(&self.text[..end]).ok();
        self.ranges().map(move |range| match whole {
            Some(whole) => whole.get(range),
            None => std::str::from_utf8(&self.text[range]).ok(),
        })
    }

    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = &self.ends[..self.cells];
        std::iter::once(0).chain(ends.iter().copied()).zip(ends.iter().copied()).map(|(start, end)| start..end)
    }
}
