//! The rule for baseball, in which a pairing may have two games on one date.

use super::listings::Listing;
use super::on_record::KnownGame;
use super::refusal::Refusal;
use super::resolver::{Identity, Resolver};
use super::start::{DOUBLEHEADER, Start};

/// Returns the game of a listing that names no game, among the games of its pairing and date: by equal starts, by the
/// game number, in playing order, or as the only game.
pub(super) fn game_of<'a>(resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
    if let Some(game) = resolver.exact(listing).filter(|game| game.is_called_off || listing.is_reference()) {
        return Ok(Identity::Same(game));
    }
    let day = Day::of(resolver, listing);
    if let Some(other) = day.listings.iter().find(|other| is_mixed(listing, other)) {
        return Err(Refusal::mixed(listing, other));
    }
    if let Some(game) = elsewhere(resolver, listing) {
        return Err(Refusal::other_season(listing, game));
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
        (Some(place), games) if games.len() == day.listings.len() => resolver.with_start(listing, games[place]),
        (None, _) => Ok(Identity::New),
        (_, games) => Err(Refusal::ambiguous(listing, games)),
    }
}

/// Returns true if two listings of a day identify their games differently: one by a time or a number that the other
/// lacks.
fn is_mixed(listing: &Listing<'_>, other: &Listing<'_>) -> bool {
    let (one, two) = (listing.key, other.key);
    let times = one.time.is_none() != two.time.is_none() && listing.place.file != other.place.file;
    let numbers = one.time.is_none() && two.time.is_none() && one.game_number.is_none() != two.game_number.is_none();
    listing.key > other.key && (times || numbers)
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

    /// Resolves a listing by its game number, if every listing and every game has a number.
    fn by_number(&self, resolver: &Resolver<'a, '_>, listing: &Listing<'_>) -> Option<Result<Identity<'a>, Refusal>> {
        let is_numbered = self.listings.iter().all(|other| other.key.game_number.is_some())
            && self.games.iter().all(|game| game.key.game_number.is_some());
        let number = listing.key.game_number.filter(|_| is_numbered)?;
        let game = self.games.iter().find(|game| game.key.game_number == Some(number));
        Some(game.map_or(Ok(Identity::New), |game| resolver.with_start(listing, game)))
    }
}
