//! The resolution of a whole release, which runs before any other code reads the release.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, Season, Sport};

use super::listings::{Indices, Listing, Listings};
use super::on_record::{KnownGame, OnRecord};
use super::resolver::{Identity, Refusal, Resolver};
use super::rules::NewGames;
use super::start::{Distance, Start};
use super::stated::Stated;
use crate::slate::is_another;
use crate::{Place, Problem, Release, Reschedule};

/// The game of a release's rows, as it is on record afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Its identity.
    pub id: Arc<str>,
    /// Its key, if it differs from the key of the rows.
    pub key: Option<GameKey>,
    /// Its `match_id` after the release, if any.
    pub match_id: Option<String>,
    /// The game as it was on record; `None` for a new game.
    pub known: Option<Known>,
}

/// A game as it was on record before a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub start: Start,
    /// True if it was in an archive or among the predictions, not only among odds.
    pub is_recorded: bool,
    /// True if it had closed with a live forecast in a market.
    pub has_closed: bool,
}

/// A game on record that gets another key or season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Its identity.
    pub id: Arc<str>,
    /// Its present key, and the new one.
    pub made: Reschedule,
    /// Its present season, and the new one.
    pub seasons: (Season, Season),
    /// True if the release lists it under `moved`.
    pub is_stated: bool,
    /// True if it was on record with a live forecast, or on the slate.
    pub is_live: bool,
    /// True if files of the slate or `moved` list it.
    pub in_slate: bool,
}

/// Two listings of one pairing with the same final, which may be one game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubtful(pub GameKey, pub GameKey);

/// The game of a listing.
#[derive(Debug, Clone, Default)]
enum ListedGame {
    /// The listing refers to a game that nothing records.
    #[default]
    Unknown,
    Refused,
    Found(Resolved),
}

/// The games of a release's listings.
#[derive(Debug, Default)]
pub struct Resolution<'r> {
    indices: Indices<'r>,
    /// The game of each listing, by its index.
    games: Vec<ListedGame>,
    moves: Vec<Move>,
    problems: Vec<Problem>,
    doubtful: Vec<Doubtful>,
    off_by_a_day: Vec<GameKey>,
    near_names: Vec<(String, String)>,
    new_names: HashMap<Arc<str>, String, RandomState>,
}

impl<'r> Resolution<'r> {
    /// Resolves every listing of a release whose slate is of the season `live`.
    pub fn of(release: &'r Release, on_record: &OnRecord, live: Season, now: DateTime<Utc>) -> Self {
        let listings = Listings::of(release, live);
        let problems = listings.contradictions().to_vec();
        let games = vec![ListedGame::default(); listings.iter().len()];
        let mut resolution = Self { games, problems, ..Self::default() };
        let stated = Stated::find(&release.moved, on_record, &listings, live, now);
        let stated = stated.unwrap_or_else(|problems| {
            resolution.problems.extend(problems);
            Stated::default()
        });
        let sport = release.sport;
        resolution.check_distances(sport, &listings);
        let resolver = Resolver { sport, on_record, listings: &listings, stated: &stated, now };
        let mut whole =
            ResolutionBuilder { resolver, by_game: HashMap::default(), new: Vec::new(), moves: BTreeMap::new() };
        whole.state(live);
        for listing in listings.iter() {
            whole.take(listing, &mut resolution);
        }
        whole.check_targets(&mut resolution);
        whole.check_new_starts(&mut resolution);
        whole.name_games(&mut resolution);
        resolution.near_names = near_names(&listings, on_record);
        resolution.near_names.sort();
        resolution.doubtful.sort();
        resolution.indices = listings.into_indices();
        resolution
    }

    fn put(&mut self, listing: &Listing<'r>, resolved: Option<Resolved>) {
        self.games[listing.index] = resolved.map_or(ListedGame::Refused, ListedGame::Found);
    }

    fn listed(&self, season: Season, key: &GameKey) -> &ListedGame {
        let index = self.indices.get(&season).and_then(|indices| indices.get(key));
        index.map_or(&ListedGame::Unknown, |index| &self.games[*index])
    }

