use bytes::Bytes;
use sports_ports::PortError;
use sports_ports::tables::{ColumnHead, TableColumn, TableFormat, TableParts};
use sports_publication::Value;

use crate::json::write_json_value;
use crate::tabular::rows;

const PORT: &str = "tables as NDJSON";

/// The format NDJSON: a JSON object a line, with every column in each.
#[derive(Debug, Clone, Copy, Default)]
pub struct NdjsonTables;

/// A table in the making.
struct NdjsonParts {
    heads: Vec<ColumnHead>,
    lines: Vec<u8>,
}

impl TableFormat for NdjsonTables {
    fn begin(&self, heads: &[ColumnHead]) -> Result<Box<dyn TableParts>, PortError> {
        Ok(Box::new(NdjsonParts { heads: heads.to_vec(), lines: Vec::new() }))
    }
}

impl TableParts for NdjsonParts {
    fn add(&mut self, columns: Vec<TableColumn<'_>>) -> Result<(), PortError> {
        write_objects(&self.heads, &columns, b'\n', &mut self.lines)
    }

    fn finish(self: Box<Self>) -> Result<Bytes, PortError> {
        Ok(self.lines.into())
    }
}

/// Returns the rows as JSON objects with every column, and commas between them.
///
/// # Errors
///
/// [`PortError::Corrupt`] for columns of different lengths.
pub fn json_objects(columns: &[TableColumn<'_>]) -> Result<Bytes, PortError> {
    let head = |column: &TableColumn<'_>| ColumnHead { name: column.name.to_owned(), kind: column.kind };
    let (heads, mut objects) = (columns.iter().map(head).collect::<Vec<_>>(), Vec::new());
    write_objects(&heads, columns, b',', &mut objects)?;
    objects.pop();
    Ok(objects.into())
}

/// Writes each row as a JSON object with every column, and a byte after it.
fn write_objects(
    heads: &[ColumnHead],
    columns: &[TableColumn<'_>],
    after: u8,
    out: &mut Vec<u8>,
) -> Result<(), PortError> {
    let keys: Vec<_> = columns.iter().map(|column| format!("{}:", serde_json::Value::from(column.name))).collect();
    for row in rows(PORT, heads, columns)? {
        let mut before = b'{';
        for (key, value) in keys.iter().zip(row) {
            out.push(before);
            out.extend_from_slice(key.as_bytes());
            write_json_value(value.map(Value::borrowed), out);
            before = b',';
        }
        out.extend_from_slice(&[b'}', after]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use serde_json::json;
    use sports_publication::ValueKind;
    use sports_testkit::tables::{ReadColumns, contract};

    use super::*;

    /// Returns the columns of the lines in the order of the text, which a map of the library would sort.
    fn read(file: &[u8]) -> ReadColumns {
        let mut columns = ReadColumns::new();
        for line in file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(line).expect("JSON");
            let text = std::str::from_utf8(line).expect("UTF-8");
            let mut members: Vec<_> = object.into_iter().collect();
            members.sort_by_key(|(name, _)| text.find(&format!("{}:", serde_json::Value::from(name.as_str()))));
            columns.resize(members.len(), Default::default());
            for ((name, values), (key, value)) in columns.iter_mut().zip(members) {
                *name = key;
                values.push(match value {
                    serde_json::Value::Null => None,
                    serde_json::Value::String(text) => Some(text),
                    other => Some(other.to_string()),
                });
            }
        }
        columns
    }

    #[test]
    fn ndjson_keeps_the_contract_of_tables() {
        contract(&NdjsonTables, read);
    }

    #[test]
    fn every_line_is_an_object_with_every_column() {
        let text = |text: &'static str| Some(Value::Text(Cow::Borrowed(text)));
        let table = || {
            vec![
                TableColumn { name: "a \"b\"", kind: ValueKind::Text, values: vec![text("x\ny"), None] },
                TableColumn { name: "c", kind: ValueKind::Integer, values: vec![None, Some(Value::Integer(2))] },
            ]
        };
        let written = NdjsonTables.encode(table()).expect("a table");
        let lines: Vec<serde_json::Value> = written
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).expect("JSON"))
            .collect();
        assert_eq!(lines, [json!({ "a \"b\"": "x\ny", "c": null }), json!({ "a \"b\"": null, "c": 2 })]);
        assert!(written.ends_with(b"}\n"));
        let mut uneven = table();
        uneven[1].values.pop();
        assert!(matches!(NdjsonTables.encode(uneven), Err(PortError::Corrupt { .. })));
    }

    #[test]
    fn a_table_without_rows_is_empty() {
        let table = vec![TableColumn { name: "a", kind: ValueKind::Text, values: Vec::new() }];
        assert!(NdjsonTables.encode(table).expect("a table").is_empty());
    }
}
