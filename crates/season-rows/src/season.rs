use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;
use sports_domain::GameKey;
use sports_grading::Verdict;
use sports_paging::Order;
use sports_ports::seasons::{LoadedSeason, Weighed};
use sports_ports::tables::TableColumn;
use sports_publication::season_table::{ArchiveColumn, GradedGame};
use sports_publication::{SeasonArchive, ValueKind};

use crate::json::{JsonColumn, write_row};
use crate::{JsonRows, csv};

/// A season graded once and written once.
pub struct RenderedSeason {
    archive: SeasonArchive,
    /// The season's label.
    label: String,
    verdicts: Vec<Verdict>,
    columns: Vec<ArchiveColumn>,
    oldest_first: JsonRows,
    /// Only the current season is ever read this way, so only it is copied.
    newest_first: OnceLock<JsonRows>,
    /// What each column holds over the whole season, for formats that must say so.
    kinds: OnceLock<Vec<ValueKind>>,
}

impl RenderedSeason {
    /// Grades and writes every game.
    #[must_use]
    pub fn from_archive(archive: SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let label = archive.season().to_string();
        let columns = ArchiveColumn::served(&archive);
        let verdicts: Vec<_> = archive.games().iter().map(|game| game.market_game(model_type).verdict()).collect();
        let json_columns: Vec<_> = columns.iter().map(JsonColumn::from).collect();
        let games = archive.games().iter().zip(&verdicts);
        let games = games.map(|(game, verdict)| GradedGame::new(&archive, &label, game, *verdict));
        let oldest_first = JsonRows::written(games, |game, out| write_row(&json_columns, &game, out));
        drop(json_columns);
        Self { archive, label, verdicts, columns, oldest_first, newest_first: OnceLock::new(), kinds: OnceLock::new() }
    }

    /// The rows as JSON, in one of the two orders.
    pub fn json(&self, order: Order) -> &JsonRows {
        match order {
            Order::OldestFirst => &self.oldest_first,
            Order::NewestFirst => self.newest_first.get_or_init(|| self.oldest_first.reversed()),
        }
    }

    /// The rows of a range, a JSON object a line.
    #[must_use]
    pub fn ndjson(&self, order: Order, rows: Range<usize>) -> Bytes {
        let json = self.json(order);
        let mut lines = Vec::with_capacity(json.slice(&rows).len() + 1);
        for index in rows {
            lines.extend_from_slice(&json.row(index));
            lines.push(b'\n');
        }
        lines.into()
    }

    /// The rows of a range as CSV, with a header.
    ///
    /// # Errors
    ///
    /// What writing CSV meets.
    pub fn csv(&self, order: Order, rows: Range<usize>) -> Result<Bytes, ::csv::Error> {
        csv::write(&self.columns, self.games(order, rows))
    }

    /// The rows of a range as columns, for formats that store them so.
    #[must_use]
    pub fn table(&self, order: Order, rows: Range<usize>) -> Vec<TableColumn<'_>> {
        let games: Vec<_> = self.games(order, rows).collect();
        let columns = self.columns.iter().zip(self.kinds()).map(|(column, kind)| TableColumn {
            name: column.name(),
            kind: *kind,
            values: games.iter().map(|game| column.served_value(game)).collect(),
        });
        columns.collect()
    }

    /// The kind of each column over the whole season, so that every page has the same kinds. Dates and times are
    /// served as texts; so is a column without any value.
    fn kinds(&self) -> &[ValueKind] {
        self.kinds.get_or_init(|| {
            let games: Vec<_> = self.games(Order::OldestFirst, 0..self.archive.games().len()).collect();
            let kind = |column: &ArchiveColumn| match games.iter().find_map(|game| column.served_value(game))?.kind() {
                kind @ (ValueKind::Flag | ValueKind::Integer | ValueKind::Number) => Some(kind),
                ValueKind::Text | ValueKind::Date | ValueKind::Time | ValueKind::WallClock | ValueKind::Instant => None,
            };
            self.columns.iter().map(|column| kind(column).unwrap_or(ValueKind::Text)).collect()
        })
    }

    /// The games of a range, counted in an order.
    fn games(&self, order: Order, rows: Range<usize>) -> impl Iterator<Item = GradedGame<'_>> {
        rows.filter_map(move |index| {
            let games = self.archive.games();
            let place = match order {
                Order::OldestFirst => index,
                Order::NewestFirst => games.len().checked_sub(index + 1)?,
            };
            Some(GradedGame::new(&self.archive, &self.label, games.get(place)?, *self.verdicts.get(place)?))
        })
    }
}

impl LoadedSeason for RenderedSeason {
    fn make_ready(&self) {
        self.json(Order::NewestFirst);
    }

    fn unsettled(&self) -> Vec<GameKey> {
        self.archive.unsettled().cloned().collect()
    }
}

/// About what the texts of one game take beside the game itself.
const TEXTS_OF_A_GAME: usize = 256;

impl Weighed for RenderedSeason {
    /// A cache asks once, so the second order counts from the start: a ceiling is to hold.
    fn weight(&self) -> usize {
        let games = self.archive.games();
        2 * self.oldest_first.weight() + size_of_val(games) + games.len() * TEXTS_OF_A_GAME
    }
}
