use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sports_domain::{GameKey, HomeSpread, ModelType, Total, TwoWayPrices};

use crate::identity::Start;
use crate::{ArchivedGame, ForecastOrigin, SeasonArchive};

/// A game's row in the newest archive of a market, without its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRow {
    /// The key of the game.
    pub key: GameKey,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Earlier starts of the game, oldest first.
    pub former_starts: Vec<Start>,
    /// The origin of the recorded forecast; `None` for a row without a forecast, or one of unknown origin.
    pub origin: Option<ForecastOrigin>,
    /// True if the game was called off.
    pub is_called_off: bool,
    /// The opening money lines.
    pub open_money: TwoWayPrices,
    /// The opening spread.
    pub open_spread: Option<HomeSpread>,
    /// The opening total.
    pub open_total: Option<Total>,
}

impl From<&ArchivedGame> for RecordedRow {
    fn from(game: &ArchivedGame) -> Self {
        let facts = &game.facts;
        Self {
            key: facts.key.clone(),
            match_id: facts.match_id.clone(),
            former_starts: Start::list(facts.former_starts.as_deref()).collect(),
            origin: game.forecast.origin.clone(),
            is_called_off: facts.is_called_off(),
            open_money: facts.lines.open_money,
            open_spread: facts.lines.open_spread,
            open_total: facts.lines.open_total,
        }
    }
}

impl RecordedRow {
    /// Returns true if both have the same start and the same earlier starts.
    pub fn has_starts_of(&self, other: &Self) -> bool {
        Start::of(&self.key) == Start::of(&other.key) && self.former_starts == other.former_starts
    }

    /// Returns the release or run that made a live forecast.
    pub fn live_run(&self) -> Option<&str> {
        match &self.origin {
            Some(ForecastOrigin::Live { run, .. }) => run.as_deref(),
            _ => None,
        }
    }
}

/// The rows of a season in the newest archives, by market and game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SeasonRows(BTreeMap<ModelType, Arc<HashMap<String, RecordedRow>>>);

impl SeasonRows {
    /// Reads the rows of one market's archive, which replace earlier ones. Games without an identity are left out.
    pub fn read(&mut self, archive: &SeasonArchive) {
        let rows = archive.games().iter();
        let rows = rows.filter_map(|game| Some((game.facts.game_id.clone()?, RecordedRow::from(game))));
        self.0.insert(archive.market().model_type, Arc::new(rows.collect()));
    }

    /// Returns a game's row in a market.
    pub fn get(&self, model_type: ModelType, game_id: &str) -> Option<&RecordedRow> {
        self.0.get(&model_type)?.get(game_id)
    }

    /// Returns every row of a market with the identity of its game.
    pub fn iter(&self, model_type: ModelType) -> impl Iterator<Item = (&str, &RecordedRow)> {
        self.0.get(&model_type).into_iter().flat_map(|rows| rows.iter()).map(|(id, row)| (id.as_str(), row))
    }

    /// Returns a game's rows in all markets.
    pub fn of_game<'r>(&'r self, game_id: &'r str) -> impl Iterator<Item = &'r RecordedRow> {
        self.0.values().filter_map(move |rows| rows.get(game_id))
    }

    /// Returns the approximate memory of the rows, in bytes.
    pub fn bytes(&self) -> usize {
        let rows = self.0.values().map(|rows| rows.len()).sum::<usize>();
        rows * (size_of::<(String, RecordedRow)>() + TEXTS)
    }
}

/// The approximate memory of the texts of a row, in bytes.
const TEXTS: usize = 160;
