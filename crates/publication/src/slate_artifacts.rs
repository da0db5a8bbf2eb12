//! The served data of the current slate: the artifacts beside the season archives.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::{GameKey, GameType, LineColumn, ModelName, ModelType, Season};

use crate::registry::Registry;
use crate::slate::{OddsGame, SlateGame, TeamNames};
use crate::{EntryLeaves, Extras, Openers, RepeatedKey, SeasonArchive};

/// A league's current odds, in the order of games; no key repeats.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Odds {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_odds"))]
    games: Vec<OddsGame>,
}

impl Odds {
    /// Sorts the games.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] if two games have the same key.
    pub fn new(games: Vec<OddsGame>) -> Result<Self, RepeatedKey> {
        Ok(Self { games: in_order(games, |game| &game.key)? })
    }

    /// Returns the games, by date and time.
    pub fn games(&self) -> &[OddsGame] {
        &self.games
    }

    /// Returns the odds of a game.
    pub fn get(&self, key: &GameKey) -> Option<&OddsGame> {
        find(&self.games, key, |game| &game.key)
    }

    /// Changes all games; their keys stay.
    pub(crate) fn change_all(&mut self, change: impl FnMut(&mut OddsGame)) {
        self.games.iter_mut().for_each(change);
    }

    /// Replaces the odds of one game, or removes them if `instead` is `None`.
    pub(crate) fn replace(&mut self, key: &GameKey, instead: Option<OddsGame>) {
        self.games.retain(|game| game.key != *key);
        if let Some(game) = instead {
            let place = self.games.partition_point(|other| other.key < *key);
            self.games.insert(place, OddsGame { key: key.clone(), ..game });
        }
    }

    /// Returns the odds of a game by its identity.
    pub fn of_game(&self, game_id: Option<&str>) -> Option<&OddsGame> {
        self.games.iter().find(|game| game.game_id.as_deref() == game_id)
    }

    /// Returns the odds with games under their new keys. A moved game replaces the odds at its new start.
    pub(crate) fn renamed(self, target: impl Fn(&OddsGame) -> Option<GameKey>) -> Self {
        let (mut moved, mut games) = (Vec::new(), BTreeMap::new());
        for game in self.games {
            match target(&game) {
                Some(key) => moved.push(OddsGame { key, ..game }),
                None => _ = games.insert(game.key.clone(), game),
            }
        }
        games.extend(moved.into_iter().map(|game| (game.key.clone(), game)));
        Self { games: games.into_values().collect() }
    }
}

/// One game of one market's predictions, as published.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PredictedGame {
    /// The game, its lines and its probabilities.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub game: SlateGame,
    /// The part of the season, if stated.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub game_type: Option<GameType>,
    /// The source of the prices.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub quote_source: Option<String>,
    /// Values of columns that the service does not know.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serialized::is_default"))]
    pub extras: Extras,
}

/// One market's predictions of the current slate, in the order of games; no key repeats.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Predictions {
    model_type: ModelType,
    season: Season,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_predicted"))]
    games: Vec<PredictedGame>,
    #[cfg_attr(
        feature = "serde",
        serde(default, rename = "team_names", skip_serializing_if = "crate::serialized::is_default")
    )]
    names: TeamNames,
}

impl Predictions {
    /// Sorts the games. `season` is the season of the archive that records them.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] if two games have the same key.
    pub fn new(model_type: ModelType, season: Season, games: Vec<PredictedGame>) -> Result<Self, RepeatedKey> {
        let games = in_order(games, |game| &game.game.key)?;
        Ok(Self { model_type, season, games, names: TeamNames::default() })
    }

    /// Returns the predictions with these team names, which include names of earlier games.
    pub fn naming(self, names: TeamNames) -> Self {
        Self { names, ..self }
    }

    pub const fn model_type(&self) -> ModelType {
        self.model_type
    }

    /// Returns the season whose archive records them.
    pub const fn season(&self) -> Season {
        self.season
    }

    /// Replaces the team names.
    pub(crate) fn name_teams(&mut self, names: TeamNames) {
        self.names = names;
    }

    /// Returns the publisher's names of teams, as far as they are recorded.
    pub const fn names(&self) -> &TeamNames {
        &self.names
    }

    /// Returns the games, by date and time.
    pub fn games(&self) -> &[PredictedGame] {
        &self.games
    }

    /// Returns true if a model has a probability of any game.
    pub fn has_forecast_of(&self, model: ModelName) -> bool {
        self.games.iter().any(|game| game.game.probability(self.model_type, model).is_some())
    }

