//! The games of a tree, followed from leaf to leaf through changes of their starts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use sports_domain::{ClockSource, GameKey, ModelType, Season, eastern_instant};

use crate::{FormError, Leaf, LeafFact, RecordedEnding};

/// The leaves of a tree, read and followed.
#[derive(Debug)]
pub struct StatedLeaves {
    /// The place of the first leaf in the tree.
    first: u64,
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
    /// The seasons that its leaves state.
    seasons: BTreeSet<Season>,
    pub(crate) markets: BTreeMap<ModelType, Vec<MarketLeaf>>,
    pub(crate) ending: Option<RecordedEnding>,
    /// The key that the first leaf states.
    pub(crate) first: GameKey,
    /// Its leaves, in the order of the tree.
    pub(crate) statements: Vec<Statement>,
}

/// The statement of a leaf about a game that was followed to it.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    /// The index of the leaf.
    pub(crate) index: u64,
    /// The entry of the leaf.
    pub(crate) generation: u64,
    pub(crate) said: Said,
}

#[derive(Debug, Clone)]
pub(crate) enum Said {
    Moved(GameKey),
    Withdrawn(ModelType),
    Forecast(ModelType),
    Ended(RecordedEnding),
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
    index: u64,
    generation: u64,
    from: &'l GameKey,
    to: &'l GameKey,
    season: Season,
}

/// Returns the start of a game in seconds since 1970; of a game without a time the end of its day.
pub(crate) fn start_of(key: &GameKey) -> i64 {
    let midnight = || eastern_instant(key.date.succ_opt().unwrap_or(key.date), chrono::NaiveTime::MIN);
    key.time.map_or_else(midnight, |time| eastern_instant(key.date, time)).timestamp()
}

impl StatedGame {
    /// Returns `true` for a game of which a leaf states a season.
    fn is_of(&self, season: Season) -> bool {
        self.seasons.contains(&season)
    }

