use std::borrow::Cow;

use sports_paging::{Order, PageRows};
use sports_ports::seasons::Weighed;
use sports_ports::tables::TableColumn;
use sports_publication::SeasonArchive;

use crate::graded::Graded;

/// A season that is graded once, for the formats of columns: CSV and Parquet.
pub struct TabularSeason {
    graded: Graded,
}

impl TabularSeason {
    /// Grades every game of a season.
    #[must_use]
    pub fn from_archive(archive: SeasonArchive) -> Self {
        Self { graded: Graded::new(archive) }
    }

    /// Returns the rows of a page as columns. The kind of a column follows from the season table, so every page has the same
    /// kinds, whatever its rows hold.
    #[must_use]
    pub fn table(&self, order: Order, rows: &PageRows) -> Vec<TableColumn<'_>> {
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