    /// Returns the game of the rows with a key in a season; `None` if the listing was refused or not resolved.
    pub fn game(&self, season: Season, key: &GameKey) -> Option<&Resolved> {
        match self.listed(season, key) {
            ListedGame::Found(resolved) => Some(resolved),
            ListedGame::Unknown | ListedGame::Refused => None,
        }
    }

    /// Returns the game of the rows with a key in a season as it was on record.
    pub fn known(&self, season: Season, key: &GameKey) -> Option<Known> {
        self.game(season, key)?.known
    }

    /// Returns true if the rows with a key in a season were refused.
    pub fn is_refused(&self, season: Season, key: &GameKey) -> bool {
        matches!(self.listed(season, key), ListedGame::Refused)
    }

    /// Returns the games whose key or season changes.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns a problem for every refused listing.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the new `match_id` of each recorded game whose `match_id` changes.
    pub(super) const fn new_names(&self) -> &HashMap<Arc<str>, String, RandomState> {
        &self.new_names
    }

    /// Returns neighbouring listings with the same final.
    pub fn doubtful(&self) -> &[Doubtful] {
        &self.doubtful
    }

    /// Returns new games that may be games on record with a date that is off by a day: neither a time nor a final shows it.
    pub fn off_by_a_day(&self) -> &[GameKey] {
        &self.off_by_a_day
    }

    /// Returns ids that differ from a recorded `match_id` by case alone, each before the recorded id.
    pub fn near_names(&self) -> &[(String, String)] {
        &self.near_names
    }

    /// Refuses listings of two teams that are too close together, and collects doubtful listings outside mlb. The games of
    /// one pairing and season may be any time apart in mlb.
    fn check_distances(&mut self, sport: Sport, listings: &Listings<'r>) {
        for pairing in listings.pairings() {
            let mut days: Vec<&Listing<'r>> = pairing.filter(|listing| !listing.is_reference()).collect();
            days.sort_by(|one, other| one.key.cmp(other.key));
            for pair in days.windows(2) {
                let [start, next] = [pair[0], pair[1]].map(|listing| Start::of(listing.key));
                let is_one_game = start.is_of_one_game(next, sport);
                if pair[0].season != pair[1].season {
                    self.problems.extend(is_one_game.then(|| Refusal::two_seasons(pair[1], pair[0]).into()));
                } else if sport != Sport::Mlb && is_one_game {
                    self.problems.push(Refusal::listed_twice(pair[1], pair[0]).into());
                } else if sport != Sport::Mlb && start.distance(next) == Distance::Doubtful {
                    let has_one_final = pair[0].score.is_some() && pair[0].score == pair[1].score;
                    self.doubtful.extend(has_one_final.then(|| Doubtful(pair[0].key.clone(), pair[1].key.clone())));
                }
            }
        }
        for listing in listings.iter().filter(|listing| !listing.is_reference()) {
            let start = Start::of(listing.key);
            let mut swapped = listings.pairing(&listing.key.home, &listing.key.away);
            let other = swapped.find(|other| {
                let is_near = other.key < listing.key && start.is_of_one_game(Start::of(other.key), sport);
                !other.is_reference() && is_near && !listing.is_apart_from(other.key, other.score, sport)
            });
            self.problems.extend(other.map(|other| Refusal::swapped_listing(listing, other).into()));
        }
    }
}

/// The state of resolving all listings of a release together.
struct ResolutionBuilder<'a, 'r> {
    resolver: Resolver<'a, 'r>,
    /// The first listing of each game on record.
    by_game: HashMap<&'a str, &'a Listing<'r>, RandomState>,
    new: Vec<&'a Listing<'r>>,
    moves: BTreeMap<Arc<str>, (&'r Place, Move)>,
}

impl<'a, 'r> ResolutionBuilder<'a, 'r> {
    /// Adds the moves that the release states, even if its files do not list their games.
    fn state(&mut self, season: Season) {
        let stated: Vec<_> = self.resolver.stated.games().cloned().collect();
        for stated in stated {
            self.add_move(stated.game, stated.to, season, stated.place, true, true);
        }
    }