    /// Returns the markets in which the game has a forecast, each with its last leaf.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (ModelType, MarketLeaf)> {
        let last = self.markets.iter().filter_map(|(model_type, leaves)| Some((*model_type, *leaves.last()?)));
        last.filter(|(_, leaf)| !leaf.is_withdrawal)
    }

    /// Returns the forecasts that an audit needs the numbers of, with their markets: the last one in each market, the last one
    /// before each withdrawal and each new start, which may have come too late, and where a start is brought back, all from the
    /// last one that was published before it. `published` is the publication of an entry in seconds since 1970.
    pub(crate) fn to_open(&self, published: impl Fn(u64) -> Option<i64>) -> BTreeMap<u64, ModelType> {
        let mut found = BTreeMap::new();
        let mut forecasts: BTreeMap<ModelType, Vec<(u64, u64)>> = BTreeMap::new();
        let mut start = start_of(&self.first);
        for Statement { index, generation, said } in &self.statements {
            match said {
                Said::Forecast(market) => forecasts.entry(*market).or_default().push((*index, *generation)),
                Said::Withdrawn(market) => {
                    found.extend(
                        forecasts.get(market).and_then(|known| known.last()).map(|(index, _)| (*index, *market)),
                    );
                }
                Said::Moved(to) => {
                    let (new, is_behind) = (start_of(to), start_of(to) < start);
                    for (market, known) in &forecasts {
                        for (index, generation) in known.iter().rev() {
                            found.insert(*index, *market);
                            if !is_behind || published(*generation).is_some_and(|own| own < new) {
                                break;
                            }
                        }
                    }
                    start = new;
                }
                Said::Ended(_) => {}
            }
        }
        found.extend(forecasts.iter().filter_map(|(market, known)| Some((known.last()?.0, *market))));
        found
    }

    fn note(&mut self, index: u64, generation: u64, said: Said) {
        self.statements.push(Statement { index, generation, said });
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
        Ok(Self::of(0, parsed.collect::<Result<_, _>>()?))
    }

    /// Follows the games of some leaves, from the one at `first` on.
    pub fn of(first: u64, leaves: Vec<Leaf>) -> Self {
        let mut history = Self {
            first,
            leaves: Vec::new(),
            games: Vec::new(),
            by_key: HashMap::new(),
            by_forecast: HashMap::new(),
            models: BTreeMap::new(),
            releases: BTreeMap::new(),
            impossible: Vec::new(),
        };
        let mut moves = Vec::new();
        for (place, leaf) in leaves.iter().enumerate() {
            let index = first + place as u64;
            if let LeafFact::Moved { from, to, season } = &leaf.fact {
                moves.push(Move { index, generation: leaf.generation, from, to, season: *season });
                continue;
            }
            history.apply(&std::mem::take(&mut moves));
            history.add(place, leaf);
        }
        history.apply(&moves);
        Self { leaves, ..history }
    }

    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the kinds of leaves that this program does not know, with the number of each.
    pub fn unknown_kinds(&self) -> BTreeMap<&str, usize> {
        let mut kinds = BTreeMap::new();
        for leaf in self.leaves.iter().filter(|leaf| leaf.fact.is_unknown()) {
            *kinds.entry(leaf.fact.kind()).or_default() += 1;
        }
        kinds
    }

    /// Returns the number of the newest entry that the leaves state.
    pub fn newest_generation(&self) -> Option<u64> {
        self.releases.keys().next_back().copied()
    }

    /// Returns the indexes of the leaves about the games of a season, and of those that state a loss.
    pub fn leaves_about(&self, season: Season) -> BTreeSet<u64> {
        let about = self.games_of(season).flat_map(|game| game.statements.iter().map(|statement| statement.index));
        let lost = (self.first..).zip(&self.leaves).filter(|(_, leaf)| leaf.fact.lost_checkpoint().is_some());
        about.chain(lost.map(|(index, _)| index)).collect()
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

    /// Returns the publication of an entry and the origin of that instant, as its `release` leaf states them.
    pub(crate) fn published(&self, generation: u64) -> Option<(DateTime<Utc>, ClockSource)> {
        match self.release(generation)?.fact {
            LeafFact::Release { published_at, clock, .. } => Some((published_at, clock)),
            _ => None,
        }
    }

    /// Returns the forecasts of a season that an audit needs the numbers of, with their markets: the last one of each game, the
    /// last one before each withdrawal and each new start, and all behind a start that was brought back, with the one before.
    pub fn to_open(&self, season: Season) -> BTreeMap<u64, ModelType> {
        self.games_of(season).flat_map(|game| self.forecasts_to_open(game)).collect()
    }

    pub(crate) fn forecasts_to_open(&self, game: &StatedGame) -> BTreeMap<u64, ModelType> {
        game.to_open(|generation| Some(self.published(generation)?.0.timestamp()))
    }

    /// Returns the present key of the game of a forecast, if no other game has it now.
    pub fn present_key(&self, forecast: u64) -> Option<&GameKey> {
        self.forecast(forecast).filter(|(_, game)| game.has_key).map(|(_, game)| &game.key)
    }

    /// Returns the present key of the game of a forecast, which another game may have, too.
    pub fn game_of(&self, forecast: u64) -> Option<&GameKey> {
        self.forecast(forecast).map(|(_, game)| &game.key)
    }

    /// Returns the forecast of the same game and market before this one, if no withdrawal is between.
    pub fn forecast_before(&self, index: u64) -> Option<u64> {
        let (market, game) = self.forecast(index)?;
        let leaves = game.markets.get(&market)?;
        let place = leaves.iter().position(|leaf| leaf.index == index)?.checked_sub(1)?;
        leaves.get(place).filter(|before| !before.is_withdrawal).map(|before| before.index)
    }

    pub fn leaf(&self, index: u64) -> Option<&Leaf> {
        let place = index.checked_sub(self.first)?;
        usize::try_from(place).ok().and_then(|place| self.leaves.get(place))
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
            (game.key, game.season) = (moved.to.clone(), moved.season);
            game.seasons.insert(moved.season);
            game.note(moved.index, moved.generation, Said::Moved(moved.to.clone()));
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

    fn add(&mut self, place: usize, leaf: &Leaf) {
        let at = self.first + place as u64;
        match &leaf.fact {
            LeafFact::Release { .. } => _ = self.releases.insert(leaf.generation, place),
            LeafFact::Model { model, .. } => _ = self.models.entry(model.as_str().to_owned()).or_insert(at),
            LeafFact::Withdrawn { model_type, season, game } => {
                let said = Said::Withdrawn(*model_type);
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: true }).note(
                    at,
                    leaf.generation,
                    said,
                );
            }
            LeafFact::Forecast { model_type, season, game, .. } => {
                let said = Said::Forecast(*model_type);
                self.add_to_market((game, *season, *model_type), MarketLeaf { index: at, is_withdrawal: false }).note(
                    at,
                    leaf.generation,
                    said,
                );
            }
            LeafFact::Final { season, game, ending } => {
                let place = self.place(game, *season);
                self.games[place].ending = Some(ending.clone());
                self.games[place].note(at, leaf.generation, Said::Ended(ending.clone()));
            }
            LeafFact::Restart { .. } | LeafFact::Key { .. } | LeafFact::Moved { .. } | LeafFact::Unknown { .. } => {}
        }
    }

    fn add_to_market(
        &mut self,
        (game, season, model_type): (&GameKey, Season, ModelType),
        leaf: MarketLeaf,
    ) -> &mut StatedGame {
        let place = self.place(game, season);
        if !leaf.is_withdrawal {
            self.by_forecast.insert(leaf.index, (model_type, place));
        }
        let game = &mut self.games[place];
        game.season = season;
        game.seasons.insert(season);
        if !leaf.is_withdrawal && game.is_withdrawn() {
            game.ending = None;
        }
        game.markets.entry(model_type).or_default().push(leaf);
        game
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
            seasons: [season].into(),
            markets: BTreeMap::new(),
            ending: None,
            first: key.clone(),
            statements: Vec::new(),
        });
        self.by_key.insert(key.clone(), self.games.len() - 1);
        self.games.len() - 1
    }
}
