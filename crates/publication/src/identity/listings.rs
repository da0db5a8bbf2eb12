use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use sports_domain::{FinalScore, GameKey, Season, Sport, TeamSlug};

use super::on_record::{KnownGame, OnRecord};
use crate::{MovedBy, Place, Problem, Release, ReportedGame, RowIds};

/// A game as a release lists it: the content of all files under one season and key.
#[derive(Debug, Clone)]
pub struct Listing<'r> {
    /// The season in which it is listed.
    pub season: Season,
    pub key: &'r GameKey,
    /// Its first row.
    pub place: &'r Place,
    /// The publisher's id for it, and the row with that id.
    pub match_id: Option<(&'r str, &'r Place)>,
    /// The identity that a row gives, and that row.
    pub game_id: Option<(&'r str, &'r Place)>,
    pub score: Option<FinalScore>,
    /// The row of history that lists it.
    pub in_history: Option<&'r Place>,
    /// True if a file of predictions lists it.
    pub is_predicted: bool,
    /// True if the odds list it.
    pub is_quoted: bool,
    /// True if a row of history calls it off.
    pub is_called_off: bool,
    /// Its index among the listings of the release.
    pub(super) index: usize,
}

impl Listing<'_> {
    /// Returns true if the slate's files list it.
    pub const fn in_slate(&self) -> bool {
        self.is_predicted || self.is_quoted
    }

    /// Returns true if the listing and a game on record have final scores that differ.
    pub(super) fn has_other_final(&self, game: &KnownGame) -> bool {
        self.score.zip(game.score).is_some_and(|(one, other)| one != other)
    }

    /// Returns true if game numbers or finals distinguish two untimed games of a date with home and away exchanged.
    /// Only mlb has such days.
    ///
    /// One game under both orders would have one number, and each team one score.
    pub(super) fn is_apart_from(&self, exchanged: &GameKey, score: Option<FinalScore>, sport: Sport) -> bool {
        let numbers = self.key.game_number.zip(exchanged.game_number);
        let finals = self.score.zip(score);
        sport == Sport::Mlb
            && self.key.time.is_none()
            && exchanged.time.is_none()
            && (numbers.is_some_and(|(one, other)| one != other)
                || finals.is_some_and(|(one, other)| (one.away, one.home) != (other.home, other.away)))
    }

    /// Returns true if the listing and a game on record have ids of the publisher that differ.
    pub(super) fn has_other_name(&self, game: &KnownGame) -> bool {
        self.match_id.zip(game.match_id.as_deref()).is_some_and(|((one, _), other)| one != other)
    }

    /// Returns true if only forecasts or `held_games` refer to it; such a row creates no game.
    pub const fn is_reference(&self) -> bool {
        self.in_history.is_none() && !self.in_slate()
    }
}

/// A row of a publisher's file that names a game.
#[derive(Clone, Copy)]
struct Row<'r> {
    season: Season,
    key: &'r GameKey,
    place: &'r Place,
    match_id: Option<&'r str>,
    game_id: Option<&'r str>,
}

/// Indices of listings, by season and key.
pub(super) type Indices<'r> = BTreeMap<Season, HashMap<&'r GameKey, usize, RandomState>>;

/// Every game that a release lists, once each.
#[derive(Debug, Default)]
pub struct Listings<'r> {
    all: Vec<Listing<'r>>,
    by_key: Indices<'r>,
    by_pairing: HashMap<(TeamSlug, TeamSlug), Vec<usize>, RandomState>,
    by_match_id: HashMap<&'r str, usize, RandomState>,
    problems: Vec<Problem>,
}

impl<'r> Listings<'r> {
    /// Collects the games of a release; its slate is of the season `live`.
    pub fn of(release: &'r Release, live: Season) -> Self {
        let mut listings = Self::default();
        listings.slate(release, live);
        for history in &release.history {
            let season = history.season;
            let markets = || history.markets.values();
            let files = || history.shared.iter().chain(markets().flat_map(|market| &market.games));
            listings.reserve(season, files().map(|file| file.rows.len()).max().unwrap_or_default());
            for row in files().flat_map(|file| &file.rows) {
                if row.value.game_type.counts_in(release.sport) {
                    listings.reported(season, &row.place, &row.value);
                }
            }
            for row in markets().flat_map(|market| &market.forecasts) {
                let RowIds { game_id, match_id } = &row.value.ids;
                if listings.get(season, &row.value.key).is_none() || game_id.is_some() || match_id.is_some() {
                    let (match_id, game_id) = (match_id.as_deref(), game_id.as_deref());
                    listings.add(Row { season, key: &row.value.key, place: &row.place, match_id, game_id });
                }
            }
        }
        for held in release.held_games.values().flatten() {
            listings.add(Row::naming(live, &held.value, &held.place));
        }
        listings
    }

    fn reserve(&mut self, season: Season, games: usize) {
        self.all.reserve(games);
        self.by_key.entry(season).or_default().reserve(games);
    }

    fn slate(&mut self, release: &'r Release, season: Season) {
        for row in release.odds.iter().flatten() {
            let game = &row.value;
            let (match_id, game_id) = (game.match_id.as_deref(), game.game_id.as_deref());
            let place = self.add(Row { season, key: &game.key, place: &row.place, match_id, game_id });
            self.all[place].is_quoted = true;
        }
        for row in release.predictions.values().flat_map(|file| &file.rows) {
            let game = &row.value.game;
            let (match_id, game_id) = (game.match_id.as_deref(), game.game_id.as_deref());
            let place = self.add(Row { season, key: &game.key, place: &row.place, match_id, game_id });
            self.all[place].is_predicted = true;
        }
    }

