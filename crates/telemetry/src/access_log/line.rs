use std::cell::RefCell;
use std::time::Duration;

use sports_accounts::{ClientNetwork, CustomerId};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_system::SystemClock;

use crate::text::{SecondText, put, put_digits};
use crate::trace::TraceId;

/// The tracing target of the lines, by which the log filters them.
pub(super) const TARGET: &str = "sports_api::access";

/// The facts about one request. Paths and queries can contain keys, so a line has the route instead; the caller masks keys in
/// the method.
#[derive(Debug)]
pub struct Line<'a> {
    /// The method, masked where it looks like a key.
    pub method: &'a str,
    /// The pattern of its route, or `-`.
    pub route: &'a str,
    /// The status of the response.
    pub status: u16,
    /// The time from its head to the head of the response.
    pub took: Duration,
    /// The customer whose key it has.
    pub customer: Option<CustomerId>,
    /// The network of the client.
    pub network: Option<ClientNetwork>,
    /// The league in its path.
    pub sport: Option<Sport>,
    /// The id of the request: letters, digits, `.`, `_` and `-`.
    pub request_id: &'a str,
    /// The trace it is part of.
    pub trace: Option<TraceId>,
}

impl Line<'_> {
    /// Writes the line as text. Nothing needs escaping: methods, routes and ids have harmless characters only.
    pub(super) fn write_for_people(&self, stamp: &Stamp, text: &mut Vec<u8>) {
        stamp.write(text);
        put(text, &["  INFO ", TARGET, ": "]);
        self.write_message(text);
        put(text, &[" method=\"", self.method, "\" route=\"", self.route, "\" status="]);
        put_digits(text, self.status.into(), 3);
        put(text, &[" ms="]);
        write_milliseconds(self.took, text);
        if let Some(customer) = self.customer {
            put(text, &[" customer=", customer.text().as_str()]);
        }
        if let Some(network) = self.network {
            put(text, &[" client=", &network.to_string()]);
        }
        if let Some(sport) = self.sport {
            put(text, &[" sport=", sport.code()]);
        }
        put(text, &[" request_id=", self.request_id]);
        if let Some(trace) = self.trace {
            put(text, &[" trace_id=", &trace.to_string()]);
        }
    }

    /// Writes the line as a JSON object.
    pub(super) fn write_as_json(&self, stamp: &Stamp, text: &mut Vec<u8>) {
        put(text, &["{\"timestamp\":\""]);
        stamp.write(text);
        put(text, &["\",\"level\":\"INFO\",\"message\":\""]);
        self.write_message(text);
        put(text, &["\",\"method\":\"", self.method, "\",\"route\":\"", self.route, "\",\"status\":"]);
        put_digits(text, self.status.into(), 3);
        put(text, &[",\"ms\":"]);
        write_milliseconds(self.took, text);
        if let Some(customer) = self.customer {
            put(text, &[",\"customer\":\"", customer.text().as_str(), "\""]);
        }
        if let Some(network) = self.network {
            put(text, &[",\"client\":\"", &network.to_string(), "\""]);
        }
        if let Some(sport) = self.sport {
            put(text, &[",\"sport\":\"", sport.code(), "\""]);
        }
        put(text, &[",\"request_id\":\"", self.request_id, "\""]);
        if let Some(trace) = self.trace {
            put(text, &[",\"trace_id\":\"", &trace.to_string(), "\""]);
        }
        put(text, &[",\"target\":\"", TARGET, "\"}"]);
    }

    fn write_message(&self, text: &mut Vec<u8>) {
        put(text, &[self.method, " ", self.route, " answered "]);
        put_digits(text, self.status.into(), 3);
    }
}

/// Writes milliseconds to the microsecond, as a number with a decimal point.
fn write_milliseconds(took: Duration, text: &mut Vec<u8>) {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    put_digits(text, micros / 1000, 1);
    put(text, &["."]);
    put_digits(text, micros % 1000, 3);
    // Like other numbers, without trailing zeros; one digit stays after the point.
    while text.ends_with(b"0") && !text.ends_with(b".0") {
        text.pop();
    }
}

/// The timestamp of log lines: the machine's time.
pub(super) struct Stamp {
    clock: SystemClock,
    seconds: RefCell<SecondText>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { clock: SystemClock::new(), seconds: RefCell::new(SecondText::new("%Y-%m-%dT%H:%M:%S")) }
    }
}

impl Stamp {
    fn write(&self, text: &mut Vec<u8>) {
        let now = self.clock.now();
        put(text, &[self.seconds.borrow_mut().at(now), "."]);
        put_digits(text, now.timestamp_subsec_micros().into(), 6);
        put(text, &["Z"]);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use chrono::DateTime;
    use serde_json::{Value, json};

    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        write(&mut text);
        String::from_utf8(text).expect("text")
    }

    fn line() -> Line<'static> {
        Line {
            method: "GET",
            route: "/api/v1/odds/{sport}",
            status: 200,
            took: Duration::from_nanos(1_230_999),
            customer: None,
            network: Some(IpAddr::from([192, 0, 2, 7]).into()),
            sport: Some(Sport::Nba),
            request_id: "a-1",
            trace: Some(TraceId::from_bytes([0xAB; 16])),
        }
    }

    #[test]
    fn both_formats_of_a_line_have_the_same_fields() {
        let stamp = Stamp::default();
        let people = written(|text| line().write_for_people(&stamp, text));
        let (time, rest) = people.split_once("  ").expect("a time");
        assert!(DateTime::parse_from_rfc3339(time).is_ok() && time.len() == 27, "{time}");
        let expected = "INFO sports_api::access: GET /api/v1/odds/{sport} answered 200 method=\"GET\" \
                        route=\"/api/v1/odds/{sport}\" status=200 ms=1.23 client=192.0.2.0/24 sport=nba request_id=a-1 \
                        trace_id=abababababababababababababababab";
        assert_eq!(rest, expected);
        let json: Value = serde_json::from_str(&written(|text| line().write_as_json(&stamp, text))).expect("JSON");
        let mut expected = json!({
            "level": "INFO", "message": "GET /api/v1/odds/{sport} answered 200", "method": "GET",
            "route": "/api/v1/odds/{sport}", "status": 200, "ms": 1.23, "client": "192.0.2.0/24", "sport": "nba",
            "request_id": "a-1", "trace_id": "abababababababababababababababab", "target": "sports_api::access"
        });
        expected["timestamp"] = json["timestamp"].clone();
        assert_eq!(json, expected);
    }

    #[test]
    fn milliseconds_are_a_number_to_the_microsecond() {
        for (micros, expected) in [(0, "0.0"), (1, "0.001"), (20, "0.02"), (1000, "1.0"), (12_345_600, "12345.6")] {
            assert_eq!(written(|text| write_milliseconds(Duration::from_micros(micros), text)), expected);
        }
    }
}
