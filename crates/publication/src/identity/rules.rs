//! The rules that map a listing to a game on record, to a new game, or to a refusal.

use chrono::TimeDelta;
use sports_domain::{GameKey, Sport};

use super::TakenIds;
use super::listings::Listing;
use super::on_record::KnownGame;
use super::resolver::{Identity, Refusal, Resolver};
use super::start::{DOUBLEHEADER, Distance, Start};

/// The time after its start at which a game is over for a listing of the same teams on a neighbouring date.
pub(super) const LONG_BEGUN: TimeDelta = TimeDelta::hours(12);

impl<'a> Resolver<'a, '_> {
    /// Resolves a listing.
    pub fn game_of(&self, listing: &Listing<'_>) -> Identity<'a> {
        self.resolved(listing).unwrap_or_else(Identity::Refused)
    }

    fn resolved(&self, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
        let named = self.named(listing)?;
        if let Some(game) = self.stated.game_at(listing.season, listing.key) {
            return match named {
                Some(named) if named.id != game.id => Err(Refusal::two_names(listing, &game.key, &named.key)),
                _ => Ok(Self::at(game, listing)),
            };
        }
        let found = match named {
            Some(game) => {
                self.check_named(listing, game)?;
                self.with_start(listing, game)?
            }
            None if self.sport == Sport::Mlb => game_of(self, listing)?,
            None => self.nearest(listing)?,
        };
        self.check_called_off(listing, &found)?;
        self.check_order(listing, &found)?;
        self.check_final(listing, &found)?;
        Ok(found)
    }

    fn check_named(&self, listing: &Listing<'_>, game: &KnownGame) -> Result<(), Refusal> {
        if !game.key.same_teams(listing.key) {
            return Err(Refusal::other_teams(listing, game));
        }
        if game.season != listing.season {
            return Err(Refusal::other_season(listing, game));
        }
        match self.stated.target(game) {
            Some(to) if to != listing.key => Err(Refusal::moved_elsewhere(listing, to)),
            _ => Ok(()),
        }
    }

    /// Returns the game of an ordered pairing that has or had a start within 12 hours, outside mlb.
    fn nearest(&self, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
        let start = Start::of(listing.key);
        if let Some(game) = self.exact(listing) {
            return Ok(Identity::Same(game));
        }
        let near: Vec<_> = self.open(listing.key).filter(|game| game.is_near(start)).collect();
        let had: Vec<_> = near.iter().copied().filter(|game| game.starts().any(|known| known == start)).collect();
        match (&*near, &*had) {
            ([], _) => self.apart(listing),
            ([game], _) | (_, [game]) if game.season == listing.season => self.with_start(listing, game),
            ([game], _) | (_, [game]) => Err(Refusal::other_season(listing, game)),
            (games, _) => Err(Refusal::ambiguous(listing, games)),
        }
    }

    /// Returns a new game, if no game of the pairing within 36 hours can be the listed game.
    fn apart(&self, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
        let (key, start) = (listing.key, Start::of(listing.key));
        if listing.is_reference() {
            return Ok(Identity::New);
        }
        let doubtful = self.open(key).filter(|game| game.start().distance(start) == Distance::Doubtful);
        for game in doubtful {
            if self.is_its_final(listing, game) {
                return Err(Refusal::final_of(listing, game));
            }
            if !self.is_another(listing, game) {
                return Err(Refusal::doubtful(listing, game));
            }
        }
        Ok(Identity::New)
    }

    /// Returns true if a game within 12 to 36 hours of a listing is a different game.
    fn is_another(&self, listing: &Listing<'_>, game: &KnownGame) -> bool {
        let own = self.listings.pairing(&game.key.away, &game.key.home);
        let mut own = own.filter(|other| other.key != listing.key);
        let is_listed = own.any(|other| game.is_near(Start::of(other.key)));
        // A game that was played does not start again.
        let is_to_come = listing.score.is_none() && !listing.key.has_started(self.now);
        is_listed
            || (is_to_come && game.is_over())
            || listing.has_other_final(game)
            || listing.has_other_name(game)
            || game.key.has_started(self.now - LONG_BEGUN)
    }

    /// Returns true if a listing has the final of a game that the release does not list at its own start.
    fn is_its_final(&self, listing: &Listing<'_>, game: &KnownGame) -> bool {
        listing.score.is_some() && listing.score == game.score && self.listings.get(game.season, &game.key).is_none()
    }

    /// Refuses a new game too close to a game of the pairing that was called off after its start.
    fn check_called_off(&self, listing: &Listing<'_>, found: &Identity<'_>) -> Result<(), Refusal> {
        if !matches!(found, Identity::New) || listing.is_reference() {
            return Ok(());
        }
        let start = Start::of(listing.key);
        let is_near = |game: &KnownGame| game.starts().any(|known| known.is_of_one_game(start, self.sport));
        let mut games = self.on_record.pairing(&listing.key.away, &listing.key.home);
        let game = games.find(|game| game.is_called_off && game.has_closed(self.now) && is_near(game));
        game.map_or(Ok(()), |game| Err(Refusal::called_off(listing, game, self.sport)))
    }

    /// Refuses a new game that is on record with home and away exchanged.
    fn check_order(&self, listing: &Listing<'_>, found: &Identity<'_>) -> Result<(), Refusal> {
        if !matches!(found, Identity::New) || listing.is_reference() {
            return Ok(());
        }
        let (key, start) = (listing.key, Start::of(listing.key));
        let swapped = GameKey { away: key.home.clone(), home: key.away.clone(), ..key.clone() };
        let is_apart = |game: &KnownGame| listing.is_apart_from(&game.key, game.score, self.sport);
        let mut games = self.open(&swapped);
        let game = games.find(|game| game.start().is_of_one_game(start, self.sport) && !is_apart(game));
        game.map_or(Ok(()), |game| Err(Refusal::swapped(listing, game)))
    }

    /// Refuses a final that belongs to another game of the pairing within 36 hours. Starts that are off by a day would
    /// put each result into the row of the next game.
    fn check_final(&self, listing: &Listing<'_>, found: &Identity<'_>) -> Result<(), Refusal> {
        let (resolved, own) = match found {
            Identity::Same(game) | Identity::Rescheduled { game, .. } => (Some(*game), game.score),
            Identity::New => (None, None),
            Identity::Refused(_) => return Ok(()),
        };
        let is_doubtful =
            resolved.is_none_or(|game| game.is_called_off) || own.is_some_and(|own| Some(own) != listing.score);
        if listing.score.is_none() || !is_doubtful {
            return Ok(());
        }
        let start = Start::of(listing.key);
        let mut others = self.open(listing.key).filter(|game| resolved.is_none_or(|of| of.id != game.id));
        let of_other =
            others.find(|game| game.start().distance(start) != Distance::Far && self.is_its_final(listing, game));
        of_other.map_or(Ok(()), |game| Err(Refusal::final_of(listing, game)))
    }
}

