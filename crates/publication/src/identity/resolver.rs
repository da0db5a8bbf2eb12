//! The rules that map a listing to a game on record, to a new game, or to a refusal.

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameKey, Sport};

use super::doubleheader;
use super::listings::{Listing, Listings};
use super::on_record::{KnownGame, OnRecord};
use super::refusal::Refusal;
use super::start::{Distance, Start};
use super::stated::Stated;

/// The maximum reschedule by a `match_id` alone.
const FARTHEST: TimeDelta = TimeDelta::days(14);
/// The time after its start at which a game is over for a listing of the same teams on a neighbouring date.
const LONG_BEGUN: TimeDelta = TimeDelta::hours(12);

/// The result of resolving a listing.
#[derive(Debug, Clone, PartialEq)]
pub enum Identity<'g> {
    /// A game on record, with its recorded start.
    Same(&'g KnownGame),
    /// A game on record with another start in the listing.
    Rescheduled {
        /// The game.
        game: &'g KnownGame,
        /// Its start on record.
        from: Start,
        /// Its start as listed.
        to: Start,
    },
    /// A new game.
    New,
    /// A listing that contradicts the record, or has several candidate games.
    Refused(Refusal),
}

/// The context for resolving a listing: the record, the other listings of the release and the time.
#[derive(Debug, Clone, Copy)]
pub struct Resolver<'a, 'r> {
    /// The league.
    pub sport: Sport,
    /// The games on record.
    pub on_record: &'a OnRecord,
    /// Every game that the release lists.
    pub listings: &'a Listings<'r>,
    /// The games that the release lists under `moved`.
    pub stated: &'a Stated<'a, 'r>,
    /// The publication instant of the release.
    pub now: DateTime<Utc>,
}