    fn reported(&mut self, season: Season, place: &'r Place, game: &'r ReportedGame) {
        let is_called_off = game.ending.score.is_none() && game.ending.status.is_some();
        // A game that was called off has no name anymore.
        let match_id = game.match_id.as_deref().filter(|_| !is_called_off);
        let row = Row { season, key: &game.key, place, match_id, game_id: game.game_id.as_deref() };
        let listing = self.add(row);
        let listing = &mut self.all[listing];
        listing.score = listing.score.or(game.ending.score);
        listing.in_history.get_or_insert(place);
        listing.is_called_off |= is_called_off;
    }

    /// Adds a row to the listing of its key, and records contradicting names as problems.
    fn add(&mut self, row: Row<'r>) -> usize {
        let Row { season, key, place, match_id, game_id } = row;
        let index = *self.by_key.entry(season).or_default().entry(key).or_insert_with(|| {
            self.by_pairing.entry((key.away.clone(), key.home.clone())).or_default().push(self.all.len());
            self.all.push(Listing {
                season,
                key,
                place,
                match_id: None,
                game_id: None,
                score: None,
                in_history: None,
                is_predicted: false,
                is_quoted: false,
                is_called_off: false,
                index: self.all.len(),
            });
            self.all.len() - 1
        });
        if let Some(id) = match_id {
            self.name(index, id, place);
        }
        if let Some(id) = game_id {
            let (first, first_place) = *self.all[index].game_id.get_or_insert((id, place));
            if first != id {
                let expected = format!("one game_id for each game; {first_place} calls {key} `{first}`");
                self.problems.push(Problem::at(place.clone(), expected).in_cell("game_id", id));
            }
        }
        index
    }

    fn name(&mut self, index: usize, id: &'r str, place: &'r Place) {
        let key = self.all[index].key;
        let (first, first_place) = *self.all[index].match_id.get_or_insert((id, place));
        let problem = |expected: String| Problem::at(place.clone(), expected).in_cell("match_id", id);
        if first != id {
            self.problems.push(problem(format!("one match_id for each game; {first_place} calls {key} `{first}`")));
        }
        let other = *self.by_match_id.entry(id).or_insert(index);
        if other != index {
            let Listing { key: of, place, .. } = &self.all[other];
            self.problems.push(problem(format!("one game for each match_id; {place} has it for {of}")));
        }
    }

    /// Returns every listing.
    #[must_use = "iterators are lazy"]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Listing<'r>> {
        self.all.iter()
    }

    /// Returns the listing of a key.
    pub fn get(&self, season: Season, key: &GameKey) -> Option<&Listing<'r>> {
        let index = self.by_key.get(&season)?.get(key)?;
        Some(&self.all[*index])
    }

    /// Returns the index of each listing, by season and key.
    pub(super) fn into_indices(self) -> Indices<'r> {
        self.by_key
    }

    /// Returns the listing of a `match_id`.
    pub fn named(&self, match_id: &str) -> Option<&Listing<'r>> {
        self.by_match_id.get(match_id).map(|index| &self.all[*index])
    }

    /// Returns the listings of each ordered pairing.
    pub fn pairings(&self) -> impl Iterator<Item = impl Iterator<Item = &Listing<'r>>> {
        self.by_pairing.values().map(|places| places.iter().map(|index| &self.all[*index]))
    }

    /// Returns the listings in which `away` visits `home`.
    pub fn pairing(&self, away: &TeamSlug, home: &TeamSlug) -> impl Iterator<Item = &Listing<'r>> + use<'_, 'r> {
        self.by_pairing.get(&(away.clone(), home.clone())).into_iter().flatten().map(|index| &self.all[*index])
    }

    /// Returns the problems of games with contradicting names.
    pub(super) fn contradictions(&self) -> &[Problem] {
        &self.problems
    }
}

/// Returns true if a release whose slate is of the season `live` has a `match_id` or `game_id` that no game of a record
/// has.
pub fn has_unknown_names(release: &Release, on_record: &OnRecord, live: Season) -> bool {
    let is_unknown = |match_id: Option<&str>, game_id: Option<&str>| {
        match_id.is_some_and(|id| on_record.named(id).next().is_none())
            || game_id.is_some_and(|id| on_record.get(id).is_none())
    };
    let is_unknown_move = |by: &MovedBy| match by {
        MovedBy::GameId(id) => is_unknown(None, Some(id)),
        MovedBy::MatchId(id) => is_unknown(Some(id), None),
        MovedBy::Start(_) => false,
    };
    let listings = Listings::of(release, live);
    let listed = |listing: &Listing<'_>| is_unknown(listing.match_id.map(|it| it.0), listing.game_id.map(|it| it.0));
    listings.iter().any(listed) || release.moved.iter().any(|row| is_unknown_move(&row.value.by))
}

impl<'r> Row<'r> {
    /// Creates a row that identifies a game by its key alone.
    const fn naming(season: Season, key: &'r GameKey, place: &'r Place) -> Self {
        Self { season, key, place, match_id: None, game_id: None }
    }
}