    fn add_move(
        &mut self,
        game: &KnownGame,
        to: &GameKey,
        season: Season,
        place: &'r Place,
        is_stated: bool,
        in_slate: bool,
    ) {
        if game.key == *to && game.season == season {
            return;
        }
        let made = Move {
            id: Arc::clone(&game.id),
            made: Reschedule { from: game.key.clone(), to: to.clone() },
            seasons: (game.season, season),
            is_stated,
            is_live: game.is_live(),
            in_slate,
        };
        self.moves.entry(Arc::clone(&game.id)).or_insert((place, made));
    }

    fn take(&mut self, listing: &'a Listing<'r>, resolution: &mut Resolution<'r>) {
        let game = match self.resolver.game_of(listing) {
            Identity::New => return self.new.push(listing),
            Identity::Refused(refusal) => {
                resolution.problems.push(refusal.into());
                resolution.put(listing, None);
                return;
            }
            Identity::Same(game) => game,
            Identity::Rescheduled { game, .. } => {
                let is_stated = self.resolver.stated.target(game).is_some();
                self.add_move(game, listing.key, listing.season, listing.place, is_stated, listing.in_slate());
                game
            }
        };
        if let Some(refusal) = self.contradiction(listing, game) {
            resolution.problems.push(refusal.into());
            resolution.put(listing, None);
            return;
        }
        let match_id = Self::match_id(listing, game, resolution);
        let known = Some(self.known(game));
        resolution.put(listing, Some(Resolved { id: Arc::clone(&game.id), key: None, match_id, known }));
        self.by_game.entry(&game.id).or_insert(listing);
    }

    fn known(&self, game: &KnownGame) -> Known {
        let has_closed = game.is_live() && game.has_closed(self.resolver.now);
        Known { start: game.start(), is_recorded: game.is_recorded(), has_closed }
    }

    /// Returns the id of a game after the release. Predictions may replace it, and so may history of imported games.
    fn match_id(listing: &Listing<'r>, game: &KnownGame, resolution: &mut Resolution<'r>) -> Option<String> {
        let given = listing.match_id.map(|(id, _)| id).filter(|_| !game.is_called_off);
        let may_replace = listing.is_predicted || (!listing.is_quoted && !game.is_live()) || !game.is_recorded();
        match (given, &game.match_id) {
            (Some(new), Some(known)) if may_replace && new != known => {
                resolution.new_names.insert(Arc::clone(&game.id), new.to_owned());
                Some(new.to_owned())
            }
            (_, known) => known.clone(),
        }
    }

    /// Returns a refusal if the listing gives another identity than the game's, or if the release lists the game
    /// already.
    fn contradiction(&self, listing: &Listing<'r>, game: &'a KnownGame) -> Option<Refusal> {
        if let Some((id, _)) = listing.game_id.filter(|(id, _)| **id != *game.id) {
            return Some(Refusal::wrong_id(listing, id, &game.id));
        }
        if listing.is_reference() {
            return None;
        }
        let first = self.by_game.get(&*game.id).filter(|first| !first.is_reference())?;
        (first.key != listing.key).then(|| Refusal::one_game(listing, first, game))
    }

    /// Refuses moves to a start that another game keeps, until no such move remains. A game may take the start of a
    /// game that leaves it.
    fn check_targets(&mut self, resolution: &mut Resolution<'r>) {
        loop {
            let is_taken = |made: &Move| {
                let there = self.resolver.on_record.at(made.seasons.1, &made.made.to);
                let stays = |game: &KnownGame| game.id != made.id && !self.moves.contains_key(&game.id);
                there.is_some_and(|game| stays(game) && self.is_kept(&made.id, game))
            };
            let Some(id) = self.moves.iter().find(|(_, (_, made))| is_taken(made)).map(|(id, _)| Arc::clone(id)) else {
                return;
            };
            if let Some((place, Move { made: Reschedule { from, to }, .. })) = self.moves.remove(&id) {
                resolution.problems.push(Refusal::taken(place, &from, &to).into());
            }
        }
    }

