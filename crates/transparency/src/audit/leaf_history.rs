//! The games of a tree, followed from leaf to leaf through changes of their starts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sports_domain::{GameKey, ModelType, Season};

use crate::{FormError, Leaf, LeafFact, RecordedEnding};

/// The leaves of a tree, read and followed.
#[derive(Debug)]
pub struct StatedLeaves {
    leaves: Vec<Leaf>,
    games: Vec<StatedGame>,
    /// The game that has a key after the last leaf.
    by_key: HashMap<GameKey, usize>,
    /// The market and the game of each forecast leaf.
    by_forecast: HashMap<u64, (ModelType, usize)>,
    /// The place of the first leaf of each model.
    models: BTreeMap<String, u64>,
    /// The places of the `release` leaf of each entry.
    releases: BTreeMap<u64, usize>,
    /// The moves that no game can make, in words, by the game as it was before.
    impossible: Vec<(GameKey, String)>,
}

/// The error for a leaf that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableLeaf {
    /// The index of the leaf.
    pub index: usize,
    pub reason: FormError,
}

/// The statements of the leaves about one game.
#[derive(Debug)]
pub(crate) struct StatedGame {
    pub(crate) key: GameKey,
    /// False for a withdrawn game whose key another game has now.
    pub(crate) has_key: bool,
    /// The season that the last leaf states.
    season: Season,
    /// The seasons that its forecasts state.
    forecast_in: BTreeSet<Season>,
    pub(crate) markets: BTreeMap<ModelType, Vec<MarketLeaf>>,
    pub(crate) ending: Option<RecordedEnding>,
    /// The last leaf that moved it.
    moved: Option<u64>,
}

/// A leaf about a game in one market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MarketLeaf {
    pub(crate) index: u64,
    pub(crate) is_withdrawal: bool,
}

/// A `moved` leaf.
#[derive(Clone, Copy)]
struct Move<'l> {
    index: usize,
    from: &'l GameKey,
    to: &'l GameKey,
    season: Season,
}

impl StatedGame {
    /// Returns `true` for a game of which a forecast, or the last leaf, states a season.
    fn is_of(&self, season: Season) -> bool {
        self.season == season || self.forecast_in.contains(&season)
    }

    /// Returns the markets in which the game has a forecast, each with its last leaf.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (ModelType, MarketLeaf)> {
        let last = self.markets.iter().filter_map(|(model_type, leaves)| Some((*model_type, *leaves.last()?)));
        last.filter(|(_, leaf)| !leaf.is_withdrawal)
    }

    /// Returns the leaf that withdrew the game's forecast in a market, if the leaves state no forecast and no other start since then:
    /// a game that went back to a start in the past has the forecast of that start again.
    pub(crate) fn withdrawal(&self, model_type: ModelType) -> Option<u64> {
        let last = self.markets.get(&model_type)?.last().filter(|leaf| leaf.is_withdrawal)?;
        self.moved.is_none_or(|moved| moved < last.index).then_some(last.index)
    }

    /// Returns `true` for a game that has lost its forecasts in all markets.
    ///
    /// No leaf then states the changes of its ending. If it is forecast again, a `final` leaf of the same entry states the
    /// ending that it has.
    fn is_withdrawn(&self) -> bool {
        !self.markets.is_empty() && self.standing().next().is_none()
    }
}

impl std::error::Error for UnreadableLeaf {}

impl std::fmt::Display for UnreadableLeaf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "leaf {}: {}", self.index, self.reason)
    }
}

