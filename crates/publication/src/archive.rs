use std::borrow::Cow;

use sports_domain::{FinalScore, Forecasts, GameKey, GameLines, GameType, Market, ModelType, Season};
use sports_grading::MarketGame;

use crate::extras::{self, Extras};
use crate::{Ending, ForecastRecord};

/// The result of a game and the lines and prices posted for it.
///
/// `E` is its ending on record, or what a publisher's row says of it (a [`ReportedGame`](crate::ReportedGame)).
#[derive(Debug, Clone, PartialEq)]
pub struct GameFacts<E = Option<Ending>> {
    /// The key of the game.
    pub key: GameKey,
    /// The identity of the game in its league, assigned when it was first recorded; in a publisher's row, the game that
    /// the row names.
    pub game_id: Option<String>,
    /// The starts that the game had before its present one, oldest first, as [`Start`](crate::identity::Start) writes
    /// them.
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
    /// The same game with another ending.
    #[must_use]
    pub fn with_ending<F>(self, ending: F) -> GameFacts<F> {
        let Self { key, game_id, former_starts, match_id, game_type, lines, quote_source, extras, .. } = self;
        GameFacts { key, game_id, former_starts, match_id, game_type, ending, lines, quote_source, extras }
    }
}

impl GameFacts {
    /// The final score, once there is one.
    #[must_use]
    pub fn score(&self) -> Option<FinalScore> {
        self.ending.as_ref()?.score()
    }

    /// `settled`, or the publisher's word, once the game has ended.
    #[must_use]
    pub fn settlement_status(&self) -> Option<&str> {
        self.ending.as_ref().map(Ending::status)
    }

    /// Returns true if the game was called off: it has no final and gets none.
    #[must_use]
    pub const fn is_called_off(&self) -> bool {
        matches!(self.ending, Some(Ending::CalledOff { .. }))
    }

    /// Returns true if the game has its final or was called off, so that no settlement is pending.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Returns true if the publisher marks the final as settled.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.settlement_status() == Some(Ending::SETTLED)
    }

    /// Removes the `match_id` of a game that was called off: another game may have it.
    pub(crate) fn forget_name_if_called_off(&mut self) {
        if self.is_called_off() {
            self.match_id = None;
        }
    }

    /// A game of which only the key is known.
    #[must_use]
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
    /// The game as grading sees it in the market of `model_type`.
    #[must_use]
    pub fn market_game(&self, model_type: ModelType) -> MarketGame {
        let forecasts: Forecasts = self.forecast.forecasts;
        MarketGame::new(model_type, &self.facts.lines, self.facts.score(), forecasts)
    }
}

/// Every game of one season in one market, in the order the service lists games; no key repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonArchive {
    market: Market,
    season: Season,
    games: Vec<ArchivedGame>,
}

/// The same game twice among games of which each is to be there once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the game {0} is listed twice")]
pub struct RepeatedKey(pub GameKey);

/// Games by their keys. A game is large: each is moved once.
fn in_order(games: Vec<ArchivedGame>) -> Vec<ArchivedGame> {
    let mut order: Vec<_> = (0..games.len()).collect();
    order.sort_by(|a, b| games[*a].facts.key.cmp(&games[*b].facts.key));
    let mut games: Vec<_> = games.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| games[place].take()).collect()
}

impl SeasonArchive {
    /// Puts games in order and gives each of the publisher's own columns one kind.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] when two games have the same key.
    pub fn new(market: Market, season: Season, mut games: Vec<ArchivedGame>) -> Result<Self, RepeatedKey> {
        if !games.is_sorted_by(|a, b| a.facts.key <= b.facts.key) {
            games = in_order(games);
        }
        extras::unify(games.iter_mut().map(|game| &mut game.facts.extras));
        match games.windows(2).find(|pair| pair[0].facts.key == pair[1].facts.key) {
            Some(pair) => Err(RepeatedKey(pair[0].facts.key.clone())),
            None => Ok(Self { market, season, games }),
        }
    }

    /// The league and model type.
    #[must_use]
    pub const fn market(&self) -> Market {
        self.market
    }

    /// The season.
    #[must_use]
    pub const fn season(&self) -> Season {
        self.season
    }

    /// The games, oldest first.
    #[must_use]
    pub fn games(&self) -> &[ArchivedGame] {
        &self.games
    }

    /// One game.
    #[must_use]
    pub fn get(&self, key: &GameKey) -> Option<&ArchivedGame> {
        self.games.binary_search_by(|game| game.facts.key.cmp(key)).ok().map(|index| &self.games[index])
    }

    /// The games without a final that may still get one, oldest first.
    pub fn unsettled(&self) -> impl Iterator<Item = &GameKey> {
        self.games.iter().map(|game| &game.facts).filter(|facts| !facts.is_over()).map(|facts| &facts.key)
    }

    /// Ends the games that have an ending now, each by its identity or, without one, by season and key.
    pub(crate) fn end<'e>(&mut self, ending: impl Fn(&str) -> Option<&'e Ending>) {
        let season = self.season;
        for facts in self.games.iter_mut().map(|game| &mut game.facts) {
            let named = facts.game_id.as_deref().map(Cow::Borrowed);
            let id = named.unwrap_or_else(|| format!("{season} {}", facts.key).into());
            if let Some(ending) = ending(&id) {
                facts.ending = Some(ending.clone());
                facts.forget_name_if_called_off();
            }
        }
    }

    /// Changes what is recorded of one game, if it is here.
    pub(crate) fn change(&mut self, key: &GameKey, change: impl FnOnce(&mut ArchivedGame)) {
        if let Ok(index) = self.games.binary_search_by(|game| game.facts.key.cmp(key)) {
            change(&mut self.games[index]);
        }
    }

    /// Gives games without an identity the one that belongs to their key.
    pub(crate) fn identify(&mut self, id_of: impl Fn(&GameKey) -> Option<String>) {
        for facts in self.games.iter_mut().map(|game| &mut game.facts) {
            if facts.game_id.is_none() {
                facts.game_id = id_of(&facts.key);
            }
        }
    }

    /// Changes what is recorded of games; their keys stay.
    pub(crate) fn change_all(&mut self, change: impl FnMut(&mut ArchivedGame)) {
        self.games.iter_mut().for_each(change);
    }
}
