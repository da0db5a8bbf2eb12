use std::ops::Range;

use csv_core::{ReadRecordResult, Reader};
use sports_domain::without_spreadsheet_escape;

use super::{checked_columns, has_room};
use crate::findings::Findings;
use crate::table::{LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, NOT_UTF16, Table, is_utf16, named_separator, without_mark};

/// Reads comma-separated values. Incomplete rows are recorded as problems and left out.
pub(super) fn read(bytes: &[u8], found: &mut Findings) -> Option<Table> {
    let bytes = without_mark(bytes);
    if is_utf16(bytes) {
        found.row(1, NOT_UTF16);
        return None;
    }
    if named_separator(bytes).is_some() {
        found.row(1, "a header row naming the columns; delete this line, which is for spreadsheets alone");
        return None;
    }
    let mut records = Records::with_max_cells(MOST_COLUMNS, bytes);
    match records.read() {
        Ok(true) => {}
        Ok(false) => {
            found.file("a header row naming the columns");
            return None;
        }
        Err(TooManyCells(cells)) => {
            found.file(format!("at most {MOST_COLUMNS} columns; it has {cells}"));
            return None;
        }
    }
    if !checked_columns(records.len(), records.cells(), found) {
        return None;
    }
    let mut table = Table::with_columns(header(&records, found)?);
    let mut lines = LineCounter::of(bytes);
    for read in 0_usize.. {
        let start = bytes.len() - records.left();
        match records.read() {
            Ok(true) => {}
            Ok(false) => break,
            Err(TooManyCells(cells)) => {
                found.file(format!("at most {MOST_COLUMNS} columns; a row has {cells}"));
                return None;
            }
        }
        if read > MOST_ROWS {
            found.file(format!("at most {MOST_ROWS} rows"));
            return None;
        }
        if !has_room(&table, found) {
            return None;
        }
        push(&mut table, &records, lines.line_at(start), found);
    }
    Some(table)
}

fn header(record: &Records<'_>, found: &mut Findings) -> Option<Vec<String>> {
    let name = |name: &str| without_spreadsheet_escape(name.trim()).trim().to_owned();
    let Some(names) = record.texts().map(|text| text.map(name)).collect::<Option<Vec<_>>>() else {
        found.row(1, "text in UTF-8");
        return None;
    };
    if let [only] = names.as_slice()
        && let Some(separator) = [";", "\t", "|"].into_iter().find(|separator| only.contains(separator))
    {
        found.row(1, format!("columns separated by commas; this header is separated by {separator:?}"));
        return None;
    }
    Some(names)
}

fn push(table: &mut Table, record: &Records<'_>, number: usize, found: &mut Findings) {
    let (columns, cells) = (table.columns.len(), record.len());
    if columns != cells {
        found.row(number, format!("{columns} cells, as many as the header has; this row has {cells}"));
        return;
    }
    // Spreadsheets append rows of bare commas, which hold no data.
    if record.is_blank() {
        return;
    }
    for (column, text) in record.texts().enumerate() {
        let text = match text {
            Some(text) if text.len() <= LONGEST_CELL => text,
            text => {
                let too_long = |text: &str| format!("at most {LONGEST_CELL} bytes; it has {}", text.len());
                let name = table.columns[column].clone();
                found.named_cell(number, &name, None, text.map_or_else(|| "text in UTF-8".to_owned(), too_long));
                table.cells.truncate(table.numbers.len() * columns);
                return;
            }
        };
        let stored = table.written(without_spreadsheet_escape(text.trim()));
        table.cells.push(stored);
    }
    table.numbers.push(number);
}

/// A line counter, so that problems name the line that an editor shows, including blank lines and line breaks within
/// quotes.
#[derive(Debug)]
pub struct LineCounter<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
}

