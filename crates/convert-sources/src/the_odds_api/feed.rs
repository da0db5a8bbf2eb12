use chrono::{DateTime, Timelike, Utc};
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use sports_domain::{OutOfReach, check_visible, within_reach};

use crate::the_odds_api::FeedError;
use crate::the_odds_api::field_path::FieldPath;

/// A response of the API to a request for odds.
#[derive(Debug, Clone)]
pub struct Feed {
    /// The time at which it was taken; only snapshots of the historical endpoint have one.
    pub taken_at: Option<DateTime<Utc>>,
    pub(crate) events: Vec<Event>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) sport_key: String,
    pub(crate) commence_time: Moment,
    pub(crate) home_team: Option<String>,
    pub(crate) away_team: Option<String>,
    #[serde(default)]
    pub(crate) bookmakers: Vec<Bookmaker>,
}

impl Event {
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

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Bookmaker {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) last_update: Option<Moment>,
    #[serde(default)]
    pub(crate) markets: Vec<Market>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Market {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) last_update: Option<Moment>,
    pub(crate) outcomes: Vec<PricedOutcome>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PricedOutcome {
    pub(crate) name: String,
    pub(crate) price: Price,
    #[serde(default)]
    pub(crate) point: Option<f64>,
}

/// A price in the feed, American or not.
#[derive(Debug, Clone, Deserialize)]
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
#[derive(Debug, Clone, Copy, Deserialize)]
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
