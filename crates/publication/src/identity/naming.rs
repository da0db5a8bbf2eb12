//! The identities of new games.

use sports_domain::GameKey;

use super::game_id::TakenIds;
use super::listings::Listing;
use super::on_record::KnownGame;
use super::refusal::Refusal;
use super::resolver::Resolver;
use super::rules::LONG_BEGUN;
use super::start::{Distance, Start};

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
