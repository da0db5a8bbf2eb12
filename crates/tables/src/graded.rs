use std::collections::BTreeSet;
use std::sync::OnceLock;

use sports_domain::paging::{GameIndex, GameProgress, Order};
use sports_domain::{GameKey, ModelName};
use sports_grading::Verdict;
use sports_ports::seasons::{LoadedSeason, Weighed};
use sports_publication::season_table::{ArchiveColumn, GradedGame};
use sports_publication::{ArchivedGame, SeasonArchive};

use crate::JsonRows;
use crate::json::{JsonColumn, write_row};

/// A season graded once, and the columns that it is served with.
pub struct Graded {
    archive: SeasonArchive,
    /// The season's label.
    label: String,
    verdicts: Vec<Verdict>,
    columns: Vec<ArchiveColumn>,
    weight: usize,
}

impl Graded {
    /// Grades every game. The columns of hidden models are not served; their forecasts count in grading.
    pub fn new(archive: SeasonArchive, hidden: &[ModelName]) -> Self {
        let model_type = archive.market().model_type;
        let mut own = Vec::new();
        let verdicts = archive.games().iter().map(|game| {
            own.clear();
            game.forecast.own.write_blocks(archive.models(), &mut own);
            game.market_game_with(model_type, &own).verdict()
        });
        let verdicts: Vec<_> = verdicts.collect();
        let weight = weight_of(archive.games()) + size_of_val(&*verdicts);
        let mut columns = ArchiveColumn::served(&archive);
        columns.retain(|column| !matches!(column, ArchiveColumn::Own(model) if hidden.contains(model)));
        Self { label: archive.season().to_string(), columns, verdicts, archive, weight }
    }

    pub const fn archive(&self) -> &SeasonArchive {
        &self.archive
    }

    pub fn columns(&self) -> &[ArchiveColumn] {
        &self.columns
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// Returns the games in these rows, counted in an order.
    pub fn games(&self, order: Order, rows: impl Iterator<Item = usize>) -> impl Iterator<Item = GradedGame<'_>> {
        rows.filter_map(move |index| {
            let games = self.archive.games();
            let place = match order {
                Order::OldestFirst => index,
                Order::NewestFirst => games.len().checked_sub(index + 1)?,
            };
            self.game(place)
        })
    }

    /// Returns a game by its index, oldest first.
    pub fn game(&self, place: usize) -> Option<GradedGame<'_>> {
        let game = self.archive.games().get(place)?;
        Some(GradedGame::new(&self.archive, &self.label, game, *self.verdicts.get(place)?))
    }

    /// Returns the key of each game and what is known of it, oldest first.
    pub fn progress(&self) -> impl Iterator<Item = (&GameKey, GameProgress)> {
        self.archive.games().iter().zip(&self.verdicts).map(|(game, verdict)| {
            let facts = &game.facts;
            let progress = GameProgress {
                has_score: facts.score().is_some(),
                is_graded: matches!(verdict, Verdict::Graded(_)),
                is_called_off: facts.is_called_off(),
            };
            (&facts.key, progress)
        })
    }

    /// Returns the approximate number of bytes held.
    pub const fn weight(&self) -> usize {
        self.weight
    }
}

/// Adds up the bytes of games.
fn weight_of(games: &[ArchivedGame]) -> usize {
    let own: usize = games.iter().map(|game| game.forecast.own.bytes()).sum();
    size_of_val(games) + own + games.len() * TEXTS_OF_A_GAME
}

/// The approximate size of the texts of one game beside the game itself, in bytes.
const TEXTS_OF_A_GAME: usize = 256;

/// A season that is graded and written as JSON once. Its games are not kept.
pub struct RenderedSeason {
    index: GameIndex,
    unsettled: Vec<GameKey>,
    forecast_models: BTreeSet<ModelName>,
    oldest_first: JsonRows,
    /// The same rows for the current season, the only one that is read in this order.
    newest_first: OnceLock<JsonRows>,
}

impl RenderedSeason {
    /// Grades and writes every game of a season.
    pub fn from_archive(archive: SeasonArchive) -> Self {
        Self::without(archive, &[])
    }

    /// Grades every game of a season, and writes it without the probabilities of hidden models.
    pub fn without(archive: SeasonArchive, hidden: &[ModelName]) -> Self {
        let graded = Graded::new(archive, hidden);
        let columns: Vec<_> = graded.columns().iter().map(JsonColumn::from).collect();
        let games = graded.games(Order::OldestFirst, 0..graded.len());
        let oldest_first = JsonRows::written(games, |game, out| write_row(&columns, &game, out));
        let archive = graded.archive();
        let (unsettled, forecast_models) = (archive.unsettled().cloned().collect(), archive.forecast_models());
        let index = GameIndex::new(archive.market(), archive.season(), graded.progress());
        Self { index, unsettled, forecast_models, oldest_first, newest_first: OnceLock::new() }
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

    fn forecast_models(&self) -> BTreeSet<ModelName> {
        self.forecast_models.clone()
    }
}

impl Weighed for RenderedSeason {
    /// Returns the bytes of the rows and of the index. They become more on the first request for the other order.
    fn weight(&self) -> usize {
        let rows = self.oldest_first.weight() + self.newest_first.get().map_or(0, JsonRows::weight);
        let models = self.forecast_models.len() * size_of::<ModelName>();
        rows + self.index.weight() + size_of_val(&*self.unsettled) + models
    }
}
