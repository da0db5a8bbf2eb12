//! The samples of proxies in `deploy`, as they are in the repository: only addresses and folders are replaced.

mod caddy;
mod nginx;
mod raw;

use std::fs;
use std::path::Path;

use serde_json::Value;

pub use nginx::Nginx;
use raw::RawAnswer;

/// Returns a sample with replacements, each of which applies.
fn sample(path: &str, replacements: &[(String, String)]) -> String {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy")).join(path);
    let mut sample = fs::read_to_string(file).expect("the sample");
    for (theirs, ours) in replacements {
        assert!(sample.contains(theirs), "{theirs}");
        sample = sample.replace(theirs, ours);
    }
    sample
}

/// Asserts an error in the form of the service, with one of these statuses.
fn expect_error(answer: &RawAnswer, statuses: &[u16], what: &str) {
    assert!(statuses.contains(&answer.status), "{what}: {answer:?}");
    assert_eq!(answer.headers("content-type"), ["application/json"], "{what}");
    assert_eq!(answer.headers("cache-control"), ["no-store"], "{what}");
    assert_eq!(answer.headers("x-content-type-options"), ["nosniff"], "{what}");
    assert_eq!(answer.headers("referrer-policy"), ["no-referrer"], "{what}");
    let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    assert_eq!(answer.headers("content-security-policy"), [policy], "{what}");
    let retries = [429, 502, 503, 504].contains(&answer.status);
    assert_eq!(answer.headers("retry-after"), if retries { &["2"][..] } else { &[] }, "{what}");
    assert_eq!(!answer.headers("allow").is_empty(), answer.status == 405, "{what}");
    let body: Value = serde_json::from_str(&answer.body).expect(what);
    assert_eq!(body["error"], format!("HTTP_{}", answer.status), "{what}");
    assert!(body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{what}: {body}");
    let timestamp = body["timestamp"].as_str().expect(what);
    assert!(chrono::DateTime::parse_from_rfc3339(timestamp).is_ok(), "{what}: {body}");
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(3), "{what}: {body}");
}

/// Returns a request that ends its connection.
fn request(line: &str, headers: &str) -> String {
    format!("{line}\r\n{headers}Connection: close\r\n\r\n")
}
