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
    let service = site.app().await;
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
