//! The context in which a listing is resolved, and the rule for the start of a game that a listing has.

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameKey, Sport};

use super::listings::{Listing, Listings};
use super::on_record::{KnownGame, OnRecord};
use super::refusal::Refusal;
use super::start::Start;
use super::stated::Stated;

/// The maximum reschedule by a `match_id` alone.
const FARTHEST: TimeDelta = TimeDelta::days(14);

/// The result of resolving a listing.
#[derive(Debug, Clone, PartialEq)]
pub enum Identity<'g> {
    /// A game on record, with its recorded start.
    Same(&'g KnownGame),
    /// A game on record with another start in the listing.
    Rescheduled {
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
                |game: &&KnownGame| (same_teams(game), game.key == *listing.key, game.is_recorded(), !game.is_over());
            self.on_record.named(id).max_by_key(rank)
        });
        match (by_id, by_name) {
            (Some(one), Some(other)) if one.id != other.id => Err(Refusal::two_names(listing, &one.key, &other.key)),
            (one, other) => Ok(one.or(other)),
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
        if !game.is_recorded() && !is_near && game.has_closed(self.now) {
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
        if !listing.in_slate() && game.is_live() {
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
}
