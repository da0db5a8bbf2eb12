use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{
    FinalScore, Forecasts, FormError, GameKey, GameLines, GameType, Market, ModelColumn, ModelName, ModelSet,
    ModelType, NotAModelSet, OwnBlock, OwnForecasts, Season, VoidMarkets,
};
use sports_grading::MarketGame;

use crate::value;
use crate::value::Extras;

/// The result of a game and the lines and prices posted for it.
///
/// `E` is the ending on record, or the ending as a publisher's row reports it (a
/// [`ReportedGame`](crate::ReportedGame)).
#[derive(Debug, Clone, PartialEq)]
pub struct GameFacts<E = Option<Ending>> {
    /// The key of the game.
    pub key: GameKey,
    /// The identity of the game in its league, assigned when it was first recorded; in a publisher's row, the game that
    /// the row names.
    pub game_id: Option<String>,
    /// Earlier starts of the game, oldest first, in the format of [`Start`](crate::identity::Start).
    pub former_starts: Option<String>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// The part of the season.
    pub game_type: GameType,
    /// The ending; `None` on record while the game may still get a final.
    pub ending: E,
    /// Closing and opening lines and prices.
    pub lines: GameLines,
    /// The source of the recorded prices.
    pub quote_source: Option<String>,
    /// The publisher's own columns.
    pub extras: Extras,
}

impl<E> GameFacts<E> {
    /// Returns the same game with another ending.
    pub fn with_ending<F>(self, ending: F) -> GameFacts<F> {
        let Self { key, game_id, former_starts, match_id, game_type, lines, quote_source, extras, .. } = self;
        GameFacts { key, game_id, former_starts, match_id, game_type, ending, lines, quote_source, extras }
    }
}

impl GameFacts {
    /// Returns the final score, if the game has a final.
    pub fn score(&self) -> Option<FinalScore> {
        self.ending.as_ref()?.score()
    }

    /// Returns the final score by which the market of `model_type` is settled: `None` if the final decides nothing there.
    pub fn score_in(&self, model_type: ModelType) -> Option<FinalScore> {
        self.ending.as_ref()?.score_in(model_type)
    }

    /// Returns `settled` or the publisher's word, if the game has an ending, with the void markets of a final.
    pub fn settlement_status(&self) -> Option<&str> {
        self.ending.as_ref().map(Ending::status)
    }

    /// Returns true if the game was called off: it has no final and gets none.
    pub const fn is_called_off(&self) -> bool {
        matches!(self.ending, Some(Ending::CalledOff { .. }))
    }

    /// Returns true if the game has its final or was called off, so that no settlement is pending.
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Returns true if the publisher marks the final as settled.
    pub fn is_settled(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.word_and_void().0 == Ending::SETTLED)
    }

    /// Removes the `match_id` of a game that was called off: another game may have it.
    pub(crate) fn forget_name_if_called_off(&mut self) {
        if self.is_called_off() {
            self.match_id = None;
        }
    }

    /// Creates a game with nothing but a key.
    pub fn unforecast(key: GameKey) -> Self {
        Self {
            key,
            game_id: None,
            former_starts: None,
            match_id: None,
            game_type: GameType::Regular,
            ending: None,
            lines: GameLines::default(),
            quote_source: None,
            extras: Extras::default(),
        }
    }
}

/// One game in the archive of one market.
#[derive(Debug, Clone, PartialEq)]
pub struct ArchivedGame {
    /// Its result, and the lines and prices posted for it.
    pub facts: GameFacts,
    /// The probabilities forecast for this market.
    pub forecast: ForecastRecord,
}

impl ArchivedGame {
    /// Returns the game as input to grading in the market of `model_type`.
    pub fn market_game(&self, model_type: ModelType) -> MarketGame<'static> {
        MarketGame::new(model_type, &self.facts.lines, self.facts.score_in(model_type), self.forecast.forecasts)
    }

    /// Returns the game as input to grading with the publisher's own models, as
    /// [`OwnForecasts::write_blocks`](sports_domain::OwnForecasts::write_blocks) wrote them.
    pub fn market_game_with<'a>(&self, model_type: ModelType, own: &'a [OwnBlock]) -> MarketGame<'a> {
        self.market_game(model_type).with_own(own)
    }
}

