use std::ops::Range;

use bytes::Bytes;
use sports_paging::PageRows;

/// Consecutive JSON objects in one buffer, with the place of each: consecutive rows are a slice.
pub struct JsonRows {
    bytes: Bytes,
    /// The offset of each row, and the end of the last one.
    starts: Vec<usize>,
}

impl JsonRows {
    /// Writes rows, a comma after each.
    pub fn written<T>(items: impl Iterator<Item = T>, write: impl Fn(T, &mut Vec<u8>)) -> Self {
        let mut bytes = Vec::new();
        let mut starts = vec![0];
        for item in items {
            write(item, &mut bytes);
            bytes.push(b',');
            starts.push(bytes.len());
        }
        bytes.shrink_to_fit();
        Self { bytes: bytes.into(), starts }
    }

    /// Returns the same rows in reverse.
    pub fn reversed(&self) -> Self {
        let copied = |index: usize, bytes: &mut Vec<u8>| bytes.extend_from_slice(&self.row(index));
        Self::written((0..self.len()).rev(), copied)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows of a range with commas between them; a range beyond the end is cut.
    pub fn slice(&self, range: &Range<usize>) -> Bytes {
        let (start, end) = (range.start.min(self.len()), range.end.min(self.len()));
        if start >= end { Bytes::new() } else { self.bytes.slice(self.starts[start]..self.starts[end] - 1) }
    }

    /// Returns the rows of a page with commas between them. Consecutive rows are not copied.
    pub fn of_page(&self, rows: &PageRows) -> Bytes {
        let rows = match rows {
            PageRows::Run(run) => return self.slice(run),
            PageRows::Each(rows) => rows,
        };
        let mut copied = Vec::new();
        for row in rows {
            copied.extend_from_slice(&self.row(*row));
            copied.push(b',');
        }
        copied.pop();
        copied.into()
    }

    pub fn row(&self, index: usize) -> Bytes {
        self.slice(&(index..index + 1))
    }

    /// Bytes held.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_has_its_rows_and_commas_between_them_only() {
        let rows = JsonRows::written(1..=3, |number, out| out.extend_from_slice(number.to_string().as_bytes()));
        assert_eq!(rows.len(), 3);
        let slices = [(0..3, "1,2,3"), (1..2, "2"), (2..9, "3"), (1..1, ""), (7..9, "")];
        for (range, text) in slices {
            assert_eq!(rows.slice(&range), text.as_bytes(), "{range:?}");
        }
        let pages =
            [(PageRows::Run(0..2), "1,2"), (PageRows::Each([0, 2].into()), "1,3"), (PageRows::Each([].into()), "")];
        for (page, text) in pages {
            assert_eq!(rows.of_page(&page), text.as_bytes(), "{page:?}");
        }
        let none = JsonRows::written(std::iter::empty::<u8>(), |_, _| {});
        assert!(none.is_empty() && none.slice(&(0..1)).is_empty());
        assert_eq!(rows.reversed().slice(&(0..3)), "3,2,1".as_bytes());
    }
}