    /// Returns the models with a probability of any game.
    pub fn forecast_models(&self) -> BTreeSet<ModelName> {
        self.games.iter().flat_map(|game| game.game.models()).collect()
    }

    /// Returns the predictions of a game.
    pub fn get(&self, key: &GameKey) -> Option<&PredictedGame> {
        find(&self.games, key, |game| &game.game.key)
    }

    /// Returns the predictions with one game replaced, or removed if `instead` is `None`.
    pub(crate) fn with_game(&self, key: &GameKey, instead: Option<&PredictedGame>) -> Self {
        let mut games = self.games.clone();
        let place = games.binary_search_by(|game| game.game.key.cmp(key));
        let instead = instead.cloned().map(|mut game| {
            game.game.key = key.clone();
            game
        });
        let replaced = place.map_or_else(|free| free..free, |index| index..index + 1);
        games.splice(replaced, instead);
        Self { games, ..self.clone() }
    }

    /// Returns the predictions with the lines and prices of odds. A market of a game that the odds do not quote keeps its own,
    /// and openers stay.
    #[must_use]
    pub fn quoting(&self, odds: &Odds) -> Self {
        let mut requoted = self.clone();
        requoted.change_all(|game| {
            let Some(quoted) = odds.get(&game.key).map(|quoted| &quoted.lines) else { return };
            for model_type in ModelType::ALL {
                let columns = LineColumn::of_market(model_type).iter().filter(|column| !OPENING.contains(column));
                if columns.clone().any(|column| quoted.value(*column).is_some()) {
                    columns.for_each(|column| game.lines.copy_column(quoted, *column));
                }
            }
        });
        requoted
    }

    /// Changes all games; their keys stay.
    pub(crate) fn change_all(&mut self, mut change: impl FnMut(&mut SlateGame)) {
        self.change_all_predicted(|game| change(&mut game.game));
    }

    /// Changes all games with their extra columns; their keys stay.
    pub(crate) fn change_all_predicted(&mut self, change: impl FnMut(&mut PredictedGame)) {
        self.games.iter_mut().for_each(change);
    }
}

/// Sorts games by date and time.
fn in_order<T>(mut games: Vec<T>, key_of: impl Fn(&T) -> &GameKey) -> Result<Vec<T>, RepeatedKey> {
    games.sort_by(|a, b| key_of(a).cmp(key_of(b)));
    match games.windows(2).find(|pair| key_of(&pair[0]) == key_of(&pair[1])) {
        Some(pair) => Err(RepeatedKey(key_of(&pair[0]).clone())),
        None => Ok(games),
    }
}

fn find<'a, T>(games: &'a [T], key: &GameKey, key_of: impl Fn(&T) -> &GameKey) -> Option<&'a T> {
    games.binary_search_by(|game| key_of(game).cmp(key)).ok().map(|index| &games[index])
}

/// The line columns that hold openers.
pub(crate) const OPENING: [LineColumn; 5] = [
    LineColumn::OpenHomeMoneyLine,
    LineColumn::OpenAwayMoneyLine,
    LineColumn::OpenHomePointSpread,
    LineColumn::OpenAwayPointSpread,
    LineColumn::OpenOverUnder,
];

#[cfg(feature = "serde")]
fn deserialize_odds<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<OddsGame>, D::Error> {
    let games = serde::Deserialize::deserialize(from)?;
    in_order(games, |game: &OddsGame| &game.key).map_err(serde::de::Error::custom)
}

#[cfg(feature = "serde")]
fn deserialize_predicted<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<PredictedGame>, D::Error> {
    let games = serde::Deserialize::deserialize(from)?;
    in_order(games, |game: &PredictedGame| &game.game.key).map_err(serde::de::Error::custom)
}

/// A small artifact beside the season archives: a part of the slate, the declared models, or leaves of the tree.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "kind", rename_all = "lowercase"))]
pub enum SlateArtifact {
    /// Current odds.
    Odds(Odds),
    /// One market's predictions.
    Predictions(Predictions),
    /// First quotes.
    Openers(Openers),
    /// The declared models.
    Models(Registry),
    /// The leaves that one entry adds to the tree.
    Leaves(EntryLeaves),
}

/// Season archives by model type and season.
pub type SeasonArchives = BTreeMap<(ModelType, Season), SeasonArchive>;

/// A league's published content, opened as far as a change needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LeagueRecord {
    pub archives: SeasonArchives,
    pub predictions: BTreeMap<ModelType, Predictions>,
    pub odds: Option<Odds>,
    /// The first quotes of current games.
    pub openers: Openers,
}
