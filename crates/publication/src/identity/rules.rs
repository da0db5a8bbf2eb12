//! The rules that map a listing to a game on record, to a new game, or to a refusal.

use chrono::TimeDelta;
use sports_domain::{GameKey, Sport};

use super::doubleheader;
use super::listings::Listing;
use super::on_record::KnownGame;
use super::refusal::Refusal;
use super::resolver::{Identity, Resolver};
use super::start::{Distance, Start};

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
            None if self.sport == Sport::Mlb => doubleheader::game_of(self, listing)?,
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
        is_listed
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
        let mut games = self.open(&swapped);
        let game = games.find(|game| game.start().is_of_one_game(start, self.sport));
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
