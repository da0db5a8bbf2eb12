use std::borrow::Cow;

use sports_domain::{GameKey, Season};
use sports_paging::{GameIndex, Order, PageRows};
use sports_ports::seasons::Weighed;
use sports_ports::tables::{ColumnHead, TableColumn};
use sports_publication::SeasonArchive;
use sports_publication::season_table::GradedGame;

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
        Self { graded: Graded::new(archive) }
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

    pub(crate) fn keys(&self) -> impl Iterator<Item = &GameKey> {
        self.graded.archive().games().iter().map(|game| &game.facts.key)
    }
}

impl AsRef<SeasonArchive> for TabularSeason {
    fn as_ref(&self) -> &SeasonArchive {
        self.graded.archive()
    }
}

impl SeasonTable for TabularSeason {
    fn index(&self) -> GameIndex {
        GameIndex::new(self.graded.archive().market(), self.season(), self.keys())
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
