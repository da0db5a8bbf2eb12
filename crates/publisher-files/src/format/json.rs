use std::collections::HashMap;

use sports_publication::Value;

use super::checked_columns;
use crate::findings::Findings;
use crate::json::{Json, ONCE};
use crate::table::{InputCell, LONGEST_CELL, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Stored, Table, without_mark};

/// The field of an object that holds the rows.
const ROWS: &str = "games";

/// Reads a list of flat objects, or an object with such a list under `games`. Rows are numbered from 1; a field missing
/// from an object is a missing value.
pub(super) fn read(bytes: &[u8], found: &mut Findings) -> Option<Table> {
    let rows = match serde_json::from_slice(without_mark(bytes)) {
        Ok(Json::List(rows)) => rows,
        Ok(Json::Object(fields)) => rows_of(fields, found)?,
        Ok(_) => {
            found.file("a list of games, each an object");
            return None;
        }
        Err(error) => {
            found.file(format!("a list of games in JSON; reading it failed: {error}"));
            return None;
        }
    };
    if rows.len() > MOST_ROWS {
        found.file(format!("at most {MOST_ROWS} rows; it has {}", rows.len()));
        return None;
    }
    let mut reading = Reading::default();
    for (index, row) in rows.into_iter().enumerate() {
        reading.row(index + 1, row, found);
    }
    let columns = &reading.table.columns;
    if !checked_columns(columns.len(), columns.iter().map(String::as_bytes), found) {
        return None;
    }
    let cells = reading.table.columns.len() * reading.rows.len();
    if cells > MOST_CELLS {
        found.file(format!("at most {MOST_CELLS} cells; it has {cells}"));
        return None;
    }
    Some(reading.table())
}

/// Returns the list of rows in an object; warns of each other field.
fn rows_of(fields: Vec<(String, Json)>, found: &mut Findings) -> Option<Vec<Json>> {
    let mut rows = None;
    for (name, value) in fields {
        match value {
            Json::List(list) if name == ROWS && rows.is_none() => rows = Some(list),
            _ if name == ROWS => found.column(ROWS, None, "one list of games"),
            _ => found.warn(&format!("field {name} is ignored: the rows are under `{ROWS}`")),
        }
    }
    if rows.is_none() {
        found.file(format!("a list of games, or an object with a list of games under `{ROWS}`"));
    }
    rows
}

/// The part of a table read so far. The columns are known only at the end, when rows get their full width.
#[derive(Default)]
struct Reading {
    table: Table,
    columns: HashMap<String, usize>,
    rows: Vec<Vec<(usize, Stored)>>,
}

