use std::ops::Range;
use std::sync::OnceLock;

use sports_domain::{GameKey, ModelType};
use sports_grading::Verdict;
use sports_paging::Order;
use sports_ports::seasons::Weighed;
use sports_ports::tables::{ColumnValues, TableColumn};
use sports_publication::SeasonArchive;
use sports_usecases::record::LoadedSeason;

use crate::render::column::{Column, GradedGame};
use crate::render::{Cell, Rows};

/// A season graded once and written once.
pub struct RenderedSeason {
    archive: SeasonArchive,
    verdicts: Vec<Verdict>,
    columns: Vec<Column>,
    oldest_first: Rows,
    /// Only the current season is ever read this way, so only it is copied.
    newest_first: OnceLock<Rows>,
    /// What each column holds over the whole season, for formats that must say so.
    kinds: OnceLock<Vec<Cell<'static>>>,
}

impl RenderedSeason {
    /// Grades and writes every game.
    #[must_use]
    pub fn from_archive(archive: SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let columns = Column::in_archive(&archive);
        let verdicts: Vec<_> = archive.games().iter().map(|game| game.market_game(model_type).verdict()).collect();
        let oldest_first = written(&archive, &verdicts, &columns);
        Self { archive, verdicts, columns, oldest_first, newest_first: OnceLock::new(), kinds: OnceLock::new() }
    }

    /// The rows as JSON, in one of the two orders.
    pub fn rows(&self, order: Order) -> &Rows {
        match order {
            Order::OldestFirst => &self.oldest_first,
            Order::NewestFirst => self.newest_first.get_or_init(|| self.oldest_first.reversed()),
        }
    }

    /// The season's columns, in the order of a row.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The market's model type.
    #[must_use]
    pub const fn model_type(&self) -> ModelType {
        self.archive.market().model_type
    }

    /// The rows of a range as columns, for formats that store them so.
    #[must_use]
    pub fn table(&self, order: Order, rows: Range<usize>) -> Vec<TableColumn> {
        let games: Vec<_> = rows.filter_map(|index| self.game(order, index)).collect();
        let columns = self.columns.iter().zip(self.kinds()).map(|(column, kind)| TableColumn {
            name: column.name(self.model_type()).to_owned(),
            values: values(kind, games.iter().map(|game| column.cell(game))),
        });
        columns.collect()
    }

    /// The kind of each column over the whole season, so that every page has the same kinds.
    fn kinds(&self) -> &[Cell<'static>] {
        self.kinds.get_or_init(|| {
            let games: Vec<_> =
                (0..self.oldest_first.len()).filter_map(|row| self.game(Order::OldestFirst, row)).collect();
            let kind =
                |column: &Column| games.iter().map(|game| column.cell(game).kind()).find(|kind| *kind != Cell::Null);
            self.columns.iter().map(|column| kind(column).unwrap_or(Cell::Null)).collect()
        })
    }

    /// One game, counted in an order.
    #[must_use]
    pub fn game(&self, order: Order, index: usize) -> Option<GradedGame<'_>> {
        let games = self.archive.games();
        let place = match order {
            Order::OldestFirst => index,
            Order::NewestFirst => games.len().checked_sub(index + 1)?,
        };
        Some(GradedGame::from_game(&self.archive, games.get(place)?, *self.verdicts.get(place)?))
    }
}

impl LoadedSeason for RenderedSeason {
    fn make_ready(&self) {
        self.rows(Order::NewestFirst);
    }

    fn unsettled(&self) -> Vec<GameKey> {
        self.archive.unsettled().cloned().collect()
    }
}

/// Every game as a JSON object.
fn written(archive: &SeasonArchive, verdicts: &[Verdict], columns: &[Column]) -> Rows {
    let model_type = archive.market().model_type;
    let keys: Vec<_> = columns.iter().map(|column| json_key(column.name(model_type))).collect();
    let games =
        archive.games().iter().zip(verdicts).map(|(game, verdict)| GradedGame::from_game(archive, game, *verdict));
    Rows::written(games, |game, out| {
        out.push(b'{');
        for (column, key) in columns.iter().zip(&keys) {
            let cell = column.cell(&game);
            if cell == Cell::Null && column.is_left_out_when_null() {
                continue;
            }
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(key);
            cell.write_json(out);
        }
        out.push(b'}');
    })
}

fn values<'a>(kind: &Cell<'_>, cells: impl Iterator<Item = Cell<'a>>) -> ColumnValues {
    match kind {
        Cell::Flag(_) => {
            ColumnValues::Flags(cells.map(|cell| if let Cell::Flag(flag) = cell { Some(flag) } else { None }).collect())
        }
        Cell::Integer(_) => {
            ColumnValues::Integers(cells.map(|cell| if let Cell::Integer(n) = cell { Some(n) } else { None }).collect())
        }
        Cell::Number(_) => {
            ColumnValues::Numbers(cells.map(|cell| if let Cell::Number(n) = cell { Some(n) } else { None }).collect())
        }
        Cell::Text(_) | Cell::Null => ColumnValues::Texts(
            cells.map(|cell| if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None }).collect(),
        ),
    }
}

/// A name as a JSON key, colon included.
fn json_key(name: &str) -> Vec<u8> {
    let mut key = serde_json::Value::from(name).to_string().into_bytes();
    key.push(b':');
    key
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
