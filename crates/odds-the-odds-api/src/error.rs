use serde_json::{Number, Value};
use sports_domain::{GameKey, Sport, TeamSlug};

use crate::place::Place;

/// Why a feed cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// It is not JSON.
    #[error("the file is not JSON")]
    NotJson(#[source] serde_json::Error),
    /// The API refused, and somebody kept its refusal.
    #[error("the file is not a feed but an error of The Odds API: {code} {message}")]
    Refused {
        /// Its code, such as `OUT_OF_USAGE_CREDITS`.
        code: String,
        /// Its words.
        message: String,
    },
    /// It is JSON, but not what the API answers.
    #[error("the file is not a feed of The Odds API: expected a list of events, or a snapshot with one as `data`")]
    NotAFeed,
    /// A snapshot does not say when it was taken, though it means to.
    #[error(
        "the snapshot's `timestamp` is {0}: expected an RFC 3339 instant, such as \"2026-11-21T20:30:00Z\", or Unix \
         seconds"
    )]
    BadTimestamp(Value),
    /// An event does not read.
    #[error("{place}")]
    BadEvent {
        /// Which event, and what of it.
        place: Place,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// An event is in the feed twice.
    #[error("event {0} is in the feed twice")]
    RepeatedEvent(String),
    /// Two events are one game.
    #[error(
        "events {one} and {other} are one game, {key}, and an odds file has a game once; take one of them out of the feed"
    )]
    RepeatedGame {
        /// The id of the one.
        one: String,
        /// The id of the other.
        other: String,
        /// The game.
        key: Box<GameKey>,
    },
    /// An event has the bookmaker more than once.
    #[error(
        "event {event} has the bookmaker `{asked}` more than once, as {}; name one by its key, or take the others out of \
         the feed", found.join(" and ")
    )]
    RepeatedBookmaker {
        /// The event's id.
        event: String,
        /// The bookmaker that was asked for.
        asked: String,
        /// Those it may be, by key.
        found: Vec<String>,
    },
    /// Both teams of an event are one.
    #[error(
        "event {event}: `{away}` and `{home}` are both {team}, and no team plays itself; mend the feed, or the table of \
         --teams"
    )]
    AgainstItself {
        /// The event's id.
        event: String,
        /// The feed's name of the visiting team.
        away: String,
        /// The feed's name of the home team.
        home: String,
        /// Whom both names mean.
        team: TeamSlug,
    },
    /// None of the events is of the league.
    #[error("the feed has no events of {sport}, which are `{key}` there; it has {}", found.join(", "))]
    WrongSport {
        /// The league that was asked for.
        sport: Sport,
        /// What the API calls it.
        key: &'static str,
        /// What the feed has.
        found: Vec<String>,
    },
    /// No event has prices of the bookmaker.
    #[error("the feed has no bookmaker `{asked}`; it has {}", known.join(", "))]
    UnknownBookmaker {
        /// The bookmaker that was asked for.
        asked: String,
        /// Those of the league's events.
        known: Vec<String>,
    },
    /// A price that cannot be an American one.
    #[error(
        "event {event}, {market} of {bookmaker}: {price} on {outcome} is not an American price; ask the API with \
         oddsFormat=american"
    )]
    NotAmerican {
        /// The event's id.
        event: String,
        /// Whose price it is, by key.
        bookmaker: String,
        /// Its market, by key.
        market: String,
        /// The price as the feed has it.
        price: Number,
        /// What it is posted on.
        outcome: String,
    },
    /// There are games to come, and none has two teams with known names.
    #[error("no game is left: these teams are unknown: {}; name them in a table for --teams", .0.join(", "))]
    OnlyUnknownTeams(Vec<String>),
}