/// Every game of one season in one market, in the order in which the service lists games; no key repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonArchive {
    market: Market,
    season: Season,
    models: ModelSet,
    games: Vec<ArchivedGame>,
}

/// The error for a list in which a game's key repeats.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the game {0} is listed twice")]
pub struct RepeatedKey(pub GameKey);

/// Sorts games by key. Moves each game only once, because games are large.
fn put_in_order(games: &mut [ArchivedGame]) {
    let mut order: Vec<_> = (0..games.len()).collect();
    order.sort_by(|a, b| games[*a].facts.key.cmp(&games[*b].facts.key));
    for place in 0..games.len() {
        // An earlier swap moved the game elsewhere.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        games.swap(place, from);
    }
}

impl AsRef<Self> for SeasonArchive {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl SeasonArchive {
    /// Sorts the games and converts each of the publisher's own columns to one kind.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] if two games have the same key.
    pub fn new(market: Market, season: Season, mut games: Vec<ArchivedGame>) -> Result<Self, RepeatedKey> {
        put_in_order(&mut games);
        value::unify(games.iter_mut().map(|game| &mut game.facts.extras));
        match games.windows(2).find(|pair| pair[0].facts.key == pair[1].facts.key) {
            Some(pair) => Err(RepeatedKey(pair[0].facts.key.clone())),
            None => Ok(Self { market, season, models: ModelSet::default(), games }.named_by_name()),
        }
    }

    /// Lists the own models that have values, by name.
    fn named_by_name(self) -> Self {
        let names = self.own_names();
        if names.is_empty() { self } else { self.with_models(ModelSet::new(names).unwrap_or_default()) }
    }

    /// Returns the own models that have values, by name.
    fn own_names(&self) -> BTreeSet<ModelName> {
        self.games.iter().flat_map(|game| game.forecast.own.iter()).map(|(name, _)| name).collect()
    }

    /// Puts the own models that have values into the order of `declared`; others follow by name.
    ///
    /// # Errors
    ///
    /// [`NotAModelSet`] if more models have values than a season can have.
    pub fn arrange(&mut self, declared: impl IntoIterator<Item = ModelName>) -> Result<(), NotAModelSet> {
        let mut left = self.own_names();
        let listed: Vec<_> = declared.into_iter().filter(|name| left.remove(name)).collect();
        self.models = ModelSet::new(listed.into_iter().chain(left))?;
        Ok(())
    }

    /// Returns the number of games with a value of each own model.
    pub fn model_counts(&self) -> BTreeMap<ModelName, usize> {
        let mut counts = BTreeMap::new();
        for (name, _) in self.games.iter().flat_map(|game| game.forecast.own.iter()) {
            *counts.entry(name).or_default() += 1;
        }
        counts
    }

    /// Returns the models with a probability of any game, played or not.
    pub fn forecast_models(&self) -> BTreeSet<ModelName> {
        // A season has thousands of games, and most have the same models.
        let mut has_value = [false; ModelColumn::ALL.len()];
        for (model, _) in self.games.iter().flat_map(|game| game.forecast.forecasts.iter()) {
            has_value[model.index()] = true;
        }
        let standard = ModelColumn::FORECASTS.into_iter().filter(|model| has_value[model.index()]);
        standard.map(ModelName::of).chain(self.own_names()).collect()
    }

    /// Returns the league and model type.
    pub const fn market(&self) -> Market {
        self.market
    }

    pub const fn season(&self) -> Season {
        self.season
    }

    /// Sets the own models that have values in the season, in order of declaration.
    pub fn with_models(self, models: ModelSet) -> Self {
        Self { models, ..self }
    }

