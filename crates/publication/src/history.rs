use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use foldhash::fast::RandomState;
use sports_domain::{GameKey, LineColumn, ModelType, Season};

use crate::{Extras, ForecastRecord, GameFacts, ListedTwice, Located, Problem, ReportedEnding};

/// A game as a row of a publisher's file describes it.
pub type ReportedGame = GameFacts<ReportedEnding>;

impl ReportedGame {
    /// Returns the game as it is recorded if it was not on record before.
    pub fn recorded(mut self) -> GameFacts {
        let ending = std::mem::take(&mut self.ending).after(None);
        self.with_ending(ending)
    }
}

/// A file of games; only the columns in `given` can change the record.
#[derive(Debug, Clone, PartialEq)]
pub struct GamesFile {
    /// The line columns the file has, empty cells included.
    pub given: Vec<LineColumn>,
    /// True if the file states the part of the season of its games.
    pub gives_game_type: bool,
    /// The file's games; no key repeats within a file.
    pub rows: Vec<Located<ReportedGame>>,
}

/// The ids of a game that a row gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowIds {
    /// The identity.
    pub game_id: Option<String>,
    pub match_id: Option<String>,
}

/// One game's forecasts in one market.
#[derive(Debug, Clone, PartialEq)]
pub struct ForecastRow {
    pub key: GameKey,
    /// The game's identity and the publisher's id for it, if the row has them.
    pub ids: RowIds,
    /// The game's probabilities and their provenance as the publisher states it.
    pub record: ForecastRecord,
    /// Values of columns that the service does not know.
    pub extras: Extras,
}

/// A release's content for one market of a season.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarketHistory {
    /// Games listed for this market only.
    pub games: Vec<GamesFile>,
    /// Forecasts, joined to games by key.
    pub forecasts: Vec<Located<ForecastRow>>,
}

/// A release's content for one past or running season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonHistory {
    pub season: Season,
    /// Games listed for all three markets.
    pub shared: Vec<GamesFile>,
    /// Games and forecasts listed for single markets.
    pub markets: BTreeMap<ModelType, MarketHistory>,
}

impl SeasonHistory {
    /// Creates a season without content.
    pub const fn empty(season: Season) -> Self {
        Self { season, shared: Vec::new(), markets: BTreeMap::new() }
    }

    /// Returns the markets whose archives this changes: all three if a file lists games for all, else the markets with
    /// content of their own.
    pub fn touched(&self) -> Vec<ModelType> {
        ModelType::ALL
            .into_iter()
            .filter(|model_type| !self.shared.is_empty() || self.markets.contains_key(model_type))
            .collect()
    }

    /// Returns every row, those of all markets before those of one.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Located<ReportedGame>> {
        let files = self.shared.iter().chain(self.markets.values().flat_map(|market| &market.games));
        files.flat_map(|file| &file.rows)
    }

    /// Takes opening spreads of 0 for placeholders.
    #[must_use]
    pub fn without_placeholder_openers(mut self) -> Self {
        let files = self.shared.iter_mut().chain(self.markets.values_mut().flat_map(|market| &mut market.games));
        for row in files.flat_map(|file| &mut file.rows) {
            row.value.lines = row.value.lines.without_placeholder_openers();
        }
        self
    }

    /// Returns the games without a final that another date has with one.
    pub fn listed_twice(&self, today: NaiveDate) -> Vec<ListedTwice> {
        let rows = || self.rows().map(|row| &row.value);
        let played = rows().filter(|game| game.ending.score.is_some()).map(|game| &game.key);
        let open: BTreeSet<_> =
            rows().filter(|game| game.ending == ReportedEnding::default()).map(|game| &game.key).collect();
        ListedTwice::among(open, played, today)
    }

    /// Returns a problem for each row whose final differs from the final of an earlier row of the same game: the game's
    /// three markets would settle differently.
    pub fn contradictions(&self) -> Vec<Problem> {
        let mut finals: HashMap<&GameKey, &Located<ReportedGame>, RandomState> = HashMap::default();
        let mut problems = Vec::new();
        for row in self.rows() {
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
