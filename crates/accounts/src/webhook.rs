//! Webhooks of customers: addresses that are told of what happens, and the deliveries to them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{FormError, Sport};
use url::Url;

use crate::CustomerId;

/// The maximum number of webhooks of a customer.
pub const MAX_WEBHOOKS: usize = 10;

/// The unique id of a webhook: `wh_` and 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WebhookId(u128);

impl WebhookId {
    const PREFIX: &str = "wh_";

    /// Creates the id from random bytes.
    pub const fn from_random(random: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(random))
    }
}

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:032x}", Self::PREFIX, self.0)
    }
}

impl FromStr for WebhookId {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix(Self::PREFIX).and_then(|digits| u128::from_str_radix(digits, 16).ok());
        let id = digits.map(Self).filter(|id| id.to_string() == text);
        id.ok_or_else(|| FormError::new(format!("`{text}` is not the id of a webhook")))
    }
}

/// The secret by which deliveries to a webhook are signed: 32 random bytes, written as *Standard Webhooks* does.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; 32]);

impl WebhookSecret {
    const PREFIX: &str = "whsec_";

    /// Creates the secret from random bytes.
    pub const fn from_random(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// Returns the key of the signature.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the secret as text: `whsec_` and the key in Base64.
    pub fn reveal(&self) -> String {
        format!("{}{}", Self::PREFIX, STANDARD.encode(self.0))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

impl FromStr for WebhookSecret {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = text.strip_prefix(Self::PREFIX).and_then(|key| STANDARD.decode(key).ok()?.try_into().ok());
        key.map(Self).ok_or(FormError::fixed("not the secret of a webhook"))
    }
}

/// The address of a webhook: at most 2,000 bytes, with a host, without a user and a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookUrl(Url);

impl WebhookUrl {
    const LONGEST: usize = 2_000;

    /// Parses an address of HTTPS, or also of HTTP.
    ///
    /// # Errors
    ///
    /// [`FormError`] with what is wrong.
    pub fn parse(text: &str, may_be_http: bool) -> Result<Self, FormError> {
        let fixed = |reason| Err(FormError::fixed(reason));
        let Ok(url) = Url::parse(text) else {
            return fixed("expected an address such as https://example.com/hooks/sports");
        };
        let is_allowed = url.scheme() == "https" || url.scheme() == "http" && may_be_http;
        if !is_allowed {
            return fixed("it must begin with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return fixed("it cannot have a user or a password: check the signature of each delivery instead");
        }
        if url.fragment().is_some() {
            return fixed("it cannot have a fragment (#…), which is never sent");
        }
        if url.as_str().len() > Self::LONGEST {
            return Err(FormError::new(format!("it can have at most {} bytes", Self::LONGEST)));
        }
        if url.port() == Some(0) {
            return fixed("it cannot have the port 0");
        }
        Ok(Self(url))
    }

    /// Returns the address.
    pub const fn as_url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for WebhookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The subject of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WebhookEvent {
    /// A release of a league.
    Release,
    /// A change of the data status of a league.
    Status,
    /// A test that its owner asked for.
    Test,
}

impl WebhookEvent {
    pub const ALL: [Self; 3] = [Self::Release, Self::Status, Self::Test];

    /// The events to which a webhook subscribes.
    pub const SUBSCRIBED: [Self; 2] = [Self::Release, Self::Status];

    /// Returns the word for the event.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Status => "status",
            Self::Test => "test",
        }
    }
}

impl FromStr for WebhookEvent {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let event = Self::ALL.into_iter().find(|event| event.word() == text);
        event.ok_or_else(|| FormError::new(format!("`{text}` is none of release and status")))
    }
}

/// An address that is told of the events of leagues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub customer: CustomerId,
    pub url: WebhookUrl,
    pub secret: WebhookSecret,
    /// Of [`WebhookEvent::SUBSCRIBED`].
    pub events: BTreeSet<WebhookEvent>,
    pub sports: BTreeSet<Sport>,
    pub created_at: DateTime<Utc>,
    /// The failures since the last success.
    pub failing: Option<Failing>,
    /// The time from which nothing is delivered, and the reason.
    pub disabled: Option<(DateTime<Utc>, String)>,
}