    /// Returns the models of the season.
    pub const fn models(&self) -> &ModelSet {
        &self.models
    }

    /// Returns the games, oldest first.
    pub fn games(&self) -> &[ArchivedGame] {
        &self.games
    }

    /// Returns the game with this key.
    pub fn get(&self, key: &GameKey) -> Option<&ArchivedGame> {
        self.games.binary_search_by(|game| game.facts.key.cmp(key)).ok().map(|index| &self.games[index])
    }

    /// Returns the keys of games without a final that may still get a final, oldest first.
    pub fn unsettled(&self) -> impl Iterator<Item = &GameKey> {
        self.games.iter().map(|game| &game.facts).filter(|facts| !facts.is_over()).map(|facts| &facts.key)
    }

    /// Sets the endings of games, each looked up by the game's identity.
    pub(crate) fn end<'e>(&mut self, ending: impl Fn(&str) -> Option<&'e Ending>) {
        for facts in self.games.iter_mut().map(|game| &mut game.facts) {
            if let Some(ending) = facts.game_id.as_deref().and_then(&ending) {
                facts.ending = Some(ending.clone());
                facts.forget_name_if_called_off();
            }
        }
    }

    /// Changes the row of one game, if the archive has the game.
    pub(crate) fn change(&mut self, key: &GameKey, change: impl FnOnce(&mut ArchivedGame)) {
        if let Ok(index) = self.games.binary_search_by(|game| game.facts.key.cmp(key)) {
            change(&mut self.games[index]);
        }
    }

    /// Copies the former starts of games from an archive that this one replaces, so that a row under an earlier start is
    /// still matched.
    pub(crate) fn with_former_starts(mut self, replaced: &Self) -> Self {
        let known = replaced.games.iter().map(|game| (game.facts.game_id.as_deref(), &game.facts.former_starts));
        let known: HashMap<_, _, RandomState> = known.collect();
        for facts in self.games.iter_mut().map(|game| &mut game.facts) {
            if let Some(starts) = facts.game_id.as_deref().and_then(|id| known.get(&Some(id))) {
                facts.former_starts.clone_from(starts);
            }
        }
        self
    }

    /// Returns the season as if it had no games but those whose forecasts count.
    pub fn counting(mut self, counted: CountedForecasts) -> Self {
        self.games.retain(|game| game.forecast.kind().is_some_and(|kind| counted.include(kind)));
        self
    }

    /// Changes the rows of all games; their keys stay.
    pub(crate) fn change_all(&mut self, change: impl FnMut(&mut ArchivedGame)) {
        self.games.iter_mut().for_each(change);
    }
}

/// The two kinds of forecasts: recorded before their games started, or reconstructed. Figures never pool the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ForecastSource {
    /// Recorded before the game started.
    Live,
    /// Reconstructed by a backtest trained on earlier seasons.
    WalkForward,
}

impl ForecastSource {
    /// Both sources.
    pub const ALL: [Self; 2] = [Self::Live, Self::WalkForward];

    /// Returns the word served as `forecast_source`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Live => ForecastOrigin::LIVE,
            Self::WalkForward => ForecastOrigin::WALK_FORWARD,
        }
    }
}

/// The kind of a row's forecast: its source, and of a live one whether this log recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForecastKind {
    /// Live, published by an entry of this log before the start.
    Recorded,
    /// Live by the word of the file that brought it.
    Imported,
    /// Reconstructed by a backtest.
    WalkForward,
}

impl ForecastKind {
    /// Returns the source of such forecasts.
    pub const fn source(self) -> ForecastSource {
        match self {
            Self::Recorded | Self::Imported => ForecastSource::Live,
            Self::WalkForward => ForecastSource::WalkForward,
        }
    }
}

/// The forecasts that a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountedForecasts {
    /// Those of one source.
    From(ForecastSource),
    /// The live ones that this log recorded.
    Recorded,
}