// The identities of new games.

/// The new games of a release.
pub(super) struct NewGames<'a, 'r> {
    resolver: Resolver<'a, 'r>,
    listings: Vec<&'a Listing<'r>>,
}

impl<'a, 'r> NewGames<'a, 'r> {
    /// Creates the new games of listings that no game on record has; references create none.
    pub(super) fn of(resolver: Resolver<'a, 'r>, mut listings: Vec<&'a Listing<'r>>) -> Self {
        listings.retain(|listing| !listing.is_reference());
        Self { resolver, listings }
    }

    /// Returns the games of past dates without a time and a final, each on a date beside that of a game of the pairing
    /// which the release does not list.
    pub(super) fn off_by_a_day(&self) -> Vec<GameKey> {
        let is_past = |key: &GameKey| key.time.is_none() && key.has_started(self.resolver.now - LONG_BEGUN);
        let has_no_final = |listing: &Listing<'_>| listing.score.is_none() && !listing.is_called_off;
        let is_beside = |listing: &Listing<'_>, game: &KnownGame| {
            game.start().distance(Start::of(listing.key)) == Distance::Doubtful
                && self.resolver.listings.get(game.season, &game.key).is_none()
        };
        let doubtful = self.listings.iter().filter(|listing| is_past(listing.key) && has_no_final(listing));
        let off = doubtful.filter(|listing| self.resolver.open(listing.key).any(|game| is_beside(listing, game)));
        let mut keys: Vec<_> = off.map(|listing| listing.key.clone()).collect();
        keys.sort();
        keys
    }

    /// Returns each listing with its identity: that of the files, if the game can have it, else the next free one in
    /// playing order.
    pub(super) fn named(self) -> Vec<(&'a Listing<'r>, Result<String, Refusal>)> {
        if self.listings.is_empty() {
            return Vec::new();
        }
        let (sport, mut taken) = (self.resolver.sport, TakenIds::default());
        taken.reserve(self.listings.len());
        self.resolver.on_record.games().for_each(|game| taken.take(&game.id));
        let (mut given, mut others): (Vec<_>, Vec<_>) =
            self.listings.into_iter().partition(|listing| listing.game_id.is_some());
        // The number before comes first.
        given.sort_by_key(|listing| listing.game_id.map(|(id, _)| (id.len(), id)));
        let mut named = Vec::with_capacity(given.len() + others.len());
        given.retain(|listing| {
            let claimed = listing.game_id.filter(|(id, _)| taken.claim(id, sport, listing.season, listing.key));
            named.extend(claimed.map(|(id, _)| (*listing, Ok(id.to_owned()))));
            claimed.is_none()
        });
        others.sort_by_key(|listing| listing.key);
        named.extend(others.into_iter().map(|listing| (listing, Ok(taken.next(sport, listing.key)))));
        let refused = given.into_iter().filter_map(|listing| {
            let refusal = Refusal::unknown_id(listing, listing.game_id?.0, &taken.next(sport, listing.key));
            Some((listing, Err(refusal)))
        });
        named.extend(refused.collect::<Vec<_>>());
        named
    }
}

