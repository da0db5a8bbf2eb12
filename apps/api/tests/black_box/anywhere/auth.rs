use chrono::TimeDelta;
use reqwest::RequestBuilder;
use sports_testkit::programs::TestFolder;

use crate::service::{Answer, Service, Site};

const PATH: &str = "/api/v1/results/nfl/over_under/seasons";
const REQUIRED: &str = "API key required";
const REFUSED: &str = "Invalid or expired API key";

/// A token of another system, such as an identity platform puts into `Authorization`.
const FOREIGN: &str = "Bearer eyJhbGciOiJIUzI1NiJ9.e30.signature";

/// The three places of a request where a key can be.
#[derive(Debug, Clone, Copy, Default)]
struct Shown<'a> {
    header: Option<&'a str>,
    authorization: Option<&'a str>,
    query: Option<&'a str>,
}

impl Shown<'_> {
    fn request(&self, service: &Service) -> RequestBuilder {
        let mut request = match self.query {
            Some(key) => service.request(&format!("{PATH}?api_key={key}")),
            None => service.request(PATH),
        };
        if let Some(key) = self.header {
            request = request.header("X-API-Key", key);
        }
        if let Some(authorization) = self.authorization {
            request = request.header("Authorization", authorization);
        }
        request
    }
}

/// Returns a key of the right form, with a correct checksum, that no customer has.
fn unknown_key() -> String {
    TestFolder::fresh().subscriber_key()
}

/// Returns the key with one letter of its body changed.
fn mistyped(key: &str) -> String {
    let last = key.chars().next_back().expect("a letter");
    format!("{}{}", &key[..key.len() - 1], if last == 'a' { 'b' } else { 'a' })
}

fn challenge(answer: &Answer) -> Option<&str> {
    answer.header("www-authenticate")
}

#[tokio::test]
async fn the_places_of_a_key_have_the_specified_order() {
    let site = Site::empty();
    let service = site.serve().await;
    let (good, typo, unknown) = (site.key.as_str(), mistyped(&site.key), unknown_key());
    let bearer = |key: &str| format!("Bearer {key}");
    let (good_bearer, lower, bad_bearer) = (bearer(good), format!("bearer {good}"), bearer(&unknown));
    let typo_bearer = bearer(&typo);
    let encoded = good.replace("sk_", "sk%5F");

    let h = |key| Shown { header: Some(key), ..Shown::default() };
    let a = |authorization| Shown { authorization: Some(authorization), ..Shown::default() };
    let q = |key| Shown { query: Some(key), ..Shown::default() };
    let table = [
        (Shown::default(), Err(REQUIRED)),
        (h(good), Ok(())),
        (a(&good_bearer), Ok(())),
        (a(&lower), Ok(())),
        (q(good), Ok(())),
        (q(&encoded), Ok(())),
        // X-API-Key takes precedence over everything, right or wrong.
        (Shown { header: Some(good), authorization: Some(FOREIGN), query: None }, Ok(())),
        (Shown { header: Some(good), authorization: Some(&bad_bearer), query: Some(&unknown) }, Ok(())),
        (Shown { header: Some(&unknown), authorization: Some(&good_bearer), query: Some(good) }, Err(REFUSED)),
        (Shown { header: Some("hunter2"), authorization: Some(&good_bearer), query: Some(good) }, Err(REFUSED)),
        // A bearer token in the form of a key takes precedence over the query; another token does not.
        (Shown { header: None, authorization: Some(&good_bearer), query: Some(&unknown) }, Ok(())),
        (Shown { header: None, authorization: Some(&bad_bearer), query: Some(good) }, Err(REFUSED)),
        (Shown { header: None, authorization: Some(&typo_bearer), query: Some(good) }, Err(REFUSED)),
        (Shown { header: None, authorization: Some(FOREIGN), query: Some(good) }, Ok(())),
        (Shown { header: None, authorization: Some(FOREIGN), query: Some(&unknown) }, Err(REFUSED)),
        (a(FOREIGN), Err(REFUSED)),
        // Another scheme counts as no key, and so does an empty key.
        (a("Basic YW5uOnNlY3JldA=="), Err(REQUIRED)),
        (Shown { header: None, authorization: Some("Basic YW5uOnNlY3JldA=="), query: Some(good) }, Ok(())),
        (Shown { header: Some(""), authorization: Some(&good_bearer), query: None }, Ok(())),
        (q(""), Err(REQUIRED)),
        // Mistyped and unknown keys are refused in the same way.
        (h(&typo), Err(REFUSED)),
        (h(&unknown), Err(REFUSED)),
        (h("sk_service_"), Err(REFUSED)),
        (q(&typo), Err(REFUSED)),
    ];
    for (row, (shown, expected)) in table.iter().enumerate() {
        let answer = Answer::to(shown.request(&service)).await;
        match expected {
            Ok(()) => assert_eq!(answer.status, 200, "row {row}: {}", answer.text()),
            Err(detail) => {
                assert_eq!(answer.failure(401), *detail, "row {row}");
                let tells_why = challenge(&answer).is_some_and(|words| words.contains("invalid_token"));
                assert!(challenge(&answer).is_some_and(|words| words.starts_with("Bearer realm=")), "row {row}");
                assert_eq!(tells_why, *detail == REFUSED, "row {row}");
            }
        }
    }
}