impl CountedForecasts {
    /// Every choice.
    pub const ALL: [Self; 3] =
        [Self::From(ForecastSource::Live), Self::From(ForecastSource::WalkForward), Self::Recorded];

    /// Returns the word in requests.
    pub const fn word(self) -> &'static str {
        match self {
            Self::From(source) => source.word(),
            Self::Recorded => "recorded",
        }
    }

    /// Returns the source of these forecasts.
    pub const fn source(self) -> ForecastSource {
        match self {
            Self::From(source) => source,
            Self::Recorded => ForecastSource::Live,
        }
    }

    /// Returns true if forecasts of a kind count.
    pub fn include(self, kind: ForecastKind) -> bool {
        match self {
            Self::From(source) => kind.source() == source,
            Self::Recorded => kind == ForecastKind::Recorded,
        }
    }
}

impl FromStr for CountedForecasts {
    type Err = FormError;

    /// Parses a word, ignoring case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|counted| counted.word().eq_ignore_ascii_case(raw));
        named.ok_or_else(|| {
            let [live, walk_forward, recorded] = Self::ALL.map(Self::word);
            FormError::new(format!(
                "`{raw}` is no source of forecasts; there are {live}, {walk_forward} and {recorded}"
            ))
        })
    }
}

/// The origin of a row's probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForecastOrigin {
    /// Recorded before the game started.
    Live {
        /// The release that made the forecast; unknown for some rows before 2026-10-03.
        run: Option<String>,
        /// The publication instant of that release; unknown for the same rows.
        published_at: Option<DateTime<Utc>>,
    },
    /// Reconstructed by a backtest trained on earlier seasons.
    WalkForward {
        /// The backtest run.
        run: Option<String>,
    },
}

impl ForecastOrigin {
    /// The word for forecasts recorded before the game started.
    pub const LIVE: &'static str = "live";
    /// The word for forecasts of a backtest.
    pub const WALK_FORWARD: &'static str = "walk_forward";

    /// Returns the forecast source of this origin.
    pub const fn source(&self) -> ForecastSource {
        match self {
            Self::Live { .. } => ForecastSource::Live,
            Self::WalkForward { .. } => ForecastSource::WalkForward,
        }
    }

    /// Returns the word served as `forecast_source`.
    pub const fn word(&self) -> &'static str {
        self.source().word()
    }

    /// Returns the run or release that made the forecast, if known.
    pub fn run(&self) -> Option<&str> {
        match self {
            Self::Live { run, .. } | Self::WalkForward { run } => run.as_deref(),
        }
    }

    /// Returns the publication instant of a live forecast; `None` for others.
    pub const fn published_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Live { published_at, .. } => *published_at,
            Self::WalkForward { .. } => None,
        }
    }
}

/// The method behind a row's probabilities, served as `model_probability_source`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbabilitySource {
    /// Recorded before the game.
    Recorded,
    /// Reconstructed out of sample by a walk-forward backtest.
    WalkForward,
    /// Reconstructed out of sample after the season.
    ReconstructedOos,
}

impl ProbabilitySource {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::WalkForward, Self::ReconstructedOos];

    /// Returns the word, such as `walk_forward`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::WalkForward => "walk_forward",
            Self::ReconstructedOos => "reconstructed_oos",
        }
    }
}

/// A row's probabilities and their origin; empty for a game without a forecast.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForecastRecord {
    /// The probabilities of the specification's models.
    pub forecasts: Forecasts<'static>,
    /// The probabilities of the publisher's own models.
    pub own: OwnForecasts,
    /// Their origin; `None` without probabilities, or if the publisher does not state it.
    pub origin: Option<ForecastOrigin>,
    /// True if the release that made them is an entry of this log, which published them before the start. No file states it.
    pub recorded: bool,
    /// The method that made them; `None` in the same cases.
    pub probability_source: Option<ProbabilitySource>,
    /// The last date or season the models of a reconstruction were trained on, in the publisher's words.
    pub training_through: Option<String>,
    /// The method of a reconstruction, in the publisher's words.
    pub reconstruction_method: Option<String>,
}

