//! What is served of the current slate: the artifacts beside the season archives.

use std::collections::BTreeMap;

use sports_domain::{GameKey, GameLines, GameType, LineColumn, ModelType, Season};
use sports_slate::{OddsGame, SlateGame, TeamNames, is_another};

use crate::Extras;

/// A league's current odds, in the order of games; no key repeats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Odds {
    games: Vec<OddsGame>,
}

impl Odds {
    /// Puts games in order.
    #[must_use]
    pub fn new(mut games: Vec<OddsGame>) -> Self {
        games.sort_by(|a, b| a.key.cmp(&b.key));
        games.dedup_by(|a, b| a.key == b.key);
        Self { games }
    }

    /// The games, by date and time.
    #[must_use]
    pub fn games(&self) -> &[OddsGame] {
        &self.games
    }

    /// One game's odds.
    #[must_use]
    pub fn get(&self, key: &GameKey) -> Option<&OddsGame> {
        find(&self.games, key, |game| &game.key)
    }

    /// The odds of a game of this key and this id, as far as both are named.
    #[must_use]
    pub fn of(&self, key: &GameKey, match_id: Option<&str>) -> Option<&OddsGame> {
        self.get(key).filter(|game| game.is_of(key, match_id))
    }

    /// The same odds with games under their new keys; what was quoted at such a start under another name
    /// gives way.
    pub(crate) fn renamed(self, target: impl Fn(&GameKey, Option<&str>) -> Option<GameKey>) -> Self {
        let (mut moved, mut stayed) = (Vec::new(), Vec::new());
        for game in self.games {
            match target(&game.key, game.match_id.as_deref()) {
                Some(key) => moved.push(OddsGame { key, ..game }),
                None => stayed.push(game),
            }
        }
        moved.append(&mut stayed);
        Self::new(moved)
    }
}

/// One game of one market's predictions, as published.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedGame {
    /// The game, its lines and what the models say.
    pub game: SlateGame,
    /// The part of the season, where the publisher says so.
    pub game_type: Option<GameType>,
    /// Where the prices come from.
    pub quote_source: Option<String>,
    /// Columns the service does not know.
    pub extras: Extras,
}

/// One market's predictions of the current slate, in the order of games; no key repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    model_type: ModelType,
    season: Season,
    games: Vec<PredictedGame>,
    names: TeamNames,
}

impl Predictions {
    /// Puts games in order. `season` names the archive they are recorded in.
    #[must_use]
    pub fn new(model_type: ModelType, season: Season, mut games: Vec<PredictedGame>) -> Self {
        games.sort_by(|a, b| a.game.key.cmp(&b.game.key));
        games.dedup_by(|a, b| a.game.key == b.game.key);
        Self { model_type, season, games, names: TeamNames::default() }
    }

    /// The same predictions with what the publisher calls teams, those of earlier games included.
    #[must_use]
    pub fn naming(self, names: TeamNames) -> Self {
        Self { names, ..self }
    }

    /// Which market.
    #[must_use]
    pub const fn model_type(&self) -> ModelType {
        self.model_type
    }

    /// The season whose archive records them.
    #[must_use]
    pub const fn season(&self) -> Season {
        self.season
    }

    /// Calls teams by other names.
    pub(crate) fn name_teams(&mut self, names: TeamNames) {
        self.names = names;
    }

    /// What the publisher calls teams, as far as it ever wrote their names.
    #[must_use]
    pub const fn names(&self) -> &TeamNames {
        &self.names
    }

    /// The games, by date and time.
    #[must_use]
    pub fn games(&self) -> &[PredictedGame] {
        &self.games
    }

    /// One game's predictions.
    #[must_use]
    pub fn get(&self, key: &GameKey) -> Option<&PredictedGame> {
        find(&self.games, key, |game| &game.game.key)
    }