/// Failures of one attempt after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failing {
    /// The time of the first one.
    pub since: DateTime<Utc>,
    /// The time of the last one.
    pub last: DateTime<Utc>,
}

impl Webhook {
    /// The time of failures after which a webhook is disabled. After as long a time without an attempt, failures count anew.
    pub const FAILS_AT_MOST: TimeDelta = TimeDelta::days(5);

    /// The status of an answer that asks for no more deliveries.
    const GONE: u16 = 410;

    /// Returns `true` if the webhook is to be told of an event of a league.
    pub fn wants(&self, event: WebhookEvent, sport: Sport) -> bool {
        self.disabled.is_none() && self.events.contains(&event) && self.sports.contains(&sport)
    }

    /// Notes the outcome of an attempt.
    pub fn note(&mut self, attempt: &Attempt) {
        if attempt.is_success() {
            self.failing = None;
            return;
        }
        let at = attempt.at;
        let before = self.failing.filter(|failing| at - failing.last < Self::FAILS_AT_MOST);
        let since = before.map_or(at, |failing| failing.since);
        self.failing = Some(Failing { since, last: at });
        let reason = match attempt.status {
            Some(Self::GONE) => "the receiver answered 410",
            _ if at - since >= Self::FAILS_AT_MOST => "all deliveries of five days failed",
            _ => return,
        };
        self.disabled = Some((attempt.at, reason.to_owned()));
    }
}

/// The outcome of an attempt to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub at: DateTime<Utc>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The reason for which there is no answer.
    pub error: Option<String>,
}

impl Attempt {
    /// Returns `true` if the receiver accepted the delivery.
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the message, which is the same for each attempt: no other delivery has it.
    pub id: String,
    pub webhook: WebhookId,
    pub event: WebhookEvent,
    /// The message, as JSON.
    pub payload: String,
    pub created_at: DateTime<Utc>,
    /// The number of attempts so far.
    pub attempts: u32,
    /// The time of the next attempt; `None` once it is delivered or given up.
    pub next_at: Option<DateTime<Utc>>,
    pub last: Option<Attempt>,
}

/// The times between attempts, in seconds: together about a day.
const BACKOFF: [i64; 10] = [5, 15, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 28_800];

impl Delivery {
    /// A delivery that is due.
    pub const fn new(
        id: String,
        webhook: WebhookId,
        event: WebhookEvent,
        payload: String,
        created_at: DateTime<Utc>,
    ) -> Self {
        Self { id, webhook, event, payload, created_at, attempts: 0, next_at: Some(created_at), last: None }
    }

    /// Notes the outcome of an attempt, and when the next is due.
    pub fn note(&mut self, attempt: Attempt) {
        let pause = BACKOFF.get(self.attempts as usize).filter(|_| !attempt.is_success());
        self.next_at = pause.map(|seconds| attempt.at + TimeDelta::seconds(*seconds));
        self.attempts += 1;
        self.last = Some(attempt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).expect("an instant")
    }

    fn answered(seconds: i64, status: u16) -> Attempt {
        Attempt { at: at(seconds), status: Some(status), error: None }
    }

    fn a_webhook() -> Webhook {
        Webhook {
            created_at: at(0),
            sports: [Sport::Nfl].into(),
            ..testing::a_webhook(CustomerId::from_random([1; 10]), 7)
        }
    }

