use std::fmt;
use std::fmt::Display;

use chrono::{DateTime, Timelike, Utc};
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use serde_path_to_error::{Path, Segment};
use sports_domain::{FinalScore, HiddenCharacter, OutOfReach, Sport, TeamSlug, check_visible, within_reach};

/// A response of the API to a request for odds or scores.
#[derive(Debug, Clone)]
pub struct Feed {
    /// The time at which it was taken; only snapshots of the historical endpoint have one.
    pub taken_at: Option<DateTime<Utc>>,
    pub(crate) events: Vec<Event>,
}

/// An event with its odds or its scores.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) sport_key: String,
    pub(crate) commence_time: Moment,
    pub(crate) home_team: Option<String>,
    pub(crate) away_team: Option<String>,
    #[serde(default)]
    pub(crate) bookmakers: Vec<Bookmaker>,
    /// Given with scores: true once the game is over.
    pub(crate) completed: Option<bool>,
    scores: Option<Vec<TeamScore>>,
    /// The last update of the scores.
    pub(crate) last_update: Option<Moment>,
}

/// The score of a team, which the feed writes as a text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct TeamScore {
    name: String,
    score: Value,
}

impl Event {
    /// Returns the names of the away and the home team, empty if missing.
    pub(crate) fn teams(&self) -> [&str; 2] {
        [&self.away_team, &self.home_team].map(|team| team.as_deref().unwrap_or_default())
    }

    /// Returns true if both events have the same content, under any id.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        Self { id: other.id.clone(), ..self.clone() } == *other
    }

    /// Returns the score of both teams; `None` if one is missing or no whole number.
    pub(crate) fn score(&self) -> Option<FinalScore> {
        let scores = self.scores.as_deref().unwrap_or_default();
        let [away, home] = self.teams().map(|team| {
            let score = &scores.iter().find(|score| same(&score.name, team))?.score;
            score.as_str().map_or_else(|| score.to_string(), |text| text.trim().to_owned()).parse().ok()
        });
        Some(FinalScore { away: away?, home: home? })
    }

    /// Checks the texts that an odds file takes over.
    pub(crate) fn check_visible(&self) -> Result<(), FeedError> {
        let teams = [("home_team", &self.home_team), ("away_team", &self.away_team)];
        let teams = teams.into_iter().filter_map(|(field, team)| Some((field, team.as_ref()?)));
        let bookmakers = self.bookmakers.iter().map(|bookmaker| ("key", &bookmaker.key));
        let mut texts = [("id", &self.id)].into_iter().chain(teams).chain(bookmakers);
        texts.try_for_each(|(field, text)| {
            check_visible(text).map_err(|hidden| FeedError::Hidden { event: self.id.clone(), field, hidden })
        })
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Bookmaker {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) last_update: Option<Moment>,
    #[serde(default)]
    pub(crate) markets: Vec<Market>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Market {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) last_update: Option<Moment>,
    pub(crate) outcomes: Vec<PricedOutcome>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct PricedOutcome {
    pub(crate) name: String,
    pub(crate) price: Price,
    #[serde(default)]
    pub(crate) point: Option<f64>,
}

/// A price in the feed, American or not.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "WrittenPrice")]
pub(crate) struct Price(pub(crate) Number);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a price, a whole number such as -110")]
enum WrittenPrice {
    Number(Number),
}

impl From<WrittenPrice> for Price {
    fn from(WrittenPrice::Number(number): WrittenPrice) -> Self {
        Self(number)
    }
}

/// An instant in either of the two forms that the API offers. A leap second is converted to the second before it,
/// because an odds file cannot express it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Moment(DateTime<Utc>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an RFC 3339 instant, such as \"2026-11-21T20:30:00Z\", or Unix seconds")]
enum Written {
    Iso(DateTime<Utc>),
    Unix(i64),
}

/// The last nanosecond of a second. In a leap second, `chrono` counts beyond it.
const LAST_NANOSECOND: u32 = 999_999_999;

impl TryFrom<Written> for Moment {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::Iso(instant) => Some(instant),
            Written::Unix(seconds) => DateTime::from_timestamp(seconds, 0),
        }
        .and_then(|instant| within_reach(instant).ok())
        .and_then(|instant| instant.with_nanosecond(instant.nanosecond().min(LAST_NANOSECOND)))
        .map(Self)
        .ok_or_else(|| format!("expected a time {OutOfReach}"))
    }
}

