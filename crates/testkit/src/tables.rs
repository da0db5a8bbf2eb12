//! The contract of [`TableFormat`].

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_ports::PortError;
use sports_ports::tables::{ColumnHead, TableColumn, TableFormat};
use sports_publication::{Value, ValueKind};

/// The columns of a table as a reader of the format finds them: names, and values as [`Value::written`] writes them; `None`
/// for a missing value.
pub type ReadColumns = Vec<(String, Vec<Option<String>>)>;

/// Tests a format against every promise of [`TableFormat`]. `read` reads a file back with a reader of the format.
///
/// # Panics
///
/// Panics if a promise is broken.
pub fn contract(format: &impl TableFormat, read: impl Fn(&[u8]) -> ReadColumns) {
    columns_keep_their_order_names_and_values(format, &read);
    columns_of_different_lengths_are_refused(format);
    a_table_may_have_no_rows(format, &read);
    parts_of_a_table_are_below_each_other(format, &read);
    parts_with_other_columns_are_refused(format);
}

/// Returns the rows of every kind from a row on, as columns.
fn rows_from(row: usize) -> Vec<TableColumn<'static>> {
    let columns = of_every_kind().map(column);
    columns.map(|column| TableColumn { values: column.values[row..].to_vec(), ..column }).into()
}

fn heads() -> Vec<ColumnHead> {
    of_every_kind().map(column).iter().map(|one| ColumnHead { name: one.name.to_owned(), kind: one.kind }).collect()
}

fn parts_of_a_table_are_below_each_other(format: &impl TableFormat, read: &impl Fn(&[u8]) -> ReadColumns) {
    let whole = read(&format.encode(rows_from(0)).expect("a table"));
    let mut parts = format.begin(&heads()).expect("a table");
    for from in [0, 3, 1] {
        parts.add(rows_from(from)).expect("a part");
    }
    let mut expected = whole;
    for (_, values) in &mut expected {
        values.extend_from_within(1..);
    }
    assert_eq!(read(&parts.finish().expect("a table")), expected);
}

fn parts_with_other_columns_are_refused(format: &impl TableFormat) {
    let mut swapped = rows_from(0);
    swapped.swap(0, 1);
    for columns in [rows_from(0).split_off(1), swapped] {
        let refused = format.begin(&heads()).expect("a table").add(columns);
        assert!(matches!(refused, Err(PortError::Corrupt { .. })), "{refused:?}");
    }
}

fn columns_keep_their_order_names_and_values(format: &impl TableFormat, read: &impl Fn(&[u8]) -> ReadColumns) {
    let columns = of_every_kind().map(|(name, values)| {
        let written = values.iter().map(|value| value.as_ref().map(|value| value.borrowed().written().into_owned()));
        (name.to_owned(), written.collect::<Vec<_>>())
    });
    let file = format.encode(of_every_kind().map(column).into()).expect("a table");
    assert_eq!(read(&file), columns);
}

fn columns_of_different_lengths_are_refused(format: &impl TableFormat) {
    for shortened in 0..of_every_kind().len() {
        let mut columns = of_every_kind().map(column);
        columns[shortened].values.pop();
        let refused = format.encode(columns.into());
        assert!(matches!(refused, Err(PortError::Corrupt { .. })), "{refused:?}");
    }
}

/// A format whose rows have the names of the columns has no names without rows.
fn a_table_may_have_no_rows(format: &impl TableFormat, read: &impl Fn(&[u8]) -> ReadColumns) {
    let columns = of_every_kind().map(|(name, values)| TableColumn { values: Vec::new(), ..column((name, values)) });
    let names: Vec<_> = columns.iter().map(|column| (column.name.to_owned(), Vec::new())).collect();
    let found = read(&format.encode(columns.into()).expect("a table"));
    assert!(found.is_empty() || found == names, "{found:?}");
}

fn column((name, values): (&'static str, Values)) -> TableColumn<'static> {
    let kind = values.iter().flatten().next().map_or(ValueKind::Text, Value::kind);
    TableColumn { name, kind, values: values.into() }
}

type Values = [Option<Value<Cow<'static, str>>>; 3];

/// A column of each kind, in no order of the alphabet, each with a missing value in another row.
fn of_every_kind() -> [(&'static str, Values); 8] {
    let date = |text: &str| text.parse::<NaiveDate>().expect("a date");
    let time = |text: &str| text.parse::<NaiveTime>().expect("a time");
    let instant = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
    let text = |text| Some(Value::Text(Cow::Borrowed(text)));
    let (kick_off, later) = (instant("2024-09-08T17:05:00Z"), instant("2024-09-08T17:05:00.250Z"));
    [
        ("win %", [Some(Value::Number(0.5)), None, Some(Value::Number(-1.25))]),
        ("name, in \"full\"", [text("O'Neal, \"Jo\""), text("two\nlines"), None]),
        ("flag", [None, Some(Value::Flag(true)), Some(Value::Flag(false))]),
        ("price", [Some(Value::Integer(-110)), Some(Value::Integer(9_007_199_254_740_993)), None]),
        ("date", [Some(Value::Date(date("2024-09-08"))), None, Some(Value::Date(date("1999-12-31")))]),
        ("time", [None, Some(Value::Time(time("13:05:00"))), Some(Value::Time(time("00:00:00")))]),
        ("clock", [Some(Value::WallClock(kick_off.naive_utc())), Some(Value::WallClock(later.naive_utc())), None]),
        ("at", [Some(Value::Instant(later)), None, Some(Value::Instant(kick_off))]),
    ]
}
