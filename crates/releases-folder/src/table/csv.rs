mod lines;
mod records;

use sports_domain::without_spreadsheet_escape;

pub use self::lines::LineCounter;
use self::records::{Records, TooManyCells};
use super::size::{checked_columns, has_room};
use super::{Table, without_mark};
use crate::findings::Findings;
use crate::limits::{LONGEST_CELL, MOST_COLUMNS, MOST_ROWS};

/// Reads comma-separated values. Incomplete rows are recorded as problems and left out.
pub(super) fn read(bytes: &[u8], found: &mut Findings) -> Option<Table> {
    let bytes = without_mark(bytes);
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
    fn cells_are_trimmed_and_an_empty_one_is_missing() {
        let table = read(b" a , b\n \t , x \n", &mut Findings::in_file("f")).expect("a table");
        assert_eq!(table.columns(), ["a", "b"]);
        let row = table.rows().next().expect("a row");
        assert_eq!((row.cell(0), row.cell(1)), (InputCell::Empty, InputCell::Written("x")));
    }
}
