use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;
use sports_domain::{
    FinalScore, GameKey, GameLines, GameType, Market, ModelName, ModelSet, ModelType, NotAModelSet, OwnBlock, Season,
};
use sports_grading::MarketGame;

use crate::extras::{self, Extras};
use crate::{Ending, ForecastRecord};

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

    /// Returns `settled` or the publisher's word, if the game has an ending.
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
        self.settlement_status() == Some(Ending::SETTLED)
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
        MarketGame::new(model_type, &self.facts.lines, self.facts.score(), self.forecast.forecasts)
    }

    /// Returns the game as input to grading with the publisher's own models, as
    /// [`OwnForecasts::write_blocks`](sports_domain::OwnForecasts::write_blocks) wrote them.
    pub fn market_game_with<'a>(&self, model_type: ModelType, own: &'a [OwnBlock]) -> MarketGame<'a> {
        MarketGame::new(model_type, &self.facts.lines, self.facts.score(), self.forecast.forecasts.with_own(own))
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
        extras::unify(games.iter_mut().map(|game| &mut game.facts.extras));
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

    /// Changes the rows of all games; their keys stay.
    pub(crate) fn change_all(&mut self, change: impl FnMut(&mut ArchivedGame)) {
        self.games.iter_mut().for_each(change);
    }
}