// The rule for baseball, in which a pairing may have two games on one date.

/// Returns the game of a listing that names no game, among the games of its pairing and date: by equal starts, by the
/// game number, in playing order, or as the only game.
pub(super) fn game_of<'a>(resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
    if let Some(game) = resolver.exact(listing).filter(|game| game.is_called_off || listing.is_reference()) {
        return Ok(Identity::Same(game));
    }
    let mut day = Day::of(resolver, listing);
    if let Some(other) = day.listings.iter().find(|other| is_mixed(listing, other)) {
        return Err(Refusal::mixed(listing, other));
    }
    if let Some(game) = elsewhere(resolver, listing) {
        return Err(Refusal::other_season(listing, game));
    }
    if day.is_partly_timed() {
        if let Some(game) = day.games.iter().find(|game| game.key == *listing.key) {
            return Ok(Identity::Same(game));
        }
        day.remove_exact();
    }
    let place = day.listings.iter().position(|other| other.key == listing.key);
    let all_listed = |game: &&KnownGame| day.listings.iter().any(|other| *other.key == game.key);
    let exact = day.games.iter().find(|game| game.key == *listing.key).copied();
    let every_listing_is_exact = day.listings.iter().all(|other| day.games.iter().any(|game| game.key == *other.key));
    match exact {
        Some(game) if every_listing_is_exact || day.games.iter().all(all_listed) => return Ok(Identity::Same(game)),
        None if day.games.iter().all(all_listed) => return returned(resolver, listing),
        _ => {}
    }
    if let Some(found) = day.by_number(resolver, listing) {
        return found;
    }
    match (place, &*day.games) {
        (Some(0), [game]) if day.listings.len() == 1 => lone(resolver, listing, game),
        (Some(place), games) if games.len() == day.listings.len() && day.stays_in_order(resolver) => {
            resolver.with_start(listing, games[place])
        }
        (None, _) => Ok(Identity::New),
        (_, games) => Err(Refusal::ambiguous(listing, games)),
    }
}

/// Returns true if two listings of a day identify their games differently: one by a time or a number that the other
/// lacks. A slate may have a game without a start beside one with a start.
fn is_mixed(listing: &Listing<'_>, other: &Listing<'_>) -> bool {
    let (one, two) = (listing.key, other.key);
    let times = one.time.is_none() != two.time.is_none() && listing.place.file != other.place.file;
    let is_slate = (listing.is_predicted && other.is_predicted) || (listing.is_quoted && other.is_quoted);
    let numbers = one.time.is_none() && two.time.is_none() && one.game_number.is_none() != two.game_number.is_none();
    listing.key > other.key && ((times && !is_slate) || numbers)
}

/// Returns a game of the pairing and date that is on record in another season only.
fn elsewhere<'a>(resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Option<&'a KnownGame> {
    let is_own = |game: &KnownGame| game.season == listing.season;
    let of_date = |game: &&KnownGame| game.key.date == listing.key.date;
    let games: Vec<_> = resolver.open(listing.key).filter(of_date).collect();
    games.iter().all(|game| !is_own(game)).then(|| games.first().copied()).flatten()
}

/// Resolves a listing at a start that a game of another date had before, else to a new game.
fn returned<'a>(resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
    let start = Start::of(listing.key);
    let had = |game: &&KnownGame| game.season == listing.season && game.former.contains(&start);
    let is_listed = |game: &KnownGame| resolver.listings.get(game.season, &game.key).is_some();
    let mut games = resolver.open(listing.key).filter(had).filter(|game| !is_listed(game) && !is_named(resolver, game));
    match (games.next(), games.next()) {
        (Some(game), None) => resolver.with_start(listing, game),
        _ => Ok(Identity::New),
    }
}