impl Moment {
    pub(crate) const fn instant(self) -> DateTime<Utc> {
        self.0
    }
}

/// Compares names without letter case and surrounding blanks.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

impl Feed {
    /// Parses the body of a response: a list of events, or a snapshot that contains it.
    ///
    /// # Errors
    ///
    /// [`FeedError`] for any other body, including an error of the API.
    pub fn read(body: &[u8]) -> Result<Self, FeedError> {
        match serde_json::from_slice(body).map_err(FeedError::NotJson)? {
            Value::Array(events) => Ok(Self { taken_at: None, events: all(events)? }),
            Value::Object(mut fields) => match fields.remove("data") {
                Some(Value::Array(events)) => Ok(Self { taken_at: taken_at(&fields)?, events: all(events)? }),
                _ => Err(refusal(&fields)),
            },
            _ => Err(FeedError::NotAFeed),
        }
    }
}

fn all(events: Vec<Value>) -> Result<Vec<Event>, FeedError> {
    let read = |(number, event): (usize, Value)| {
        serde_path_to_error::deserialize(&event).map_err(|error| FeedError::BadEvent {
            place: FieldPath::in_file(number, &event, error.path()),
            source: error.into_inner(),
        })
    };
    (1..).zip(events).map(read).collect()
}

/// Parses the time of a snapshot. An invalid time is an error: at the present time, all games of an old snapshot have
/// started.
fn taken_at(fields: &Map<String, Value>) -> Result<Option<DateTime<Utc>>, FeedError> {
    let Some(timestamp) = fields.get("timestamp").filter(|timestamp| !timestamp.is_null()) else { return Ok(None) };
    let moment = serde_json::from_value::<Moment>(timestamp.clone());
    moment.map(|moment| Some(moment.instant())).map_err(|_| FeedError::BadTimestamp(timestamp.clone()))
}

/// Returns the error for an object that is not a snapshot: the API's own error, if it is one.
fn refusal(fields: &Map<String, Value>) -> FeedError {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text("error_code"), text("message")) {
        (None, None) => FeedError::NotAFeed,
        (code, message) => FeedError::Refused { code: code.unwrap_or_default(), message: message.unwrap_or_default() },
    }
}

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
    /// Two events of a game differ, and none is newer.
    #[error("{0}, and neither has the newer `last_update`; take one of them out of the feed")]
    RepeatedGame(String),
    /// An event without the field that marks a game as over.
    #[error("event {0} has no `completed`: the feed is not one of scores; ask the API for /scores")]
    NoScores(String),
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

/// The path to an invalid field of a feed: the event, bookmaker and market by their names, or by their numbers if
/// they have no name, and then the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(String);

/// The lists within an event: the key of the list, the word for an entry, and the field with an entry's name.
const LISTS: [(&str, &str, &str); 4] = [
    ("bookmakers", "bookmaker", "key"),
    ("markets", "market", "key"),
    ("outcomes", "outcome", "name"),
    ("scores", "score", "name"),
];

impl FieldPath {
    /// Describes a path within an event that is number `number` in the feed.
    pub(crate) fn in_file(number: usize, event: &Value, path: &Path) -> Self {
        let name = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
        let mut parts = vec![format!("event {}", name(event, "id").unwrap_or_else(|| format!("{number} of the feed")))];
        let (mut value, mut list) = (Some(event), None);
        let field_is = |key: &str, value: Option<&Value>| {
            value.map_or_else(|| format!("`{key}`"), |value| format!("`{key}` is {}", in_short(value)))
        };
        for segment in path {
            match segment {
                Segment::Seq { index } => {
                    value = value.and_then(|value| value.get(*index));
                    let (_, word, field) = list.take().unwrap_or(("", "entry", "key"));
                    let named = value.and_then(|entry| name(entry, field));
                    parts.push(format!("{word} {}", named.unwrap_or_else(|| (index + 1).to_string())));
                }
                Segment::Map { key } => {
                    value = value.and_then(|value| value.get(key));
                    list = LISTS.into_iter().find(|(list, ..)| list == key);
                    if list.is_none() {
                        parts.push(field_is(key, value));
                    }
                }
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        // If the path ends at a list, the list itself is invalid.
        parts.extend(list.map(|(key, ..)| field_is(key, value)));
        Self(parts.join(", "))
    }
}

/// Returns a scalar value as JSON; for a list or an object, its type.
fn in_short(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

impl Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
