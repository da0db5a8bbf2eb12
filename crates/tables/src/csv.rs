use std::borrow::Cow;

use bytes::Bytes;
use sports_domain::escaped_for_spreadsheets;
use sports_ports::PortError;
use sports_ports::tables::{ColumnHead, TableColumn, TableFormat, TableParts};
use sports_publication::Value;

use crate::tabular::rows;

const PORT: &str = "tables as CSV";

/// The format CSV: a header, then a line a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct CsvTables;

/// A table in the making.
struct CsvParts {
    heads: Vec<ColumnHead>,
    writer: csv::Writer<Vec<u8>>,
}

impl TableFormat for CsvTables {
    fn begin(&self, heads: &[ColumnHead]) -> Result<Box<dyn TableParts>, PortError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer
            .write_record(heads.iter().map(|head| escaped_for_spreadsheets(&head.name).as_bytes().to_vec()))
            .map_err(failed)?;
        Ok(Box::new(CsvParts { heads: heads.to_vec(), writer }))
    }
}

impl TableParts for CsvParts {
    fn add(&mut self, columns: Vec<TableColumn<'_>>) -> Result<(), PortError> {
        for row in rows(PORT, &self.heads, &columns)? {
            for value in row {
                self.writer.write_field(cell(value).as_bytes()).map_err(failed)?;
            }
            self.writer.write_record(None::<&[u8]>).map_err(failed)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Bytes, PortError> {
        self.writer.into_inner().map(Bytes::from).map_err(|error| failed(error.into_error().into()))
    }
}

fn failed(error: csv::Error) -> PortError {
    PortError::corrupt(PORT, error)
}

/// Writes a value: a missing value is an empty cell, and no text is a formula.
fn cell<'v>(value: Option<&'v Value<Cow<'_, str>>>) -> Cow<'v, str> {
    match value {
        None => Cow::Borrowed(""),
        Some(Value::Text(text)) => escaped_for_spreadsheets(text),
        Some(other) => other.borrowed().written(),
    }
}

#[cfg(test)]
mod tests {
    use sports_publication::ValueKind;
    use sports_testkit::tables::{ReadColumns, contract};

    use super::*;

    fn read(file: &[u8]) -> ReadColumns {
        let mut reader = csv::Reader::from_reader(file);
        let names = reader.headers().expect("a header").clone();
        let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
        let of =
            |column: usize| rows.iter().map(move |row| Some(row[column].to_owned()).filter(|cell| !cell.is_empty()));
        names.iter().enumerate().map(|(column, name)| (name.to_owned(), of(column).collect())).collect()
    }

    #[test]
    fn csv_keeps_the_contract_of_tables() {
        contract(&CsvTables, read);
    }

    fn column<'a>(name: &'a str, values: &[Option<Value<&'a str>>]) -> TableColumn<'a> {
        let values = values.iter().map(|value| value.map(|value| value.map_text(Cow::Borrowed))).collect();
        TableColumn { name, kind: ValueKind::Text, values }
    }

    #[test]
    fn a_table_is_a_header_and_a_line_a_row_and_a_missing_value_an_empty_cell() {
        let table = vec![
            column("name", &[Some(Value::Text("O'Neal, \"Jo\"")), None]),
            column("win %", &[Some(Value::Number(0.5)), Some(Value::Integer(-110))]),
        ];
        let written = CsvTables.encode(table).expect("a table");
        assert_eq!(written, "name,win %\n\"O'Neal, \"\"Jo\"\"\",0.5\n,-110\n");
        assert_eq!(CsvTables.encode(vec![column("a", &[]), column("b", &[])]).expect("a table"), "a,b\n");
    }

    #[test]
    fn no_text_is_a_formula_and_a_number_is_none() {
        let table =
            vec![column("=A1", &[Some(Value::Text("=1+1")), Some(Value::Number(-2.5)), Some(Value::Text("-1"))])];
        assert_eq!(CsvTables.encode(table).expect("a table"), "'=A1\n'=1+1\n-2.5\n'-1\n");
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let table = vec![column("a", &[None]), column("b", &[])];
        assert!(matches!(CsvTables.encode(table), Err(PortError::Corrupt { .. })));
    }
}
