use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use sports_domain::{GameKey, LineColumn, ModelType, Season};

use crate::{Extras, ForecastRecord, GameFacts, Located, Problem, ReportedEnding};

/// A game as a row of a publisher's file has it.
pub type ReportedGame = GameFacts<ReportedEnding>;

impl ReportedGame {
    /// The game as it is recorded where it was not on record before.
    #[must_use]
    pub fn recorded(mut self) -> GameFacts {
        let ending = std::mem::take(&mut self.ending).after(None);
        self.with_ending(ending)
    }
}

/// A file of games: only the columns it has can change what is on record.
#[derive(Debug, Clone, PartialEq)]
pub struct GamesFile {
    /// The line columns the file has, empty cells included.
    pub given: Vec<LineColumn>,
    /// Whether the file says which part of the season its games belong to.
    pub gives_game_type: bool,
    /// Its games; no key repeats within a file.
    pub rows: Vec<Located<ReportedGame>>,
}

/// One game's forecasts for one market.
#[derive(Debug, Clone, PartialEq)]
pub struct ForecastRow {
    /// Which game.
    pub key: GameKey,
    /// Its probabilities and what the publisher says of them.
    pub record: ForecastRecord,
    /// Columns the service does not know.
    pub extras: Extras,
}

/// What a release says about one market of a season.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarketHistory {
    /// Games listed for this market only.
    pub games: Vec<GamesFile>,
    /// Forecasts, joined to games by key.
    pub forecasts: Vec<Located<ForecastRow>>,
}

/// What a release says about one past or running season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonHistory {
    /// The season.
    pub season: Season,
    /// Games listed for all three markets.
    pub shared: Vec<GamesFile>,
    /// What is listed for single markets.
    pub markets: BTreeMap<ModelType, MarketHistory>,
}

impl SeasonHistory {
    /// A season without content yet.
    #[must_use]
    pub const fn empty(season: Season) -> Self {
        Self { season, shared: Vec::new(), markets: BTreeMap::new() }
    }

    /// The markets whose archives this changes: all three where games are listed for all, else those named.
    #[must_use]
    pub fn touched(&self) -> Vec<ModelType> {
        ModelType::ALL
            .into_iter()
            .filter(|model_type| !self.shared.is_empty() || self.markets.contains_key(model_type))
            .collect()
    }

    /// Rows that give a game another final than an earlier row of the same release: its three markets
    /// would settle differently.
    #[must_use]
    pub fn contradictions(&self) -> Vec<Problem> {
        let mut finals: HashMap<&GameKey, &Located<ReportedGame>, RandomState> = HashMap::default();
        let mut problems = Vec::new();
        let files = self.shared.iter().chain(self.markets.values().flat_map(|market| &market.games));
        for row in files.flat_map(|file| &file.rows) {
            let Some(score) = row.value.ending.score else { continue };
            let first = finals.entry(&row.value.key).or_insert(row);
            if let Some(incoming) = first.value.ending.score.filter(|incoming| *incoming != score) {
                let place = &first.place;
                let row_number = place.row.map(|number| format!(", row {number}")).unwrap_or_default();
                let expected = format!(
                    "the final {}{row_number} has, {}-{} (away-home)",
                    place.file, incoming.away, incoming.home
                );
                let given = format!("{}-{}", score.away, score.home);
                problems.push(Problem::at(row.place.clone(), expected).in_cell("away_score, home_score", given));
            }
        }
        problems
    }
}
