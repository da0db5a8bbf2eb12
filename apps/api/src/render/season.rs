use std::ops::Range;
use std::sync::OnceLock;

use sports_domain::ModelType;
use sports_paging::Order;
use sports_ports::seasons::Weighed;
use sports_ports::tables::{ColumnValues, TableColumn};
use sports_publication::{ArchivedGame, SeasonArchive};

use crate::render::column::{Column, GradedGame};
use crate::render::{Cell, Rows};

/// A season graded once and written once.
pub struct RenderedSeason {
    archive: SeasonArchive,
    columns: Vec<Column>,
    oldest_first: Rows,
    /// Only the current season is ever read this way, so only it is written again.
    newest_first: OnceLock<Rows>,
}

impl RenderedSeason {
    /// Grades and writes every game.
    #[must_use]
    pub fn of(archive: SeasonArchive) -> Self {
        let columns = Column::of(&archive);
        let oldest_first = write(&archive, &columns, archive.games().iter());
        Self { archive, columns, oldest_first, newest_first: OnceLock::new() }
    }

    /// The rows as JSON, in one of the two orders.
    pub fn rows(&self, order: Order) -> &Rows {
        match order {
            Order::OldestFirst => &self.oldest_first,
            Order::NewestFirst => {
                self.newest_first.get_or_init(|| write(&self.archive, &self.columns, self.archive.games().iter().rev()))
            }
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
        let columns = self.columns.iter().map(|column| TableColumn {
            name: column.name(self.model_type()).to_owned(),
            values: values(&self.kind(column), games.iter().map(|game| column.cell(game))),
        });
        columns.collect()
    }

    /// What a column holds over the whole season, so that every page has the same kinds.
    fn kind(&self, column: &Column) -> Cell<'static> {
        let games = (0..self.archive.games().len()).filter_map(|index| self.game(Order::OldestFirst, index));
        let first = games.map(|game| column.cell(&game).kind()).find(|kind| *kind != Cell::Null);
        first.unwrap_or(Cell::Null)
    }

    /// One game, counted in an order.
    #[must_use]
    pub fn game(&self, order: Order, index: usize) -> Option<GradedGame<'_>> {
        let games = self.archive.games();
        let game = match order {
            Order::OldestFirst => games.get(index),
            Order::NewestFirst => games.len().checked_sub(index + 1).and_then(|index| games.get(index)),
        };
        game.map(|game| GradedGame::of(&self.archive, game))
    }
}

fn write<'a>(archive: &SeasonArchive, columns: &[Column], games: impl Iterator<Item = &'a ArchivedGame>) -> Rows {
    let model_type = archive.market().model_type;
    let keys: Vec<_> = columns.iter().map(|column| json_key(column.name(model_type))).collect();
    Rows::written(games, |game, out| {
        let row = GradedGame::of(archive, game);
        out.push(b'{');
        for (column, key) in columns.iter().zip(&keys) {
            let cell = column.cell(&row);
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

impl Weighed for RenderedSeason {
    fn weight(&self) -> usize {
        self.oldest_first.weight() + size_of_val(self.archive.games())
    }
}
