use std::borrow::Cow;

use sports_domain::paging::{GameIndex, Order, PageRows};
use sports_domain::{ModelName, Season};
use sports_ports::PortError;
use sports_ports::seasons::Weighed;
use sports_ports::tables::{ColumnHead, TableColumn};
use sports_publication::season_table::GradedGame;
use sports_publication::{SeasonArchive, Value, ValueKind};

use crate::graded::Graded;

/// The games of one season as rows and columns.
pub trait SeasonTable: Send + Sync {
    /// Returns an index of the games by date and team.
    fn index(&self) -> GameIndex;

    /// Returns the columns, in their order, without values.
    fn heads(&self) -> Vec<ColumnHead>;

    /// Returns the rows of a page as columns. The kind of a column follows from the season table, so every page has the same
    /// kinds, whatever its rows hold.
    fn table(&self, order: Order, rows: &PageRows) -> Vec<TableColumn<'_>>;
}

/// A season that is graded once, for the formats of columns: CSV and Parquet.
pub struct TabularSeason {
    graded: Graded,
}

impl TabularSeason {
    /// Grades every game of a season.
    pub fn from_archive(archive: SeasonArchive) -> Self {
        Self::without(archive, &[])
    }

    /// Grades every game of a season; the probabilities of hidden models are no columns.
    pub fn without(archive: SeasonArchive, hidden: &[ModelName]) -> Self {
        Self { graded: Graded::new(archive, hidden) }
    }

    pub(crate) const fn graded(&self) -> &Graded {
        &self.graded
    }

    pub(crate) const fn season(&self) -> Season {
        self.graded.archive().season()
    }

    /// Returns the games that have one of these indices, oldest first; `None` for an index that is absent.
    pub(crate) fn games(&self, places: impl Iterator<Item = Option<usize>>) -> Vec<Option<GradedGame<'_>>> {
        places.map(|place| self.graded.game(place?)).collect()
    }
}

impl AsRef<SeasonArchive> for TabularSeason {
    fn as_ref(&self) -> &SeasonArchive {
        self.graded.archive()
    }
}

impl SeasonTable for TabularSeason {
    fn index(&self) -> GameIndex {
        GameIndex::new(self.graded.archive().market(), self.season(), self.graded.progress())
    }

    fn heads(&self) -> Vec<ColumnHead> {
        let columns = self.graded.columns().iter();
        columns.map(|column| ColumnHead { name: column.name().to_owned(), kind: column.value_kind() }).collect()
    }

    fn table(&self, order: Order, rows: &PageRows) -> Vec<TableColumn<'_>> {
        let games: Vec<_> = self.graded.games(order, rows.iter()).collect();
        let columns = self.graded.columns().iter().map(|column| TableColumn {
            name: column.name(),
            kind: column.value_kind(),
            values: games.iter().map(|game| Some(column.served_value(game)?.map_text(Cow::Borrowed))).collect(),
        });
        columns.collect()
    }
}

impl Weighed for TabularSeason {
    fn weight(&self) -> usize {
        self.graded.weight()
    }
}

// Columns of several tables as those of one.

/// The columns of several tables: those of the first, and after the same neighbour those that only later ones have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitedHeads(Vec<ColumnHead>);

impl UnitedHeads {
    /// Adds the columns of a table. A column of two kinds is a number if both are numbers, else a text.
    pub fn add(&mut self, heads: Vec<ColumnHead>) {
        let mut behind = 0;
        for head in heads {
            if let Some(place) = self.0.iter().position(|known| known.name == head.name) {
                self.0[place].kind = self.0[place].kind.common(head.kind);
                behind = place + 1;
            } else {
                self.0.insert(behind, head);
                behind += 1;
            }
        }
    }

    pub fn heads(&self) -> &[ColumnHead] {
        &self.0
    }

