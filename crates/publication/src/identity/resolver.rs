//! The context in which a listing is resolved, and the rule for the start of a game that a listing has.

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameKey, Sport};

use super::listings::{Listing, Listings};
use super::on_record::{KnownGame, OnRecord};
use super::start::{Distance, Start};
use super::stated::Stated;
use crate::{Place, Problem};

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
        let is_beside = game.start().distance(start) != Distance::Far;
        let knows_less = listing.key.time.is_none() && game.key.time.is_some();
        // The date of an unknown start may be that of another zone: it is no news beside a start.
        if listing.is_reference() || (knows_less && (is_near || (is_beside && listing.in_slate()))) {
            return Ok(Identity::Same(game));
        }
        let is_first_start = game.key.time.is_none() && listing.key.time.is_some() && !game.is_over();
        let fills_in = game.key.time.is_none() && game.key.date == listing.key.date;
        if fills_in || (is_first_start && is_beside && listing.in_slate()) {
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

/// The reason why a listing was resolved to no game, with the candidate games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    place: Place,
    column: &'static str,
    given: String,
    expected: String,
}

impl Refusal {
    fn new(listing: &Listing<'_>, (column, given): (&'static str, String), expected: String) -> Self {
        Self { place: listing.place.clone(), column, given, expected }
    }

    /// Refuses an id that belongs to a game of other teams.
    pub(super) fn other_teams(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!(
            "an id no other game has, for {}; on record it is {}. Settle that one as `cancelled` if it is a mistake",
            listing.key, game.key
        );
        Self::new(listing, name(listing), expected)
    }

    /// Refuses a game that is on record in another season.
    pub(super) fn other_season(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!(
            "the season {} for {}, in which the game is on record as {}; to correct its season, name the right one in \
             release.json and list the game under `moved` with its `game_id` {}",
            game.season, listing.key, game.key, game.id
        );
        Self::new(listing, ("season", listing.season.to_string()), expected)
    }

    /// Refuses a row whose two ids belong to two games.
    pub(super) fn two_names(listing: &Listing<'_>, one: &GameKey, other: &GameKey) -> Self {
        let expected = format!("names of one game; on record they are of {one} and of {other}");
        Self::new(listing, name(listing), expected)
    }

    /// Refuses a listing of a game for which `moved` states another start.
    pub(super) fn moved_elsewhere(listing: &Listing<'_>, to: &GameKey) -> Self {
        Self::new(listing, time(listing), format!("the start that `moved` in release.json gives this game, {to}"))
    }

    /// Refuses a new start in history for a game whose start only a slate may change.
    pub(super) fn live_start(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!(
            "the start on record, {}: history does not change the start of a game that was forecast live; \
             predictions/, odds or `moved` in release.json may",
            game.key
        );
        Self::new(listing, time(listing), expected)
    }

    /// Refuses an id that stays with a game that was played or has started.
    pub(super) fn own_name(listing: &Listing<'_>, game: &KnownGame, why: &str) -> Self {
        let expected =
            format!("an id of its own for {}: on record it is that of {}, which {why}", listing.key, game.key);
        Self::new(listing, name(listing), expected)
    }

    /// Refuses a date that is too far from the date on record.
    pub(super) fn too_far(listing: &Listing<'_>, game: &KnownGame, farthest: TimeDelta) -> Self {
        let expected = format!(
            "a date within {} days of the one on record, {}, as its id is the one of that game; a game that \
             was really rescheduled so far is named under `moved` in release.json",
            farthest.num_days(),
            game.key
        );
        Self::new(listing, ("date", listing.key.date.to_string()), expected)
    }

    /// Refuses a listing with home and away exchanged.
    pub(super) fn swapped(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!("home and away as on record, {}; this row has {}", game.key, listing.key);
        Self::new(listing, ("away_team", listing.key.away.to_string()), expected)
    }

    /// Refuses a listing with home and away exchanged relative to another listing.
    pub(super) fn swapped_listing(listing: &Listing<'_>, other: &Listing<'_>) -> Self {
        let expected = format!("home and away as in {}, {}; this row has {}", other.place, other.key, listing.key);
        Self::new(listing, ("away_team", listing.key.away.to_string()), expected)
    }

    /// Refuses a listing that another file may also list, identified differently.
    pub(super) fn mixed(listing: &Listing<'_>, other: &Listing<'_>) -> Self {
        let expected = format!(
            "a start time in both rows of these teams and date or in neither, and a game number likewise: {} has {}, and \
             keeping both would count the game twice",
            other.place, other.key
        );
        let numbers = listing.key.time.is_none() && other.key.time.is_none();
        Self::new(listing, if numbers { number(listing) } else { time(listing) }, expected)
    }

    /// Refuses a listing with several candidate games.
    pub(super) fn ambiguous(listing: &Listing<'_>, games: &[&KnownGame]) -> Self {
        let known: Vec<_> = games.iter().map(|game| game.key.to_string()).collect();
        let expected = format!(
            "`moved` in release.json to say which game starts at another time now, a `match_id` or `game_id` of it, or \
             every game of these teams in this file; on record and not listed here: {}",
            known.join("; ")
        );
        Self::new(listing, if listing.key.time.is_none() { number(listing) } else { time(listing) }, expected)
    }

    /// Refuses a listing 12 to 36 hours away from a candidate game.
    pub(super) fn doubtful(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!(
            "a `match_id` or `game_id`, or `moved` in release.json, to say whether {} is {}, which is on record and not \
             listed here",
            listing.key, game.key
        );
        Self::new(listing, time(listing), expected)
    }

    /// Refuses a final that belongs to another game.
    pub(super) fn final_of(listing: &Listing<'_>, game: &KnownGame) -> Self {
        let given = listing.score.map(|score| format!("{}-{}", score.away, score.home)).unwrap_or_default();
        let expected = format!(
            "a final of {}; this is the one of {}, which is on record and not listed here: the starts of this file may \
             be off",
            listing.key, game.key
        );
        Self::new(listing, ("away_score, home_score", given), expected)
    }

    /// Refuses two listings of one pairing that are too close together to be two games.
    pub(super) fn listed_twice(listing: &Listing<'_>, other: &Listing<'_>) -> Self {
        let expected = format!(
            "one start for one game: {} lists {}, and games of the same teams are more than 12 hours apart",
            other.place, other.key
        );
        Self::new(listing, time(listing), expected)
    }

    /// Refuses two listings that resolve to one game.
    pub(super) fn one_game(listing: &Listing<'_>, other: &Listing<'_>, game: &KnownGame) -> Self {
        let expected = format!("one listing of {}; {} lists it as {}", game.key, other.place, other.key);
        Self::new(listing, time(listing), expected)
    }

    /// Refuses a start that another game keeps.
    pub(super) fn taken(place: &Place, from: &GameKey, to: &GameKey) -> Self {
        let expected = "a start that no other game has; one on record has it and is not rescheduled. Where that one was \
                        called off before its start or began early, list this one a minute later";
        let given = format!("{from} to {to}");
        Self { place: place.clone(), column: "time_est", given, expected: expected.to_owned() }
    }

    /// Refuses a listing too close to a game that was called off after its start.
    pub(super) fn called_off(listing: &Listing<'_>, game: &KnownGame, sport: Sport) -> Self {
        let expected = format!(
            "a start {} {}, which was called off after its start; if it was played after all, list it at that start",
            apart_from(sport),
            game.key
        );
        Self::new(listing, time(listing), expected)
    }

    /// Refuses the pairing of a game in a second season.
    pub(super) fn two_seasons(listing: &Listing<'_>, other: &Listing<'_>) -> Self {
        let expected = format!("one season for one game: {} lists {} in {}", other.place, other.key, other.season);
        Self::new(listing, ("season", listing.season.to_string()), expected)
    }

    /// Refuses a new start too close to another game of the two teams.
    pub(super) fn too_near(place: &Place, to: &GameKey, other: &GameKey, sport: Sport) -> Self {
        let expected = format!("a start {} every other game of these teams, such as {other}", apart_from(sport));
        Self { place: place.clone(), column: "time_est", given: to.to_string(), expected }
    }

    /// Refuses an identity that differs from the identity of the listed game.
    pub(super) fn wrong_id(listing: &Listing<'_>, id: &str, expected: &str) -> Self {
        let expected = format!("the game_id of this game, {}: `{expected}`", listing.key);
        Self::new(listing, ("game_id", id.to_owned()), expected)
    }

    /// Refuses an identity that no game on record has and that the listed new game cannot get.
    pub(super) fn unknown_id(listing: &Listing<'_>, id: &str, next: &str) -> Self {
        let expected = format!(
            "the game_id of a game on record or, for {}, `{next}` or one with another date of {}, if no game has it",
            listing.key, listing.season
        );
        Self::new(listing, ("game_id", id.to_owned()), expected)
    }
}

impl From<Refusal> for Problem {
    fn from(Refusal { place, column, given, expected }: Refusal) -> Self {
        Self::at(place, expected).in_cell(column, given)
    }
}

/// Returns the distance that two games of the same teams have.
const fn apart_from(sport: Sport) -> &'static str {
    match sport {
        Sport::Mlb => "three hours or more from",
        _ => "more than 12 hours from",
    }
}

fn name(listing: &Listing<'_>) -> (&'static str, String) {
    match (listing.match_id, listing.game_id) {
        (Some((id, _)), _) => ("match_id", id.to_owned()),
        (None, id) => ("game_id", id.map(|(id, _)| id.to_owned()).unwrap_or_default()),
    }
}

fn number(listing: &Listing<'_>) -> (&'static str, String) {
    ("game_number", listing.key.game_number.map(|number| number.to_string()).unwrap_or_default())
}

fn time(listing: &Listing<'_>) -> (&'static str, String) {
    ("time_est", listing.key.time.map(|time| time.to_string()).unwrap_or_default())
}
