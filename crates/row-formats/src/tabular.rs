use std::borrow::Cow;

use sports_paging::{Order, PageRows};
use sports_ports::seasons::Weighed;
use sports_ports::tables::TableColumn;
use sports_publication::SeasonArchive;

use crate::graded::Graded;

/// A season graded once, for forms that are made of columns: CSV and Parquet.
pub struct TabularSeason {
    graded: Graded,
}

impl TabularSeason {
    /// Grades every game.
    #[must_use]
    pub fn from_archive(archive: SeasonArchive) -> Self {
        Self { graded: Graded::new(archive) }
    }

    /// Returns the rows of a page as columns. The season table determines the kind of a column, so that every page has the
    /// same kinds, even without values.
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
