//! The games of a tree, followed from leaf to leaf through changes of their starts.

use std::collections::{BTreeMap, HashMap};

use sports_domain::{GameKey, ModelType, Season};

use crate::{Leaf, NotALeaf, RecordedEnding};

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
}

/// The error for a leaf that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableLeaf {
    /// The index of the leaf.
    pub index: usize,
    /// The reason.
    pub reason: NotALeaf,
}

/// The statements of the leaves about one game.
#[derive(Debug)]
pub(crate) struct StatedGame {
    pub(crate) key: GameKey,
    pub(crate) season: Season,
    pub(crate) markets: BTreeMap<ModelType, Vec<MarketLeaf>>,
    pub(crate) ending: Option<RecordedEnding>,
}

/// A leaf about a game in one market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MarketLeaf {
    pub(crate) index: u64,
    pub(crate) is_withdrawal: bool,
}

impl StatedGame {
    /// Returns `true` for a game that has lost its forecasts in all markets.
    ///
    /// No leaf then states the changes of its ending. If it is forecast again, a `final` leaf of the same entry states the
    /// ending that it has.
    fn is_withdrawn(&self) -> bool {
        let mut last = self.markets.values().filter_map(|leaves| leaves.last());
        !self.markets.is_empty() && last.all(|leaf| leaf.is_withdrawal)
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
        };
        let mut moves = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            if let Leaf::Moved { from, to, season, .. } = leaf {
                moves.push((from, to, *season));
                continue;
            }
            history.apply(std::mem::take(&mut moves));
            history.add(index, leaf);
        }
        history.apply(moves);
        Ok(Self { leaves, ..history })
    }

    /// Returns the leaves.
    #[must_use]
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the number of the newest entry that the leaves state.
    #[must_use]
    pub fn newest_generation(&self) -> Option<u64> {
        self.releases.keys().next_back().copied()
    }

    /// Returns the indexes of the leaves about forecasts of a season, by the season of each leaf.
    pub fn forecast_leaves(&self, season: Season) -> impl Iterator<Item = u64> {
        let games = self.games.iter().filter(move |game| game.season == season);
        games.flat_map(|game| game.markets.values().flatten().map(|leaf| leaf.index))
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
        self.games.iter().filter(move |game| game.season == season)
    }

    /// Returns `true` if a version of a model was stated before a leaf.
    pub(crate) fn knew_model(&self, model: &str, before: u64) -> bool {
        self.models.get(model).is_some_and(|index| *index < before)
    }

    /// Moves the games of one entry, all at once: two games can exchange their starts.
    fn apply(&mut self, moves: Vec<(&GameKey, &GameKey, Season)>) {
        let followed: Vec<_> = moves
            .into_iter()
            .map(|(from, to, season)| {
                let place = self.place(from, season);
                self.by_key.remove(from);
                (place, to, season)
            })
            .collect();
        for (place, to, season) in followed {
            self.by_key.insert(to.clone(), place);
            let game = &mut self.games[place];
            (game.key, game.season) = (to.clone(), season);
        }
    }

    fn add(&mut self, index: usize, leaf: &Leaf) {
        let at = index as u64;
        match leaf {
            Leaf::Release { generation, .. } => _ = self.releases.insert(*generation, index),
            Leaf::Model { model, .. } => _ = self.models.entry(model.as_str().to_owned()).or_insert(at),
            Leaf::Withdrawn { model_type, season, game, .. } => {
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: true });
            }
            Leaf::Forecast { model_type, season, game, .. } => {
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: false });
            }
            Leaf::Final { season, game, ending, .. } => {
                let place = self.place(game, *season);
                self.games[place].ending = Some(ending.clone());
            }
            Leaf::Restart { .. } | Leaf::Earlier { .. } | Leaf::Moved { .. } => {}
        }
    }

    fn add_to_market(&mut self, (game, season, model_type): (&GameKey, Season, ModelType), leaf: MarketLeaf) {
        let place = self.place(game, season);
        if !leaf.is_withdrawal {
            self.by_forecast.insert(leaf.index, (model_type, place));
        }
        let game = &mut self.games[place];
        game.season = season;
        if !leaf.is_withdrawal && game.is_withdrawn() {
            game.ending = None;
        }
        game.markets.entry(model_type).or_default().push(leaf);
    }

    /// Returns the place of the game with a key, which is a new one if no leaf has named it.
    fn place(&mut self, key: &GameKey, season: Season) -> usize {
        if let Some(place) = self.by_key.get(key) {
            return *place;
        }
        self.games.push(StatedGame { key: key.clone(), season, markets: BTreeMap::new(), ending: None });
        self.by_key.insert(key.clone(), self.games.len() - 1);
        self.games.len() - 1
    }
}
