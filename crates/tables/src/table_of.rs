//! Answers as tables: one row for each element of an answer's list, one column for each field.
//!
//! The fields before the list, and those that all rows have in common (league, market, season), are the first columns. A field
//! of an object inside a row is a column: by its own name if it is a model's, else with the object's name before it. A list
//! inside a row is a text of JSON. The kind of a column follows from the type of the field, never from the values, so a table
//! without rows has the same columns.

use std::borrow::Cow;
use std::iter;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sports_ports::tables::TableColumn;
use sports_publication::{Value, ValueKind};

/// An answer that can be written as a table.
pub trait Tabular {
    /// Returns the columns of the table.
    fn table(&self) -> Vec<TableColumn<'_>>;
}

/// A builder of a table from rows of one type, column by column. A row is a reference to its source.
pub struct TableOf<'a, R> {
    rows: Vec<R>,
    columns: Vec<TableColumn<'a>>,
}

impl<'a, R: Copy> TableOf<'a, R> {
    /// Begins a table of these rows, without columns.
    pub fn rows(rows: impl IntoIterator<Item = R>) -> Self {
        Self { rows: rows.into_iter().collect(), columns: Vec::new() }
    }

    /// Adds a column with the same value in each row.
    pub fn constant<C: Cell<'a>>(mut self, name: &'static str, cell: C) -> Self {
        let values = iter::repeat_n(cell.value(), self.rows.len()).collect();
        self.columns.push(TableColumn { name, kind: C::KIND, values });
        self
    }

    /// Adds a column with the value that `get` reads from each row.
    pub fn column<C: Cell<'a>>(mut self, name: &'a str, get: impl Fn(R) -> C) -> Self {
        let values = self.rows.iter().map(|row| get(*row).value()).collect();
        self.columns.push(TableColumn { name, kind: C::KIND, values });
        self
    }

    /// Returns the columns.
    pub fn columns(self) -> Vec<TableColumn<'a>> {
        self.columns
    }
}

/// The value of a field in one row. The kind of its column follows from its type.
pub trait Cell<'a> {
    /// The kind of the column.
    const KIND: ValueKind;

    /// Returns the value; `None` if it is missing.
    fn value(self) -> Option<Value<Cow<'a, str>>>;
}

impl<'a, C: Cell<'a>> Cell<'a> for Option<C> {
    const KIND: ValueKind = C::KIND;

    fn value(self) -> Option<Value<Cow<'a, str>>> {
        self?.value()
    }
}

/// A text that outlives the table.
impl<'a, 's: 'a> Cell<'a> for &'s str {
    const KIND: ValueKind = ValueKind::Text;

    fn value(self) -> Option<Value<Cow<'a, str>>> {
        Some(Value::Text(Cow::Borrowed(self)))
    }
}

macro_rules! cells {
    ($($cell:ty => $kind:ident($value:expr);)*) => {$(
        impl<'a> Cell<'a> for $cell {
            const KIND: ValueKind = ValueKind::$kind;

            fn value(self) -> Option<Value<Cow<'a, str>>> {
                Some(Value::$kind($value(self)))
            }
        }
    )*};
}

cells! {
    bool => Flag(|flag| flag);
    u8 => Integer(i64::from);
    u64 => Integer(|number| i64::try_from(number).unwrap_or(i64::MAX));
    u32 => Integer(i64::from);
    i32 => Integer(i64::from);
    i64 => Integer(|number| number);
    f64 => Number(|number| number);
    String => Text(Cow::Owned);
    NaiveDate => Date(|date| date);
    NaiveTime => Time(|time| time);
    NaiveDateTime => WallClock(|reading| reading);
    DateTime<Utc> => Instant(|instant| instant);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Game {
        home: String,
        line: Option<f64>,
    }

    fn table(games: &[Game]) -> Vec<TableColumn<'_>> {
        let games = TableOf::rows(games).constant("season", "2024").column("home", |game| game.home.as_str());
        games.column("line", |game| game.line).column("the line", |game| game.line).columns()
    }

    #[test]
    fn columns_keep_their_order_and_their_kinds_whatever_the_rows() {
        let games = ["a", "b"].map(|home| Game { home: home.to_owned(), line: None });
        let names = |columns: &[TableColumn<'_>]| {
            columns.iter().map(|column| (column.name.to_owned(), column.kind)).collect::<Vec<_>>()
        };
        let (text, number) = (ValueKind::Text, ValueKind::Number);
        let expected = [("season", text), ("home", text), ("line", number), ("the line", number)];
        let expected = expected.map(|(name, kind)| (name.to_owned(), kind));
        assert_eq!(names(&table(&games)), expected);
        assert_eq!(names(&table(&[])), expected);
        let text = |text: &'static str| Some(Value::Text(Cow::Borrowed(text)));
        let values: Vec<_> = table(&games).into_iter().map(|column| column.values).collect();
        assert_eq!(values, [vec![text("2024"); 2], vec![text("a"), text("b")], vec![None, None], vec![None, None]]);
        assert!(table(&[]).iter().all(|column| column.values.is_empty()));
    }
}