impl ForecastRecord {
    /// Returns true for a forecast recorded before play, which no later import may change.
    pub const fn is_live(&self) -> bool {
        matches!(self.origin, Some(ForecastOrigin::Live { .. }))
    }

    /// Returns the kind of the forecast; `None` without an origin.
    pub fn kind(&self) -> Option<ForecastKind> {
        Some(match self.origin.as_ref()?.source() {
            ForecastSource::Live if self.recorded => ForecastKind::Recorded,
            ForecastSource::Live => ForecastKind::Imported,
            ForecastSource::WalkForward => ForecastKind::WalkForward,
        })
    }

    /// Fills in fields that the publisher omitted: probabilities without a stated origin come from the folder's
    /// backtest run, and their source follows from their origin.
    pub fn completed(mut self, run: Option<&str>) -> Self {
        if self.forecasts.is_empty() && self.own.is_empty() {
            return Self::default();
        }
        let folders_run = || run.map(str::to_owned);
        let origin = match self.origin.take() {
            None | Some(ForecastOrigin::WalkForward { run: None }) => {
                ForecastOrigin::WalkForward { run: folders_run() }
            }
            Some(stated) => stated,
        };
        self.probability_source = self.probability_source.or(Some(match origin {
            ForecastOrigin::Live { .. } => ProbabilitySource::Recorded,
            ForecastOrigin::WalkForward { .. } => ProbabilitySource::WalkForward,
        }));
        self.origin = Some(origin);
        self
    }
}

/// The ending of a game, as a publisher reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The game was played.
    Final {
        score: FinalScore,
        /// `settled`, or the word of a final that is not verified, with the [void markets](VoidMarkets::status).
        status: String,
    },
    /// The game was not played, or not to its end.
    CalledOff {
        /// The reason for the missing final.
        status: CalledOffStatus,
    },
}

impl Ending {
    /// The status of a game with a known final.
    pub const SETTLED: &'static str = "settled";

    pub fn settled(score: FinalScore) -> Self {
        Self::Final { score, status: Self::SETTLED.to_owned() }
    }

    /// Returns the final score, unless the game was called off.
    pub const fn score(&self) -> Option<FinalScore> {
        if let Self::Final { score, .. } = self { Some(*score) } else { None }
    }

    /// Returns the final score by which the market of `model_type` is settled.
    fn score_in(&self, model_type: ModelType) -> Option<FinalScore> {
        self.score().filter(|_| !self.word_and_void().1.contains(model_type))
    }

    /// Returns `settled` or the publisher's word, and the markets in which a final decides nothing.
    pub fn word_and_void(&self) -> (&str, VoidMarkets) {
        match self {
            Self::Final { status, .. } if status != Self::SETTLED => VoidMarkets::split(status),
            _ => (self.status(), VoidMarkets::default()),
        }
    }

    /// Returns a final with these void markets, or else with those of the `existing` final.
    pub(crate) fn with_void(self, stated: Option<&VoidMarkets>, existing: Option<&Self>) -> Self {
        match self {
            Self::Final { score, status } => {
                let of_existing = || existing.map(|existing| existing.word_and_void().1).unwrap_or_default();
                let void = stated.cloned().unwrap_or_else(of_existing);
                Self::Final { score, status: void.status(&status) }
            }
            called_off @ Self::CalledOff { .. } => called_off,
        }
    }

    /// Returns `settled` or the publisher's word, with the void markets of a final.
    pub fn status(&self) -> &str {
        match self {
            Self::Final { status, .. } => status,
            Self::CalledOff { status } => status.word(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final { score, status } => write!(f, "{}-{} (away-home), {status}", score.away, score.home),
            Self::CalledOff { status } => f.write_str(status.word()),
        }
    }
}

/// The reason for a missing final: `cancelled`, `postponed` or the publisher's own word, never `settled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledOffStatus(String);

impl CalledOffStatus {
    /// Creates the status of a game that was called off.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the word is `settled`.
    pub fn new(word: impl Into<String>) -> Result<Self, FormError> {
        let word = word.into();
        if word == Ending::SETTLED {
            return Err(FormError::new(format!("a game without a final is not `{}`", Ending::SETTLED)));
        }
        Ok(Self(word))
    }