impl StatedLeaves {
    /// Reads the texts of all leaves of a tree, in order.
    ///
    /// # Errors
    ///
    /// [`UnreadableLeaf`] for the first text that is not a leaf.
    pub fn read<T: AsRef<str>>(texts: &[T]) -> Result<Self, UnreadableLeaf> {
        let parsed = texts
            .iter()
            .enumerate()
            .map(|(index, text)| Leaf::parse(text.as_ref()).map_err(|reason| UnreadableLeaf { index, reason }));
        let leaves = parsed.collect::<Result<Vec<_>, _>>()?;
        let mut history = Self {
            leaves: Vec::new(),
            games: Vec::new(),
            by_key: HashMap::new(),
            by_forecast: HashMap::new(),
            models: BTreeMap::new(),
            releases: BTreeMap::new(),
            impossible: Vec::new(),
        };
        let mut moves = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            if let LeafFact::Moved { from, to, season } = &leaf.fact {
                moves.push(Move { index, from, to, season: *season });
                continue;
            }
            history.apply(&std::mem::take(&mut moves));
            history.add(index, leaf);
        }
        history.apply(&moves);
        Ok(Self { leaves, ..history })
    }

    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the number of the newest entry that the leaves state.
    pub fn newest_generation(&self) -> Option<u64> {
        self.releases.keys().next_back().copied()
    }

    /// Returns the indexes of the leaves about forecasts of the games of a season.
    pub fn forecast_leaves(&self, season: Season) -> impl Iterator<Item = u64> {
        self.games_of(season).flat_map(|game| game.markets.values().flatten().map(|leaf| leaf.index))
    }

    /// Returns `true` if a leaf states that the game with a key is one of a season.
    pub fn states_season(&self, key: &GameKey, season: Season) -> bool {
        self.game(key).is_some_and(|game| game.is_of(season))
    }

    /// Returns the moves that no game can make, in words, by the game as it was before.
    pub(crate) fn impossible_moves(&self) -> &[(GameKey, String)] {
        &self.impossible
    }

    /// Returns the `release` leaf of an entry.
    pub(crate) fn release(&self, generation: u64) -> Option<&Leaf> {
        self.releases.get(&generation).map(|place| &self.leaves[*place])
    }

    pub(crate) fn leaf(&self, index: u64) -> Option<&Leaf> {
        usize::try_from(index).ok().and_then(|index| self.leaves.get(index))
    }

    /// Returns the game that has a key now.
    pub(crate) fn game(&self, key: &GameKey) -> Option<&StatedGame> {
        self.by_key.get(key).map(|place| &self.games[*place])
    }

    /// Returns the market and the game of a forecast leaf.
    pub(crate) fn forecast(&self, index: u64) -> Option<(ModelType, &StatedGame)> {
        let (model_type, place) = self.by_forecast.get(&index)?;
        Some((*model_type, &self.games[*place]))
    }

    pub(crate) fn games_of(&self, season: Season) -> impl Iterator<Item = &StatedGame> {
        self.games.iter().filter(move |game| game.is_of(season))
    }

    /// Returns the number of forecast games between the first and the last date of a season that the leaves state to be of another
    /// one, by season.
    pub(crate) fn games_beside(&self, season: Season) -> BTreeMap<Season, u64> {
        let dates = || self.games_of(season).map(|game| game.key.date);
        let (Some(first), Some(last)) = (dates().min(), dates().max()) else { return BTreeMap::new() };
        let beside = |game: &&StatedGame| {
            (first..=last).contains(&game.key.date) && !game.is_of(season) && game.standing().next().is_some()
        };
        let mut by_season = BTreeMap::new();
        for game in self.games.iter().filter(beside) {
            *by_season.entry(game.season).or_default() += 1;
        }
        by_season
    }

    /// Returns the names of the models of which a leaf states a version.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    /// Returns `true` if a version of a model was stated before a leaf.
    pub(crate) fn knew_model(&self, model: &str, before: u64) -> bool {
        self.models.get(model).is_some_and(|index| *index < before)
    }

    /// Moves the games of one entry, all at once: two games can exchange their starts.
    fn apply(&mut self, moves: &[Move<'_>]) {
        let left: HashSet<_> = moves.iter().filter(|moved| moved.from != moved.to).map(|moved| moved.from).collect();
        let mut named = HashSet::new();
        let mut followed = Vec::new();
        for moved in moves {
            let is_repeated = !(named.insert((false, moved.from)) & named.insert((true, moved.to)));
            match self.refusal(moved, is_repeated, &left) {
                Some(reason) => {
                    self.impossible.push((moved.from.clone(), format!("leaf {} moves it {reason}", moved.index)));
                }
                None => followed.push((self.place(moved.from, moved.season), moved)),
            }
        }
        for (_, moved) in &followed {
            self.by_key.remove(moved.from);
        }
        for (place, moved) in followed {
            if let Some(other) = self.by_key.insert(moved.to.clone(), place) {
                self.games[other].has_key = false;
            }
            let game = &mut self.games[place];
            (game.key, game.season, game.moved) = (moved.to.clone(), moved.season, Some(moved.index as u64));
        }
    }

    /// Returns the reason for which no game can make a move among those of its entry, which leave the keys in `left`.
    fn refusal(&self, moved: &Move<'_>, is_repeated: bool, left: &HashSet<&GameKey>) -> Option<String> {
        let Move { from, to, .. } = moved;
        if from == to {
            return Some("to the start that it has".to_owned());
        }
        if (&from.away, &from.home) != (&to.away, &to.home) {
            return Some(format!("to {to}, a game of other teams"));
        }
        let is_taken = !left.contains(to) && self.game(to).is_some_and(|game| game.standing().next().is_some());
        (is_taken || is_repeated).then(|| format!("to {to}, and another game has that start"))
    }

    fn add(&mut self, index: usize, leaf: &Leaf) {
        let at = index as u64;
        match &leaf.fact {
            LeafFact::Release { .. } => _ = self.releases.insert(leaf.generation, index),
            LeafFact::Model { model, .. } => _ = self.models.entry(model.as_str().to_owned()).or_insert(at),
            LeafFact::Withdrawn { model_type, season, game } => {
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: true });
            }
            LeafFact::Forecast { model_type, season, game, .. } => {
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: false });
            }
            LeafFact::Final { season, game, ending } => {
                let place = self.place(game, *season);
                self.games[place].ending = Some(ending.clone());
            }
            LeafFact::Restart { .. } | LeafFact::Moved { .. } => {}
        }
    }

    fn add_to_market(&mut self, (game, season, model_type): (&GameKey, Season, ModelType), leaf: MarketLeaf) {
        let place = self.place(game, season);
        if !leaf.is_withdrawal {
            self.by_forecast.insert(leaf.index, (model_type, place));
        }
        let game = &mut self.games[place];
        game.season = season;
        if !leaf.is_withdrawal {
            game.forecast_in.insert(season);
            if game.is_withdrawn() {
                game.ending = None;
            }
        }
        game.markets.entry(model_type).or_default().push(leaf);
    }

    /// Returns the place of the game with a key, which is a new one if no leaf has named it.
    fn place(&mut self, key: &GameKey, season: Season) -> usize {
        if let Some(place) = self.by_key.get(key) {
            return *place;
        }
        self.games.push(StatedGame {
            key: key.clone(),
            has_key: true,
            season,
            forecast_in: BTreeSet::new(),
            markets: BTreeMap::new(),
            ending: None,
            moved: None,
        });
        self.by_key.insert(key.clone(), self.games.len() - 1);
        self.games.len() - 1
    }
}