    /// Returns columns of one of the tables as those of all, with nulls in the columns that it does not have.
    pub fn aligned<'a>(&'a self, columns: Vec<TableColumn<'a>>) -> Vec<TableColumn<'a>> {
        let length = columns.first().map_or(0, |column| column.values.len());
        let mut columns: Vec<_> = columns.into_iter().map(Some).collect();
        let aligned = self.0.iter().map(|head| {
            let is_it =
                |column: &&mut Option<TableColumn<'a>>| column.as_ref().is_some_and(|one| one.name == head.name);
            let values = match columns.iter_mut().find(is_it).and_then(Option::take) {
                None => vec![None; length],
                Some(column) if column.kind == head.kind => column.values,
                Some(column) => column.values.into_iter().map(|value| Some(converted(value?, head.kind))).collect(),
            };
            TableColumn { name: &head.name, kind: head.kind, values }
        });
        aligned.collect()
    }
}

/// Converts a value to the kind that its column has in common with others.
fn converted(value: Value<Cow<'_, str>>, kind: ValueKind) -> Value<Cow<'_, str>> {
    match (kind, value) {
        #[expect(clippy::cast_precision_loss, reason = "a column with fractions is one of floating numbers")]
        (ValueKind::Number, Value::Integer(number)) => Value::Number(number as f64),
        (ValueKind::Text, Value::Text(text)) => Value::Text(text),
        (ValueKind::Text, other) => Value::Text(Cow::Owned(other.borrowed().written().into_owned())),
        (_, other) => other,
    }
}

/// The cells of a row, column by column.
type Row<'t, 'a> = Box<dyn Iterator<Item = Option<&'t Value<Cow<'a, str>>>> + 't>;

/// Returns the rows of a part of a table with these heads, whose columns all have a value or a null in each of them.
pub fn rows<'t, 'a>(
    port: &'static str,
    heads: &[ColumnHead],
    columns: &'t [TableColumn<'a>],
) -> Result<impl Iterator<Item = Row<'t, 'a>>, PortError> {
    if !heads.iter().map(|head| head.name.as_str()).eq(columns.iter().map(|column| column.name)) {
        return Err(PortError::corrupt(port, "a part with other columns than its table"));
    }
    let length = columns.first().map_or(0, |column| column.values.len());
    if columns.iter().any(|column| column.values.len() != length) {
        return Err(PortError::corrupt(port, "columns of different lengths"));
    }
    Ok((0..length)
        .map(|row| -> Row<'t, 'a> { Box::new(columns.iter().map(move |column| column.values[row].as_ref())) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(names: &[(&str, ValueKind)]) -> Vec<ColumnHead> {
        names.iter().map(|(name, kind)| ColumnHead { name: (*name).to_owned(), kind: *kind }).collect()
    }

    #[test]
    fn columns_that_only_one_table_has_stand_behind_the_same_neighbour() {
        use ValueKind::{Number, Text};
        let mut united = UnitedHeads::default();
        united.add(heads(&[("date", Text), ("BLEND", Number), ("new", Number), ("push", Text)]));
        united.add(heads(&[("number", Text), ("date", Text), ("BLEND", Number), ("old", Number), ("push", Text)]));
        let names: Vec<_> = united.heads().iter().map(|head| head.name.as_str()).collect();
        assert_eq!(names, ["number", "date", "BLEND", "old", "new", "push"]);
    }

    #[test]
    fn a_column_that_a_table_lacks_is_null_and_one_of_two_kinds_is_converted() {
        use ValueKind::{Flag, Integer, Number, Text};
        let mut united = UnitedHeads::default();
        united.add(heads(&[("a", Integer), ("b", Flag), ("c", Number)]));
        united.add(heads(&[("a", Number), ("b", Integer), ("d", Text)]));
        assert_eq!(united.heads(), heads(&[("a", Number), ("b", Text), ("d", Text), ("c", Number)]));
        let columns = vec![
            TableColumn { name: "a", kind: Integer, values: vec![Some(Value::Integer(3)), None] },
            TableColumn { name: "b", kind: Flag, values: vec![Some(Value::Flag(true)), None] },
            TableColumn { name: "c", kind: Number, values: vec![None, Some(Value::Number(0.5))] },
        ];
        let aligned: Vec<_> = united.aligned(columns).into_iter().map(|column| column.values).collect();
        let text = |text: &'static str| Some(Value::Text(Cow::Borrowed(text)));
        let expected = [
            vec![Some(Value::Number(3.0)), None],
            vec![text("true"), None],
            vec![None, None],
            vec![None, Some(Value::Number(0.5))],
        ];
        assert_eq!(aligned, expected);
    }
}