    /// The same predictions with games under their new keys.
    pub(crate) fn renamed(&self, target: impl Fn(&GameKey) -> Option<GameKey>) -> Self {
        let renamed = self.games.iter().cloned().map(|mut game| {
            game.game.key = target(&game.game.key).unwrap_or(game.game.key);
            game
        });
        Self::new(self.model_type, self.season, renamed.collect()).naming(self.names.clone())
    }
}

fn find<'a, T>(games: &'a [T], key: &GameKey, key_of: impl Fn(&T) -> &GameKey) -> Option<&'a T> {
    games.binary_search_by(|game| key_of(game).cmp(key)).ok().map(|index| &games[index])
}

/// The first quote the log has seen of each game, market by market.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openers(BTreeMap<GameKey, Opener>);

/// One game's first quotes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Opener {
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// The quotes: only the opening columns hold anything.
    pub lines: GameLines,
}

impl Openers {
    /// The openers of these games.
    #[must_use]
    pub const fn new(games: BTreeMap<GameKey, Opener>) -> Self {
        Self(games)
    }

    /// Every game, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&GameKey, &Opener)> {
        self.0.iter()
    }

    /// The first quotes of a game of this key and this id, as far as both are named.
    #[must_use]
    pub fn of(&self, key: &GameKey, match_id: Option<&str>) -> Option<&Opener> {
        self.get(key).filter(|opener| !is_another(opener.match_id.as_deref(), match_id))
    }

    /// One game's first quotes.
    #[must_use]
    pub fn get(&self, key: &GameKey) -> Option<&Opener> {
        self.0.get(key)
    }

    /// Takes the first quotes of a game's markets that were not quoted before. What another game was quoted
    /// at under this start is forgotten.
    pub fn note(&mut self, odds: &OddsGame) {
        let opener = self.0.entry(odds.key.clone()).or_default();
        if is_another(opener.match_id.as_deref(), odds.match_id.as_deref()) {
            *opener = Opener::default();
        }
        if opener.match_id.is_none() {
            opener.match_id.clone_from(&odds.match_id);
        }
        let (seen, now) = (&mut opener.lines, &odds.lines);
        if seen.open_money.positive.is_none() && seen.open_money.negative.is_none() {
            seen.open_money = now.money;
        }
        seen.open_spread = seen.open_spread.or(now.spread);
        seen.open_total = seen.open_total.or(now.total);
    }

    /// The same quotes with games under their new keys. One seen there before stays, unless it was of
    /// another game.
    pub(crate) fn renamed(self, target: impl Fn(&GameKey, Option<&str>) -> Option<GameKey>) -> Self {
        let (mut moved, mut openers) = (Vec::new(), BTreeMap::new());
        for (key, opener) in self.0 {
            match target(&key, opener.match_id.as_deref()) {
                Some(to) => moved.push((to, opener)),
                None => _ = openers.insert(key, opener),
            }
        }
        for (to, opener) in moved {
            let other = |seen: &Opener| is_another(seen.match_id.as_deref(), opener.match_id.as_deref());
            if openers.get(&to).is_none_or(other) {
                openers.insert(to, opener);
            }
        }
        Self(openers)
    }

    /// Forgets games dated before `first`.
    pub(crate) fn forget_before(&mut self, first: chrono::NaiveDate) {
        self.0.retain(|key, _| key.date >= first);
    }
}

/// The line columns that hold openers.
pub(crate) const OPENING: [LineColumn; 5] = [
    LineColumn::OpenHomeMoneyLine,
    LineColumn::OpenAwayMoneyLine,
    LineColumn::OpenHomePointSpread,
    LineColumn::OpenAwayPointSpread,
    LineColumn::OpenOverUnder,
];

/// One of the artifacts of a slate.
#[derive(Debug, Clone, PartialEq)]
pub enum SlateArtifact {
    /// Current odds.
    Odds(Odds),
    /// One market's predictions.
    Predictions(Predictions),
    /// First quotes.
    Openers(Openers),
}
