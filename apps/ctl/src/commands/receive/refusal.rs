//! Requests that are refused: the status, and the body in the form of the API's errors.

use std::fmt;
use std::io::ErrorKind;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sports_accounts::hide_keys;
use sports_domain::printable;
use sports_ports::error_chain;
use sports_program::print_error_line;
use sports_publisher_files::ReadError;
use sports_publisher_files::archive::ArchiveError;
use sports_usecases::publish::PublishError;

use crate::failure::Failure;
use crate::report;

/// The seconds after which a request that failed for the moment may be repeated.
const SOON: u64 = 5;

/// What is told of a failure of the door's own: who uploads can do nothing about it.
const NOT_NOW: &str = "the store, the key or the clock of the door failed, which its operator can read in its output; send the same \
                       upload again with the same Idempotency-Key";

/// A request that is refused.
#[derive(Debug, Serialize, Deserialize)]
pub struct Refusal {
    #[serde(with = "code")]
    pub status: StatusCode,
    detail: String,
    /// Further fields of the body: problems and warnings.
    fields: Map<String, Value>,
    retry_after: Option<u64>,
}

impl Refusal {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), fields: Map::new(), retry_after: None }
    }

    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Refuses content.
    pub fn content(detail: impl Into<String>) -> Self {
        let problems = json!({ "problems": [], "total": 0, "warnings": [] });
        let Value::Object(fields) = problems else { unreachable!("an object") };
        Self { fields, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail) }
    }

    /// Refuses for the moment.
    pub fn later(status: StatusCode, seconds: u64, detail: impl Into<String>) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(status, detail) }
    }

    /// Refuses because of a failure of the door's own, which is printed.
    pub fn own_failure(failure: &dyn fmt::Display) -> Self {
        print_error_line!("sportsctl: {}", hide_keys(&printable(&failure.to_string())));
        Self::later(StatusCode::SERVICE_UNAVAILABLE, SOON, NOT_NOW)
    }

    /// Leaves a text out of all sentences.
    pub fn without(mut self, text: &str) -> Self {
        self.detail = self.detail.replace(text, "");
        for value in self.fields.values_mut() {
            leave_out(value, text);
        }
        self
    }

    /// Returns the response, which ends its connection.
    pub fn response(&self, now: DateTime<Utc>) -> HttpResponse {
        let mut body = self.fields.clone();
        body.insert("error".to_owned(), format!("HTTP_{}", self.status.as_u16()).into());
        body.insert("detail".to_owned(), self.detail.clone().into());
        body.insert("timestamp".to_owned(), report::written_instant(now).into());
        let mut response = HttpResponse::build(self.status);
        response.content_type("application/json");
        if let Some(seconds) = self.retry_after {
            response.insert_header((RETRY_AFTER, seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((WWW_AUTHENTICATE, "Bearer"));
        }
        // Whatever was not read of the body is not waited for.
        response.force_close();
        response.body(hide_keys(&Value::Object(body).to_string()).into_owned())
    }
}

/// A status as its number.
mod code {
    use actix_web::http::StatusCode;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub fn serialize<S: Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(status.as_u16())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StatusCode, D::Error> {
        StatusCode::from_u16(u16::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn leave_out(value: &mut Value, text: &str) {
    match value {
        Value::String(sentence) => *sentence = sentence.replace(text, ""),
        Value::Array(values) => values.iter_mut().for_each(|value| leave_out(value, text)),
        Value::Object(fields) => fields.values_mut().for_each(|value| leave_out(value, text)),
        _ => {}
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match &failure {
            Failure::Problems(_) | Failure::Unread(_) | Failure::Warned(_) | Failure::Refused { .. } => {
                let mut refusal = Self::content("");
                if let Value::Object(found) = failure.json() {
                    refusal.fields.extend(found);
                }
                let count = |fields: &Map<String, Value>, name: &str| fields.get(name).and_then(Value::as_u64);
                let message = refusal.fields.remove("error");
                let message = message.as_ref().and_then(Value::as_str).unwrap_or_default();
                let (total, warned) =
                    (count(&refusal.fields, "total").unwrap_or_default(), count(&refusal.fields, "warning_count"));
                let (count, noun) = warned.map_or((total, "problem"), |warned| (warned, "warning"));
                let plural = if count == 1 { "" } else { "s" };
                refusal.detail = format!("{message}: {count} {noun}{plural}");
                refusal
            }
            Failure::BadInput(cause) | Failure::Other(cause) | Failure::Unchecked(cause) => {
                let message = error_chain(&**cause);
                if let Some(ReadError::Io { source, .. }) = cause.downcast_ref()
                    && source.kind() == ErrorKind::FileTooLarge
                {
                    return Self::new(StatusCode::PAYLOAD_TOO_LARGE, format!("finals: {source}"));
                }
                match cause.downcast_ref() {
                    Some(PublishError::OtherHead(_)) => Self::new(StatusCode::PRECONDITION_FAILED, message),
                    Some(PublishError::Older { .. }) => {
                        let remedy = "nothing was published: `allow=older` publishes it all the same";
                        Self::new(StatusCode::CONFLICT, format!("{message}; {remedy}"))
                    }
                    Some(PublishError::NothingPublished(_)) => Self::content(message),
                    _ => Self::own_failure(&message),
                }
            }
            Failure::Left { message, .. } => Self::own_failure(message),
        }
    }
}

impl From<ArchiveError> for Refusal {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::TooLarge(sentence) => Self::new(StatusCode::PAYLOAD_TOO_LARGE, sentence),
            ArchiveError::Malformed(sentence) => Self::content(sentence),
            ArchiveError::Io(error) => Self::own_failure(&error),
        }
    }
}
