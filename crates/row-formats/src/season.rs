use std::sync::OnceLock;

use sports_domain::GameKey;
use sports_paging::{GameIndex, Order};
use sports_ports::seasons::{LoadedSeason, Weighed};
use sports_publication::SeasonArchive;

use crate::JsonRows;
use crate::graded::Graded;
use crate::json::{JsonColumn, write_row};

/// A season that is graded and written as JSON once. Its games are not kept.
pub struct RenderedSeason {
    index: GameIndex,
    unsettled: Vec<GameKey>,
    oldest_first: JsonRows,
    /// The same rows for the current season, the only one that is read in this order.
    newest_first: OnceLock<JsonRows>,
}

impl RenderedSeason {
    /// Grades and writes every game of a season.
    pub fn from_archive(archive: SeasonArchive) -> Self {
        let graded = Graded::new(archive);
        let columns: Vec<_> = graded.columns().iter().map(JsonColumn::from).collect();
        let games = graded.games(Order::OldestFirst, 0..graded.len());
        let oldest_first = JsonRows::written(games, |game, out| write_row(&columns, &game, out));
        let archive = graded.archive();
        let unsettled = archive.unsettled().cloned().collect();
        let keys = archive.games().iter().map(|game| &game.facts.key);
        let index = GameIndex::new(archive.market(), archive.season(), keys);
        Self { index, unsettled, oldest_first, newest_first: OnceLock::new() }
    }

    /// Returns the index of the games by date and team.
    pub const fn index(&self) -> &GameIndex {
        &self.index
    }

    /// Returns the rows as JSON, in an order.
    pub fn json(&self, order: Order) -> &JsonRows {
        match order {
            Order::OldestFirst => &self.oldest_first,
            Order::NewestFirst => self.newest_first.get_or_init(|| self.oldest_first.reversed()),
        }
    }
}

impl LoadedSeason for RenderedSeason {
    /// Writes the rows in the other order, newest game first.
    fn make_ready(&self) {
        self.json(Order::NewestFirst);
    }

    fn unsettled(&self) -> Vec<GameKey> {
        self.unsettled.clone()
    }
}

impl Weighed for RenderedSeason {
    /// Returns the bytes of the rows and of the index. They become more on the first request for the other order.
    fn weight(&self) -> usize {
        let rows = self.oldest_first.weight() + self.newest_first.get().map_or(0, JsonRows::weight);
        rows + self.index.weight() + size_of_val(&*self.unsettled)
    }
}