/// Resolves the only listing of a date to the only game on record. Two that are three hours or more apart and differ in their
/// ids or finals are two games, and so is a game that a slate lists after the final of the recorded one.
fn lone<'a>(resolver: &Resolver<'a, '_>, listing: &Listing<'_>, game: &'a KnownGame) -> Result<Identity<'a>, Refusal> {
    let has_another_name = listing.has_other_name(game);
    let is_next = listing.in_slate() && listing.score.is_none();
    let apart = Start::of(listing.key).apart(game.start());
    let is_far = apart.is_some_and(|apart| apart >= DOUBLEHEADER);
    if is_far && (has_another_name || listing.has_other_final(game) || (is_next && game.is_over())) {
        return Ok(Identity::New);
    }
    // Later than that, the game on record is probably over.
    let may_be_next = is_far && is_next && game.has_closed(resolver.now - DOUBLEHEADER);
    if has_another_name || may_be_next {
        return Err(Refusal::ambiguous(listing, &[game]));
    }
    resolver.with_start(listing, game)
}

/// Returns true if a listing of the release names the game.
fn is_named(resolver: &Resolver<'_, '_>, game: &KnownGame) -> bool {
    let by_match_id = game.match_id.as_deref().is_some_and(|id| resolver.listings.named(id).is_some());
    let mut own = resolver.listings.pairing(&game.key.away, &game.key.home);
    by_match_id || own.any(|listing| listing.game_id.is_some_and(|(id, _)| *id == *game.id))
}

/// The games of one pairing and date, in playing order: listings that name no recorded game, and recorded games that no
/// listing names.
struct Day<'a, 'l> {
    listings: Vec<&'l Listing<'l>>,
    games: Vec<&'a KnownGame>,
}

impl<'a, 'l> Day<'a, 'l> {
    fn of(resolver: &Resolver<'a, 'l>, listing: &Listing<'_>) -> Self
    where
        'a: 'l,
    {
        let key = listing.key;
        let unnamed = |other: &&Listing<'_>| {
            other.season == listing.season
                && other.key.date == key.date
                && !other.is_reference()
                && resolver.stated.game_at(other.season, other.key).is_none()
                && !matches!(resolver.named(other), Ok(Some(_)) | Err(_))
        };
        let mut listings: Vec<&'l Listing<'l>> =
            resolver.listings.pairing(&key.away, &key.home).filter(|other| unnamed(other)).collect();
        let of_date = |game: &&KnownGame| game.season == listing.season && game.key.date == key.date;
        let games = resolver.open(key).filter(of_date).filter(|game| !is_named(resolver, game));
        let mut games: Vec<_> = games.collect();
        listings.sort_by(|one, other| one.key.cmp(other.key));
        games.sort_by(|one, other| one.key.cmp(&other.key));
        Self { listings, games }
    }

    /// Returns true if some of its games and listings have a time and others have none: their order is not known.
    fn is_partly_timed(&self) -> bool {
        let keys = self.listings.iter().map(|listing| listing.key).chain(self.games.iter().map(|game| &game.key));
        let (mut timed, mut untimed) = (false, false);
        for key in keys {
            *(if key.time.is_some() { &mut timed } else { &mut untimed }) = true;
        }
        timed && untimed
    }

    /// Removes the games that a listing has under their keys, and these listings.
    fn remove_exact(&mut self) {
        let (listings, games) = (self.listings.clone(), self.games.clone());
        self.listings.retain(|listing| games.iter().all(|game| game.key != *listing.key));
        self.games.retain(|game| listings.iter().all(|listing| game.key != *listing.key));
    }

    /// Returns true if its games, each with the listing of its place, are afterwards in the same order. A game that keeps its
    /// start while one before it is delayed past that would be another listing's when the release is published again.
    fn stays_in_order(&self, resolver: &Resolver<'a, '_>) -> bool {
        let pairs = self.listings.iter().zip(&self.games);
        let after = |(listing, game): (&&Listing<'_>, &&'a KnownGame)| match resolver.with_start(listing, game) {
            Ok(Identity::Rescheduled { to, .. }) => to,
            _ => game.start(),
        };
        pairs.map(after).is_sorted()
    }

    /// Resolves a listing by its game number, if every listing and every game has a number.
    fn by_number(&self, resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Option<Result<Identity<'a>, Refusal>> {
        let is_numbered = self.listings.iter().all(|other| other.key.game_number.is_some())
            && self.games.iter().all(|game| game.key.game_number.is_some());
        let number = listing.key.game_number.filter(|_| is_numbered)?;
        let game = self.games.iter().find(|game| game.key.game_number == Some(number));
        Some(game.map_or(Ok(Identity::New), |game| resolver.with_start(listing, game)))
    }
}