impl Reading {
    fn row(&mut self, number: usize, row: Json, found: &mut Findings) {
        let Json::Object(fields) = row else {
            found.row(number, format!("an object with a game's fields; this is {}", row.kind_in_words()));
            return;
        };
        if fields.len() > MOST_COLUMNS {
            found.row(number, format!("at most {MOST_COLUMNS} fields; this has {}", fields.len()));
            return;
        }
        let mut cells: Vec<(usize, Stored)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let name = name.trim();
            let Some(stored) = self.cell(&value) else {
                let expected = match &value {
                    Json::Text(_) => format!("at most {LONGEST_CELL} bytes"),
                    value => format!("one value; this is {}", value.kind_in_words()),
                };
                found.named_cell(number, name, None, expected);
                continue;
            };
            if name.is_empty() {
                found.row(number, "a name for every field");
                continue;
            }
            let column = self.column(name);
            if cells.iter().any(|(taken, _)| *taken == column) {
                found.named_cell(number, name, None, ONCE);
            } else {
                cells.push((column, stored));
            }
        }
        self.table.numbers.push(number);
        self.rows.push(cells);
    }

    fn column(&mut self, name: &str) -> usize {
        if let Some(column) = self.columns.get(name) {
            return *column;
        }
        let column = self.table.columns.len();
        self.table.columns.push(name.to_owned());
        self.columns.insert(name.to_owned(), column);
        column
    }

    /// Stores a value as a cell; `None` for a list, an object, or a text that is too long.
    fn cell(&mut self, value: &Json) -> Option<Stored> {
        match value {
            Json::Null => Some(Stored::EMPTY),
            Json::Flag(flag) => Some(Stored::Plain(InputCell::Typed(Value::Flag(*flag)))),
            Json::Integer(number) => Some(Stored::Plain(InputCell::Typed(Value::Integer(*number)))),
            Json::Number(number) => Some(Stored::Plain(InputCell::Typed(Value::Number(*number)))),
            Json::Text(text) if text.len() > LONGEST_CELL => None,
            Json::Text(text) => Some(self.table.text(text)),
            Json::List(_) | Json::Object(_) => None,
        }
    }

    fn table(mut self) -> Table {
        let width = self.table.columns.len();
        for row in self.rows {
            let start = self.table.cells.len();
            self.table.cells.resize(start + width, Stored::EMPTY);
            for (column, stored) in row {
                self.table.cells[start + column] = stored;
            }
        }
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
        let mut found = Findings::in_file("odds.json");
        let table = read(text.as_bytes(), &mut found).unwrap_or_default();
        let row = |row: crate::table::Row<'_>| {
            let cells: Vec<_> = (0..table.columns().len())
                .map(|column| row.cell(column).written().unwrap_or_else(|| "-".into()).into_owned())
                .collect();
            format!("{}: {}", row.number(), cells.join(" "))
        };
        let rows = table.rows().map(row).collect();
        (rows, found.problems.iter().map(ToString::to_string).collect(), found.warnings)
    }

    #[test]
    fn columns_are_the_fields_of_all_objects_and_a_field_left_out_is_missing() {
        let (rows, problems, warnings) =
            read_text(r#"[{"b": 1, " a ": " x "}, {"c": null, "b": -2.5}, {}, {"c": true, "a": "  "}]"#);
        assert_eq!(rows, ["1: 1 x -", "2: -2.5 - -", "3: - - -", "4: - - true"]);
        assert_eq!((problems.len(), warnings.len()), (0, 0));
    }

    #[test]
    fn rows_may_be_under_games_and_other_fields_beside_them_are_passed_over() {
        let (rows, problems, warnings) =
            read_text("\u{feff}{\"date\": \"2024-09-08\", \"games\": [{\"a\": 18446744073709551615}]}");
        assert_eq!(rows, ["1: 18446744073709551615"]);
        assert_eq!(problems, [""; 0]);
        assert_eq!(warnings, ["odds.json: field date is ignored: the rows are under `games`"]);
    }

    #[test]
    fn a_row_that_is_no_flat_object_is_a_problem_with_its_number() {
        let (rows, problems, _) = read_text(r#"[{"a": [1], "b": 2}, 7, {"a": {}, "b": 1, "b": 3, "": 1}, null]"#);
        assert_eq!(rows, ["1: 2", "3: 1"]);
        assert_eq!(
            problems,
            [
                "odds.json, row 1, column a: expected one value; this is a list",
                "odds.json, row 2: expected an object with a game's fields; this is a number",
                "odds.json, row 3, column a: expected one value; this is an object",
                "odds.json, row 3, column b: expected every field once",
                "odds.json, row 3: expected a name for every field",
                "odds.json, row 4: expected an object with a game's fields; this is null",
            ]
        );
    }

    #[test]
    fn a_file_that_is_no_list_is_one_problem() {
        let deep = "[".repeat(5000);
        for text in ["", "7", "{}", "{\"games\": 1}", "[{\"a\": 1}", "[{\"a\": NaN}]", "[1e999]", "[] []", &deep] {
            let (rows, problems, _) = read_text(text);
            assert_eq!(rows, [""; 0], "{text:.20}");
            assert!(!problems.is_empty() && problems.len() <= 2, "{text:.20}: {problems:?}");
        }
    }
}
