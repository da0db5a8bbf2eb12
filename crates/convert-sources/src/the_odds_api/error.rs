use serde_json::{Number, Value};
use sports_domain::{GameKey, HiddenCharacter, Sport, TeamSlug};

use crate::the_odds_api::field_path::FieldPath;

/// The reason why a feed cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    #[error("the file is not JSON")]
    NotJson(#[source] serde_json::Error),
    /// It is an error response of the API.
    #[error("the file is not a feed but an error of The Odds API: {code} {message}")]
    Refused {
        /// The code, such as `OUT_OF_USAGE_CREDITS`.
        code: String,
        message: String,
    },
    /// It is JSON, but not a response of the API.
    #[error("the file is not a feed of The Odds API: expected a list of events, or a snapshot with one as `data`")]
    NotAFeed,
    /// The time of a snapshot is not valid.
    #[error(
        "the snapshot's `timestamp` is {0}: expected an RFC 3339 instant, such as \"2026-11-21T20:30:00Z\", or Unix \
         seconds"
    )]
    BadTimestamp(Value),
    /// An event is not valid.
    #[error("{place}")]
    BadEvent {
        /// The event and the field.
        place: FieldPath,
        /// The error of the field.
        source: serde_json::Error,
    },
    /// A text of an event has a hidden character.
    #[error("event {event}, {field}: expected a text without {hidden}")]
    Hidden {
        /// The event's id.
        event: String,
        field: &'static str,
        hidden: HiddenCharacter,
    },
    /// An event is in the feed twice.
    #[error("event {0} is in the feed twice")]
    RepeatedEvent(String),
    /// Two events are the same game.
    #[error(
        "events {one} and {other} are one game, {key}, and an odds file has a game once; take one of them out of the feed"
    )]
    RepeatedGame {
        /// The id of the first event.
        one: String,
        /// The id of the second event.
        other: String,
        key: Box<GameKey>,
    },
    /// An event has the bookmaker more than once.
    #[error(
        "event {event} has the bookmaker `{wanted}` more than once, as {}; name one by its key, or take the others out of \
         the feed", found.join(" and ")
    )]
    RepeatedBookmaker {
        /// The event's id.
        event: String,
        /// The key or title in the arguments.
        wanted: String,
        /// The keys of the bookmakers that match.
        found: Vec<String>,
    },
    /// Both teams of an event have the same slug.
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
        /// The slug of both names.
        team: TeamSlug,
    },
    /// The feed has events, but not of the league.
    #[error("the feed has no events of {sport}, which are `{key}` there; it has {}", found.join(", "))]
    WrongSport {
        sport: Sport,
        /// The API's key of the league.
        key: &'static str,
        /// The keys of the leagues in the feed.
        found: Vec<String>,
    },
    /// The bookmaker is not in any event of the league.
    #[error("the feed has no bookmaker `{wanted}`; it has {}", known.join(", "))]
    UnknownBookmaker {
        /// The key or title in the arguments.
        wanted: String,
        /// The keys of the bookmakers in the league's events.
        known: Vec<String>,
    },
    /// A price is not in American odds.
    #[error(
        "event {event}, {market} of {bookmaker}: {price} on {outcome} is not an American price; ask the API with \
         oddsFormat=american"
    )]
    NotAmerican {
        /// The event's id.
        event: String,
        /// The bookmaker's key.
        bookmaker: String,
        /// The market's key.
        market: String,
        /// The price in the feed.
        price: Number,
        /// The name of the outcome.
        outcome: String,
    },
    /// The feed has games to come, but no game with two known teams.
    #[error("no game is left: these teams are unknown: {}; name them in a table for --teams", .0.join(", "))]
    OnlyUnknownTeams(Vec<String>),
}
