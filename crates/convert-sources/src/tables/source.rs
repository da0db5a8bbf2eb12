use bytes::Bytes;
use csv::{Reader, ReaderBuilder, StringRecord};
use sports_domain::{trim_blanks, without_spreadsheet_escape};
use sports_releases_folder::{LineCounter, ParquetTable};

use crate::tables::decimal::DecimalMark;

/// The rows of a file as texts, from CSV or Parquet.
pub(crate) struct Source<'b> {
    rows: SourceRows<'b>,
    pub(crate) header: StringRecord,
    pub(crate) mark: DecimalMark,
}

enum SourceRows<'b> {
    Csv { reader: Box<Reader<&'b [u8]>>, lines: LineCounter<'b> },
    Parquet { table: ParquetTable, next: usize },
}

/// The error for bytes that are no table; the text is the expected form.
pub(crate) type NotATable = String;

const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl<'b> Source<'b> {
    /// Opens a table: Parquet by its first bytes, else CSV with commas, semicolons, tabs or vertical bars.
    pub(crate) fn open(bytes: &'b Bytes) -> Result<Self, NotATable> {
        if bytes.starts_with(b"PAR1") {
            let table = ParquetTable::read(bytes.clone())?;
            let header = table.columns().iter().map(String::as_str).collect();
            return Ok(Self { rows: SourceRows::Parquet { table, next: 0 }, header, mark: DecimalMark::Point });
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Err("CSV or Parquet; this is a workbook or an archive: save the sheet as CSV".to_owned());
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let separator = separator(text);
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text);
        let mut header = StringRecord::new();
        match reader.read_record(&mut header) {
            Ok(true) => {}
            Ok(false) => return Err("a header row naming the columns".to_owned()),
            Err(error) => return Err(unreadable(&error)),
        }
        // Spreadsheets that write decimal commas separate cells by semicolons.
        let mark = if separator == b';' { DecimalMark::Comma } else { DecimalMark::Point };
        let rows = SourceRows::Csv { reader: Box::new(reader), lines: LineCounter::of(text) };
        Ok(Self { rows, header, mark })
    }

    /// Reads the next row; returns its number, or `None` at the end. The header is row 1.
    pub(crate) fn read(&mut self, record: &mut StringRecord) -> Result<Option<u64>, NotATable> {
        match &mut self.rows {
            SourceRows::Csv { reader, lines } => match reader.read_record(record) {
                Ok(true) => {
                    let start = record.position().map_or(0, csv::Position::byte);
                    Ok(Some(lines.line_at(usize::try_from(start).unwrap_or(usize::MAX)) as u64))
                }
                Ok(false) => Ok(None),
                Err(error) => Err(unreadable(&error)),
            },
            SourceRows::Parquet { table, next } => {
                let Some(cells) = table.row(*next) else { return Ok(None) };
                record.clear();
                cells.for_each(|cell| record.push_field(&cell));
                *next += 1;
                Ok(Some(*next as u64 + 1))
            }
        }
    }
}

/// Returns the cell of a row, trimmed and without the apostrophe that keeps spreadsheets from computing it.
pub(crate) fn cell(record: &StringRecord, index: usize) -> &str {
    without_spreadsheet_escape(trim_blanks(record.get(index).unwrap_or_default()))
}

/// Returns the separator that occurs most often in the first line, outside of quotes.
fn separator(text: &[u8]) -> u8 {
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).find(|line| !line.is_empty()).unwrap_or_default();
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut is_quoted = false;
    for byte in line {
        is_quoted ^= *byte == b'"';
        if let Some(index) = SEPARATORS.iter().position(|separator| separator == byte).filter(|_| !is_quoted) {
            counts[index] += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    let first = counts.iter().position(|count| *count == most).unwrap_or_default();
    SEPARATORS[first]
}

fn unreadable(error: &csv::Error) -> String {
    let row = error.position().map(|position| format!("; row {} is not", position.line())).unwrap_or_default();
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => format!("text in UTF-8{row}"),
        _ => format!("a CSV file; reading it failed: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &[u8]) -> Result<Vec<(u64, Vec<String>)>, String> {
        let bytes = Bytes::copy_from_slice(text);
        let mut source = Source::open(&bytes)?;
        let cells = |record: &StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let mut rows = vec![(1, cells(&source.header))];
        let mut record = StringRecord::new();
        while let Some(number) = source.read(&mut record)? {
            rows.push((number, cells(&record)));
        }
        Ok(rows)
    }

    #[test]
    fn exports_of_spreadsheets_have_a_mark_any_separator_and_line_ends_of_two_bytes() {
        let expected = vec![(1, vec!["a;x".to_owned(), "b".to_owned()]), (2, vec!["1,5".to_owned(), String::new()])];
        assert_eq!(rows(b"\xEF\xBB\xBF\"a;x\";b\r\n1,5;\r\n").expect("rows"), expected);
        for text in ["a,b\n1,2", "a\tb\n1\t2\n", "a|b\r1|2", "\n\na,b\n1,2\n"] {
            let read = rows(text.as_bytes()).expect(text);
            assert_eq!((read.len(), &read[1].1), (2, &vec!["1".to_owned(), "2".to_owned()]), "{text:?}");
        }
        assert_eq!(rows(b"a,b\n1,\"x\ny\"\n3,4\n").expect("rows")[2].0, 4, "rows are numbered by line");
    }

    #[test]
    fn bytes_that_are_no_table_are_refused_by_what_they_are() {
        for (bytes, message) in [
            (&b""[..], "a header row naming the columns"),
            (b"PK\x03\x04....", "CSV or Parquet; this is a workbook or an archive: save the sheet as CSV"),
            (b"a,b\n1,\xE9\n", "text in UTF-8; row 2 is not"),
            (b"PAR1....", "a whole Parquet file; reading it failed"),
        ] {
            let refused = rows(bytes).expect_err(message);
            assert!(refused.starts_with(message), "{refused}");
        }
    }
}