    pub fn word(&self) -> &str {
        &self.0
    }
}

/// The ending in a row: its scores and its `settlement_status`, as written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedEnding {
    /// The final, if the row has both scores.
    pub score: Option<FinalScore>,
    /// The status, if the row has one, in the record's word.
    pub status: Option<String>,
    /// The markets in which the final decides nothing, if the row states them.
    pub void: Option<VoidMarkets>,
}

impl ReportedEnding {
    /// Returns the ending of the game after the row, given its `existing` ending. A known final is replaced only by
    /// another final, and keeps its status and its void markets unless the row has others: a game that was played is not called off.
    /// `settled` without a final has no effect.
    pub fn after(self, existing: Option<Ending>) -> Option<Ending> {
        match (self, existing) {
            (Self { score: Some(score), status, void }, existing) => {
                let existing = existing.filter(|existing| existing.score().is_some());
                let word = existing.as_ref().map_or(Ending::SETTLED, |existing| existing.word_and_void().0);
                let status = status.unwrap_or_else(|| word.to_owned());
                Some(Ending::Final { score, status }.with_void(void.as_ref(), existing.as_ref()))
            }
            (Self { score: None, .. }, existing @ Some(Ending::Final { .. })) => existing,
            (Self { score: None, status, .. }, existing) => {
                let called_off = status.and_then(|word| CalledOffStatus::new(word).ok());
                called_off.map(|status| Ending::CalledOff { status }).or(existing)
            }
        }
    }
}

/// A row of a file of finals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalRow {
    /// The game's key; without a time, the only game of its teams on its date.
    pub key: GameKey,
    /// The identity of the game, if the row names it.
    pub game_id: Option<String>,
    /// The publisher's own id of the game, if the row names it.
    pub match_id: Option<String>,
    pub ending: Ending,
    /// The markets in which the final decides nothing, if the row states them.
    pub void: Option<VoidMarkets>,
    /// Remarks on its teams' names, reported if the game is not on record.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_of_the_specification() {
        let words = ["recorded", "walk_forward", "reconstructed_oos"];
        assert_eq!(ProbabilitySource::ALL.map(ProbabilitySource::word), words);
    }

    #[test]
    fn a_source_is_read_in_any_letter_case_and_no_other_word_is_one() {
        assert_eq!("Walk_Forward".parse(), Ok(CountedForecasts::From(ForecastSource::WalkForward)));
        assert_eq!(CountedForecasts::ALL.map(|counted| counted.word().parse()), CountedForecasts::ALL.map(Ok));
        let refused = "backtest".parse::<CountedForecasts>().map_err(|reason| reason.to_string());
        let expected = "`backtest` is no source of forecasts; there are live, walk_forward and recorded";
        assert_eq!(refused, Err(expected.to_owned()));
    }

    #[test]
    fn an_origin_names_its_run_and_a_live_one_its_time() {
        let at: DateTime<Utc> = "2024-11-24T14:50:00Z".parse().expect("an instant");
        let run = || Some("run-1".to_owned());
        let table = [
            (ForecastOrigin::Live { run: run(), published_at: Some(at) }, "live", Some("run-1"), Some(at)),
            (ForecastOrigin::Live { run: None, published_at: None }, "live", None, None),
            (ForecastOrigin::WalkForward { run: run() }, "walk_forward", Some("run-1"), None),
            (ForecastOrigin::WalkForward { run: None }, "walk_forward", None, None),
        ];
        for (origin, word, run, published_at) in table {
            assert_eq!((origin.word(), origin.run(), origin.published_at()), (word, run, published_at));
        }
    }
}