impl<'a> Resolver<'a, '_> {
    /// Resolves a listing.
    #[must_use]
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
        self.check_order(listing, &found)?;
        self.check_final(listing, &found)?;
        Ok(found)
    }

    /// Returns the game with its start as listed, without checks.
    pub(super) fn at(game: &'a KnownGame, listing: &Listing<'_>) -> Identity<'a> {
        if game.key == *listing.key && game.season == listing.season {
            return Identity::Same(game);
        }
        Identity::Rescheduled { game, from: game.start(), to: Start::of(listing.key) }
    }

    /// Returns the game that the listing names by `game_id` or `match_id`.
    pub(super) fn named(&self, listing: &Listing<'_>) -> Result<Option<&'a KnownGame>, Refusal> {
        let by_id = listing.game_id.and_then(|(id, _)| self.on_record.get(id));
        let by_name = listing.match_id.and_then(|(id, _)| {
            let same_teams = |game: &&KnownGame| game.key.same_teams(listing.key);
            // Records of earlier versions may have an id twice.
            let rank =
                |game: &&KnownGame| (same_teams(game), game.key == *listing.key, game.is_recorded, !game.is_over());
            self.on_record.named(id).max_by_key(rank)
        });
        match (by_id, by_name) {
            (Some(one), Some(other)) if one.id != other.id => Err(Refusal::two_names(listing, &one.key, &other.key)),
            (one, other) => Ok(one.or(other)),
        }
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

    /// Returns the game with the listed start, if the listing may change its start.
    pub(super) fn with_start(&self, listing: &Listing<'_>, game: &'a KnownGame) -> Result<Identity<'a>, Refusal> {
        let (start, moved) = (Start::of(listing.key), Self::at(game, listing));
        if matches!(moved, Identity::Same(_)) {
            return Ok(moved);
        }
        if start == game.start() && game.season == listing.season {
            let names_number = game.key.game_number.is_none() && listing.key.game_number.is_some();
            return Ok(if names_number { moved } else { Identity::Same(game) });
        }
        let is_near = game.is_near(start);
        if !game.is_recorded && !is_near && game.has_closed(self.now) {
            // Odds alone do not record a game that has started.
            return Ok(Identity::New);
        }
        let knows_less = listing.key.time.is_none() && game.key.time.is_some();
        if listing.is_reference() || (is_near && knows_less) {
            return Ok(Identity::Same(game));
        }
        let fills_in = game.key.time.is_none() && game.key.date == listing.key.date;
        if fills_in {
            return Ok(moved);
        }
        let keeps = if listing.in_slate() { self.keeps_start(listing, game, is_near)? } else { false };
        if keeps {
            return Ok(Identity::Same(game));
        }
        if !listing.in_slate() && game.is_live {
            return Err(Refusal::live_start(listing, game));
        }
        if !is_near && game.is_over() {
            return Err(Refusal::own_name(listing, game, "has a final"));
        }
        if (listing.key.date - game.key.date).abs() > FARTHEST {
            return Err(Refusal::too_far(listing, game, FARTHEST));
        }
        Ok(moved)
    }

    /// Returns true if a listing of the slate leaves the recorded start unchanged.
    fn keeps_start(&self, listing: &Listing<'_>, game: &KnownGame, is_near: bool) -> Result<bool, Refusal> {
        let start = Start::of(listing.key);
        // Odds that repeat their earlier start contain no news.
        if !listing.is_predicted && game.quoted_at == Some(start) {
            return Ok(true);
        }
        let (is_over, has_begun) = (game.is_over(), game.has_closed(self.now));
        if !is_over && !has_begun {
            return Ok(false);
        }
        let is_delayed = !is_over && is_near && start > game.start();
        if is_near || game.key.date == listing.key.date {
            return Ok(!is_delayed);
        }
        let why = if is_over {
            "has a final"
        } else {
            "has started. If that one was postponed, settle it as `postponed`: its id is free then"
        };
        Err(Refusal::own_name(listing, game, why))
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

    /// Returns the game with exactly the listed key. A game that was called off matches in no other way.
    pub(super) fn exact(&self, listing: &Listing<'_>) -> Option<&'a KnownGame> {
        let game = self.on_record.at(listing.season, listing.key)?;
        let is_near = |other: &KnownGame| other.is_near(Start::of(listing.key)) && self.sport != Sport::Mlb;
        let is_replaced = game.is_called_off && self.open(listing.key).any(is_near);
        (self.stated.target(game).is_none() && !is_replaced).then_some(game)
    }

    /// Returns the candidate games of the same ordered pairing for a listing without a name.
    pub(super) fn open(&self, key: &GameKey) -> impl Iterator<Item = &'a KnownGame> {
        let games = self.on_record.pairing(&key.away, &key.home);
        games.filter(|game| !game.is_called_off && self.stated.target(game).is_none())
    }

    /// Returns a new game, if no game of the pairing within 36 hours can be the listed game.
    fn apart(&self, listing: &Listing<'_>) -> Result<Identity<'a>, Refusal> {
        let (key, start) = (listing.key, Start::of(listing.key));
        if listing.is_reference() {
            return Ok(Identity::New);
        }
        let mut games = self.on_record.pairing(&key.away, &key.home);
        let is_off = |game: &&KnownGame| game.is_called_off && game.has_closed(self.now) && game.is_near(start);
        if let Some(game) = games.find(is_off) {
            return Err(Refusal::called_off(listing, game));
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
        let has_another_final = listing.score.zip(game.score).is_some_and(|(one, other)| one != other);
        let names = listing.match_id.zip(game.match_id.as_deref());
        let has_another_name = names.is_some_and(|((one, _), other)| one != other);
        is_listed || has_another_final || has_another_name || game.key.has_started(self.now - LONG_BEGUN)
    }

    /// Returns true if a listing has the final of a game that the release does not list at its own start.
    fn is_its_final(&self, listing: &Listing<'_>, game: &KnownGame) -> bool {
        listing.score.is_some() && listing.score == game.score && self.listings.get(game.season, &game.key).is_none()
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