impl<'b> LineCounter<'b> {
    /// Creates a counter at the beginning of a text.
    pub const fn of(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// Returns the line of the record whose bytes begin at `start`; skips blank lines before it. Starts must not
    /// decrease.
    pub fn line_at(&mut self, start: usize) -> usize {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let blank = self.bytes.iter().skip(start).take_while(|byte| is_break(byte)).count();
        let end = (start + blank).min(self.bytes.len());
        while self.at < end {
            let ends_line = match self.bytes[self.at] {
                b'\n' => true,
                b'\r' => self.bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += usize::from(ends_line);
            self.at += 1;
        }
        self.line
    }
}

/// A reader of comma-separated records that reuses one buffer.
struct Records<'b> {
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
struct TooManyCells(usize);

impl<'b> Records<'b> {
    /// Creates a reader of records with at most `cells` cells.
    fn with_max_cells(cells: usize, bytes: &'b [u8]) -> Self {
        // One slot more distinguishes a full record from one with too many cells.
        Self { reader: Reader::new(), rest: bytes, text: vec![0; 1 << 10], ends: vec![0; cells + 1], cells: 0 }
    }

    /// Returns the number of unread bytes.
    const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next record; returns false at the end of the input.
    fn read(&mut self) -> Result<bool, TooManyCells> {
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
    const fn len(&self) -> usize {
        self.cells
    }

    /// Returns true if every cell is empty.
    fn is_blank(&self) -> bool {
        self.ends[..self.cells].last().is_none_or(|end| *end == 0)
    }

    /// Returns the cells of the record.
    fn cells(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges().map(|range| &self.text[range])
    }

    /// Returns the cells of the record as text; `None` for a cell that is not UTF-8.
    fn texts(&self) -> impl Iterator<Item = Option<&str>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::InputCell;

    fn rows(text: &[u8]) -> (Vec<(usize, String)>, Findings) {
        let mut found = Findings::in_file("games/2016.csv");
        let table = read(text, &mut found).unwrap_or_default();
        let row = |row: crate::table::Row<'_>| {
            let cells: Vec<_> = (0..table.columns().len()).filter_map(|column| row.cell(column).written()).collect();
            (row.number(), cells.join("|"))
        };
        (table.rows().map(row).collect(), found)
    }

    #[test]
    fn rows_are_numbered_by_line_whatever_the_line_ends_are() {
        let numbered = |text: &str| rows(text.as_bytes()).0;
        let expected = [(2, "1|2".to_owned()), (4, "3|4\n5".to_owned()), (6, "6|7".to_owned())];
        assert_eq!(numbered("a,b\n1,2\n\n3,\"4\n5\"\n6,7\n"), expected);
        assert_eq!(numbered("\u{feff}a,b\n1,2\n\n3,\"4\n5\"\n6,7"), expected);
        let expected = [(2, "1|2".to_owned()), (4, "6|7".to_owned())];
        assert_eq!(numbered("a,b\r\n1,2\r\n\r\n6,7\r\n"), expected);
        assert_eq!(numbered("a,b\r1,2\r\r6,7"), expected);
    }

    #[test]
    fn a_row_with_other_than_the_headers_cells_is_a_problem_and_an_empty_one_is_nothing() {
        let (read, found) = rows(b"a,b\n1\n1,2,3\n,\n 4 ,\n");
        assert_eq!(read, [(5, "4".to_owned())]);
        let problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "games/2016.csv, row 2: expected 2 cells, as many as the header has; this row has 1",
                "games/2016.csv, row 3: expected 2 cells, as many as the header has; this row has 3",
            ]
        );
    }

    #[test]
    fn more_cells_than_a_table_has_columns_are_counted_and_not_kept() {
        let (commas, few) = (",".repeat(1_000), ",".repeat(999));
        let quoted = format!("a,b\n\"{commas}\",\"x\n{commas}\"\n");
        let table = [
            (commas.clone(), Some("at most 1000 columns; it has 1001")),
            (format!("a\n{commas}{commas}"), Some("at most 1000 columns; a row has 2001")),
            (format!("{few}\n{few}\n"), None),
            (quoted, None),
        ];
        for (text, expected) in table {
            let found = rows(text.as_bytes()).1;
            let problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems.len(), usize::from(expected.is_some()), "{problems:?}");
            assert!(expected.is_none_or(|expected| problems[0].contains(expected)), "{problems:?}");
        }
    }

    #[test]
    fn an_empty_file_has_no_header() {
        for text in ["", "\u{feff}", "\n\n"] {
            let (read, found) = rows(text.as_bytes());
            assert!(read.is_empty());
            assert_eq!(found.problems.len(), 1, "{text:?}");
        }
    }

    #[test]
    fn exports_of_spreadsheets_are_refused_by_what_is_in_their_first_row() {
        for (text, expected) in [
            (&b"date;home\n"[..], "columns separated by commas; this header is separated by \";\""),
            (
                b"sep=;\ndate;home\n",
                "a header row naming the columns; delete this line, which is for spreadsheets alone",
            ),
            (b"\xFF\xFEd\0,\0h\0", "text in UTF-8; this is UTF-16: save the sheet as CSV UTF-8"),
        ] {
            let problems: Vec<_> = rows(text).1.problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems, [format!("games/2016.csv, row 1: expected {expected}")]);
        }
    }

    #[test]
    fn cells_are_trimmed_and_an_empty_one_is_missing() {
        let table = read(b" a , b\n \t , x \n", &mut Findings::in_file("f")).expect("a table");
        assert_eq!(table.columns(), ["a", "b"]);
        let row = table.rows().next().expect("a row");
        assert_eq!((row.cell(0), row.cell(1)), (InputCell::Empty, InputCell::Written("x")));
    }
}