#[tokio::test]
async fn the_key_is_checked_before_the_rest_of_the_request() {
    let site = Site::empty();
    let service = site.serve().await;
    for path in
        ["results/cricket/over_under", "results/nfl/over_under?limit=0", "results/nba/over_under", "sports?season=1"]
    {
        let answer = Answer::to(service.request(&format!("/api/v1/{path}"))).await;
        assert_eq!(answer.failure(401), REQUIRED, "{path}");
    }
    for path in ["/", "/api/v1/health", "/api/v1/readiness", "/api/v1/liveness", "/openapi.json"] {
        assert_eq!(Answer::to(service.request(path)).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn every_plan_opens_the_results_and_no_plan_does_not() {
    let site = Site::publishing(&["doubleheader"]);
    let service = site.serve().await;
    for plan in ["ai", "data", "basic", "premium"] {
        let key = site.key_of_another(plan, &[]);
        let answer = Answer::to(service.request("/api/v1/results/mlb/over_under").header("X-API-Key", key)).await;
        assert_eq!(answer.status, 200, "{plan}");
    }
    let lapsed = site.key_of_another("none", &[]);
    for path in [PATH, "/api/v1/results/mlb/over_under", "/api/v1/results/cricket/over_under", "/api/v1/sports"] {
        let answer = Answer::to(service.request(path).header("X-API-Key", &lapsed)).await;
        assert_eq!(answer.failure(403), "Active subscription required", "{path}");
    }
}

/// The delay is a matter of the cache of keys and its tests.
#[tokio::test]
async fn a_revoked_key_is_refused_by_a_running_server() {
    let site = Site::empty();
    let service = site.serve().await;
    let key = site.key_of_another("ai", &[]);
    let revoked = service.with_key(&key);
    assert_eq!(revoked.get(PATH).await.status, 200);
    assert!(site.place.ctl(["key", "revoke", &key]).starts_with("revoked "));
    let refused = revoked.until(PATH, |answer| answer.status != 200).await;
    assert_eq!(refused.failure(401), REFUSED);
    assert_eq!(service.get(PATH).await.status, 200, "the other keys work on");
}

#[tokio::test]
async fn a_key_expires_while_the_server_runs() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2099-12-31T00:00:00Z")]).await;
    let end = service.clock().await + TimeDelta::seconds(10);
    let key = site.key_of_another("ai", &["--expires", &end.to_rfc3339()]);
    let expiring = service.with_key(&key);
    assert_eq!(expiring.get(PATH).await.status, 200);
    let refused = expiring.until(PATH, |answer| answer.status != 200).await;
    assert_eq!(refused.failure(401), REFUSED);
    assert!(service.clock().await >= end, "not before its end");
    assert_eq!(service.get(PATH).await.status, 200, "a key without an end has none");
}

#[tokio::test]
async fn no_key_is_ever_written_to_the_log() {
    let site = Site::publishing(&["doubleheader"]);
    let service = site.serve_with(&[("RUST_LOG", "debug")]).await;
    let (good, typo, unknown) = (site.key.clone(), mistyped(&site.key), unknown_key());
    for key in [&good, &typo, &unknown] {
        let requests = [
            service.request(PATH).header("X-API-Key", key),
            service.request(PATH).header("Authorization", format!("Bearer {key}")),
            service.request(PATH).header("Cookie", format!("key={key}")),
            service.request(&format!("{PATH}?api_key={key}")),
            service.request(&format!("{PATH}?api_key={key}&api_key={key}")),
            service.request(&format!("{PATH}?apikey={key}")).header("X-API-Key", &good),
            service.request(&format!("/api/v1/results/mlb/over_under?season={key}&api_key={good}")),
            service.request(&format!("/api/v1/results/{key}/over_under?api_key={good}")),
            service.request(&format!("/api/v1/customers/me/api-keys/{key}")),
            service.request(&format!("/{key}?{key}={key}")),
        ];
        for request in requests {
            Answer::to(request).await;
        }
    }
    let log = site.log();
    assert!(log.contains("answered 401") && log.contains("answered 200"), "{log}");
    for key in [good, typo, unknown] {
        // Not even the part after the prefix and the masked letters.
        let secret = &key["sk_service_".len() + 4..];
        assert!(!log.contains(secret), "{}", log.lines().find(|line| line.contains(secret)).expect("a line"));
    }
}
