use std::ops::Range;

use ::csv_core::{ReadRecordResult, Reader};

/// The records of comma-separated values, one after the other in the same memory.
pub(super) struct Records<'b> {
    reader: Reader,
    rest: &'b [u8],
    /// The cells of the record, one after the other.
    text: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
    cells: usize,
}

/// A record with more cells than a table has columns: its commas alone could fill the memory, so they are counted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyCells(pub(super) usize);

impl<'b> Records<'b> {
    /// Reads records of at most so many cells.
    pub(super) fn of_at_most(cells: usize, bytes: &'b [u8]) -> Self {
        // One more than that tells a record that has them all from one that has more.
        Self { reader: Reader::new(), rest: bytes, text: vec![0; 1 << 10], ends: vec![0; cells + 1], cells: 0 }
    }

    /// How many bytes are not read yet.
    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next record; gives whether there is one.
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

    /// How many cells the record has.
    pub(super) const fn len(&self) -> usize {
        self.cells
    }

    /// Whether nothing is in any of its cells.
    pub(super) fn is_blank(&self) -> bool {
        self.ends[..self.cells].last().is_none_or(|end| *end == 0)
    }

    /// The cells of the record.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges().map(|range| &self.text[range])
    }

    /// The cells of the record as texts; `None` for one that is none.
    pub(super) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        let end = self.ends[..self.cells].last().copied().unwrap_or_default();
        // All at once is quicker than cell by cell.
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