    #[test]
    fn ids_and_secrets_are_read_back_and_hidden() {
        let id = WebhookId::from_random([0xab; 16]);
        assert_eq!(id.to_string().parse(), Ok(id));
        for text in ["", "wh_", "wh_AB", "abababababababababababababababab", "wh_+bababababababababababababababab"] {
            assert!(text.parse::<WebhookId>().is_err(), "{text}");
        }
        let secret = WebhookSecret::from_random([0; 32]);
        assert_eq!(secret.reveal(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        assert_eq!(secret.reveal().parse(), Ok(secret.clone()));
        assert!(!format!("{secret:?}").contains("AAAA"));
        assert!("whsec_AAAA".parse::<WebhookSecret>().is_err());
    }

    #[test]
    fn an_address_is_of_https_and_has_no_secrets_of_its_own() {
        assert!(WebhookUrl::parse("https://example.com:8443/hook?team=1", false).is_ok());
        assert!(WebhookUrl::parse("http://127.0.0.1:9000/", true).is_ok());
        for text in [
            "",
            "example.com/hook",
            "http://example.com/",
            "ftp://example.com/",
            "https://",
            "https://user@example.com/",
            "https://user:word@example.com/",
            "https://example.com/#part",
            "https://example.com:0/",
            &format!("https://example.com/{}", "a".repeat(2_000)),
        ] {
            assert!(WebhookUrl::parse(text, false).is_err(), "{text}");
        }
        assert!(WebhookUrl::parse("file:///etc/passwd", true).is_err());
    }

    #[test]
    fn a_delivery_is_tried_for_a_day_and_then_given_up() {
        let id = "msg_1".to_owned();
        let mut delivery = Delivery::new(id, a_webhook().id, WebhookEvent::Release, String::new(), at(0));
        assert_eq!(delivery.next_at, Some(at(0)));
        let mut times = Vec::new();
        while let Some(next) = delivery.next_at {
            times.push((next - at(0)).num_seconds());
            delivery.note(Attempt { at: next, status: Some(500), error: None });
        }
        assert_eq!(times[..4], [0, 5, 20, 80]);
        let last = times.last().copied().expect("attempts");
        assert!((23 * 3_600..=24 * 3_600).contains(&last), "{last}");
        assert_eq!(delivery.attempts as usize, times.len());

        let id = "msg_2".to_owned();
        let mut delivery = Delivery::new(id, a_webhook().id, WebhookEvent::Release, String::new(), at(0));
        delivery.note(answered(1, 204));
        assert_eq!((delivery.next_at, delivery.attempts), (None, 1));
    }

    #[test]
    fn a_webhook_is_disabled_after_five_days_of_failures_or_410() {
        const DAY: i64 = 86_400;
        let mut webhook = a_webhook();
        webhook.note(&answered(0, 500));
        webhook.note(&answered(5 * DAY - 1, 302));
        assert!(webhook.wants(WebhookEvent::Release, Sport::Nfl));
        webhook.note(&answered(5 * DAY - 1, 200));
        webhook.note(&answered(6 * DAY, 500));
        assert_eq!(webhook.failing, Some(Failing { since: at(6 * DAY), last: at(6 * DAY) }));
        // The next season: the failures of the last one are over.
        webhook.note(&answered(160 * DAY, 500));
        webhook.note(&answered(164 * DAY, 500));
        assert_eq!(webhook.failing, Some(Failing { since: at(160 * DAY), last: at(164 * DAY) }));
        assert_eq!(webhook.disabled, None);
        webhook.note(&Attempt { at: at(165 * DAY), status: None, error: Some("no answer".to_owned()) });
        assert_eq!(webhook.disabled.as_ref().map(|(at, _)| *at), Some(at(165 * DAY)));
        assert!(!webhook.wants(WebhookEvent::Release, Sport::Nfl));

        let mut webhook = a_webhook();
        webhook.note(&answered(3, 410));
        assert_eq!(webhook.disabled, Some((at(3), "the receiver answered 410".to_owned())));
        let other = a_webhook();
        assert!(!other.wants(WebhookEvent::Release, Sport::Nba) && !other.wants(WebhookEvent::Test, Sport::Nfl));
    }
}