    /// Refuses moves to a start too close to another game of the two teams, and new games too close to a start under
    /// `moved`. In mlb the other game is of no concern unless it was called off after its start. Games that an earlier
    /// version recorded too close to each other may stay so.
    fn check_new_starts(&self, resolution: &mut Resolution<'r>) {
        let (sport, on_record) = (self.resolver.sport, self.resolver.on_record);
        for (id, (place, made)) in &self.moves {
            let Reschedule { from, to } = &made.made;
            let known = on_record.pairing(&to.away, &to.home).chain(on_record.pairing(&to.home, &to.away));
            let counts = |game: &&KnownGame| {
                let is_off = game.is_called_off && game.has_closed(self.resolver.now);
                is_off || (!game.is_called_off && sport != Sport::Mlb && self.is_kept(id, game))
            };
            let mut known = known.filter(|game| game.id != *id).filter(counts);
            let near = known.find_map(|game| {
                let was_near = Start::of(from).is_of_one_game(game.start(), sport);
                let now = self.moves.get(&game.id).map_or(&game.key, |(_, made)| &made.made.to);
                (Start::of(to).is_of_one_game(Start::of(now), sport) && !was_near).then_some(now)
            });
            resolution.problems.extend(near.map(|other| Refusal::too_near(place, to, other, sport).into()));
        }
        for stated in self.resolver.stated.games() {
            let to = stated.to;
            let is_pairing = |key: &GameKey| key.same_teams(to) || (key.away == to.home && key.home == to.away);
            let mut new = self.new.iter().filter(|listing| !listing.is_reference() && is_pairing(listing.key));
            let near = new.find(|listing| Start::of(listing.key).is_of_one_game(Start::of(to), sport));
            resolution.problems.extend(near.map(|listing| Refusal::moved_elsewhere(listing, to).into()));
        }
    }

    /// Returns true if a game on record stays beside the game with an identity, which takes its start. A game that only
    /// the odds have is that game, unless their ids differ.
    fn is_kept(&self, id: &str, game: &KnownGame) -> bool {
        let moved = self.resolver.on_record.get(id).and_then(|moved| moved.match_id.as_deref());
        game.is_recorded() || is_another(game.match_id.as_deref(), moved)
    }

    /// Sets the keys after the release, and assigns identities to new games.
    fn name_games(self, resolution: &mut Resolution<'r>) {
        for (listing, game) in self.resolver.listings.iter().zip(&mut resolution.games) {
            let ListedGame::Found(resolved) = game else { continue };
            let moved = self.moves.get(&resolved.id).map(|(_, made)| &made.made.to);
            let Some(on_record) = self.resolver.on_record.get(&resolved.id) else { continue };
            let now = moved.unwrap_or(&on_record.key);
            resolved.key = (now != listing.key).then(|| now.clone());
        }
        resolution.moves = self.moves.into_values().map(|(_, made)| made).collect();
        let new = NewGames::of(self.resolver, self.new);
        resolution.off_by_a_day = new.off_by_a_day();
        for (listing, named) in new.named() {
            let id = named.map_err(|refusal| resolution.problems.push(refusal.into())).ok();
            let new = |id: String| Resolved { id: id.into(), key: None, match_id: None, known: None };
            resolution.put(listing, id.map(new));
        }
    }
}

fn near_names(listings: &Listings<'_>, on_record: &OnRecord) -> Vec<(String, String)> {
    let mut names: Vec<_> = listings.iter().filter_map(|listing| listing.match_id).map(|(id, _)| id).collect();
    names.retain(|id| on_record.named(id).next().is_none());
    if names.is_empty() {
        return Vec::new();
    }
    let folded = on_record.folded_names();
    let near = |id: &str| folded.get(&id.to_ascii_lowercase()).map(|known| (id.to_owned(), (*known).to_owned()));
    names.into_iter().filter_map(near).collect()
}
