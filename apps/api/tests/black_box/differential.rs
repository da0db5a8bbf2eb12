//! Cached responses compared with those of a server without a cache, for thousands of requests, well-formed and odd,
//! while a generation is published and the day changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;
use sports_calibration::SplitMix64;
use sports_testkit::programs::fixture;
use tokio::time::{Instant, sleep};

use crate::connections::client::{Client, RawAnswer};
use crate::folder::Folder;
use crate::service::{Service, Site};

const REQUESTS: usize = 3_000;
const AT_ONCE: usize = 8;
const PUBLISHED: &str = "2024-01-06T15:00:00Z";
const PUBLISHED_AGAIN: &str = "2024-01-06T16:00:00Z";

/// The last minute of an Eastern day, and moments of that day and of the next.
const BEFORE_MIDNIGHT: &str = "2024-01-07T04:59:00Z";
const ON_THE_DAY: &str = "2024-01-07T04:00:00Z";
const ON_THE_NEXT_DAY: &str = "2024-01-07T05:10:00Z";

const PATHS: [&str; 32] = [
    "/api/v1/odds/nfl",
    "/api/v1/odds/NFL",
    "/api/v1/odds/nba",
    "/api/v1/odds/nfl?changed_after=1",
    "/api/v1/odds/nfl/moves?after_generation=1",
    "/api/v1/predictions/nfl/won_on_spread/moves",
    "/api/v1/slate/nfl",
    "/api/v1/odds/nfl?generation=1",
    "/api/v1/odds/nfl?as_of=2024-01-06T15:30:00Z",
    "/api/v1/predictions/nfl/over_under",
    "/api/v1/predictions/nfl/over_under?as_of=2024-01-06T15:30:00Z",
    "/api/v1/results/nfl/over_under?generation=1",
    "/api/v1/predictions/nfl/won_on_spread?upcoming_only=false",
    "/api/v1/public/ml-picks/nfl/moneyline",
    "/api/v1/public/ml-picks/nfl/spread?upcoming_only=false",
    "/api/v1/releases/nfl",
    "/api/v1/releases/mlb",
    "/api/v1/results/nfl/over_under",
    "/api/v1/results/mlb/won_on_points?season=2017",
    "/api/v1/results/mlb/won_on_points?season=2016&limit=3",
    "/api/v1/results/mlb/over_under/seasons",
    "/api/v1/results/mlb/over_under/rolling",
    "/api/v1/results/mlb/over_under/team-form",
    "/api/v1/summary/mlb/over_under",
    "/api/v1/summary/mlb/over_under?forecast_source=recorded",
    "/api/v1/odds/nfl/closing?generation=1",
    "/api/v1/strategies/mlb/over_under",
    "/api/v1/strategies/mlb/over_under/follow_line_over/replay",
    "/api/v1/model-tracking/nfl/won_on_points",
    "/api/v1/sports",
    "/api/v1/picks/2024-01-06",
    "/nowhere",
];

const QUERIES: [&str; 9] =
    ["", "", "", "", "format=csv", "format=ndjson", "format=json", "limit=2&offset=1", "unheard_of=1"];

const HEADERS: [&[&str]; 7] = [
    &["", "", "Host: other\r\n"],
    &[
        "",
        "Accept: */*\r\n",
        "Accept: application/json\r\n",
        "Accept: text/csv\r\n",
        "accept: text/csv;q=0.5, application/json\r\n",
        "Accept: */*\r\nAccept: text/csv\r\n",
        "Accept: nonsense\r\n",
        "Accept:\r\n",
    ],
    &[
        "",
        "Accept-Encoding: gzip\r\n",
        "Accept-Encoding: br, gzip;q=0.9\r\n",
        "Accept-Encoding: zstd\r\n",
        "Accept-Encoding: identity\r\n",
        "Accept-Encoding: identity\r\nAccept-Encoding: gzip\r\n",
        "Accept-Encoding: *;q=0\r\n",
        "Accept-Encoding: gzip;q=2, , ;\r\n",
    ],
    &["", "", "", "", "If-None-Match: *\r\n", "If-None-Match: \"x\"\r\n", "If-None-Match: W/\"x\", \"y\"\r\n"],
    &["", "", "", "", "", "Range: bytes=0-9\r\n", "Connection: keep-alive\r\n", "Connection: close\r\n"],
    &["", "", "", "", "X-Forwarded-For: 192.0.2.1\r\n", "X-Request-Id: mine\r\n", "traceparent: nonsense\r\n"],
    &["KEY", "KEY", "KEY", "KEY", "KEY", "BEARER", "", "X-API-Key: sk_service_invented\r\n", "KEYKEY"],
];

/// Draws a request without its key, for which it has a placeholder.
fn request(random: &mut SplitMix64) -> String {
    let mut pick = |count: usize| random.below(count);
    let method = ["GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "POST"][pick(8)];
    let (path, query) = (PATHS[pick(PATHS.len())], QUERIES[pick(QUERIES.len())]);
    let separator = match (query.is_empty(), path.contains('?')) {
        (true, _) => "",
        (false, true) => "&",
        (false, false) => "?",
    };
    let version = ["1.1", "1.1", "1.1", "1.1", "1.1", "1.0"][pick(6)];
    let headers: String = HEADERS.iter().map(|values| values[pick(values.len())]).collect();
    format!(
        "{method} {path}{separator}{query} HTTP/{version}\r\n{}{headers}\r\n",
        ["Host: test\r\n", ""][pick(16) / 15]
    )
}

/// A response without the parts that are specific to one call.
type Response = (u16, BTreeMap<String, BTreeSet<String>>, Vec<u8>);

fn comparable(answer: RawAnswer) -> Response {
    let of_one_call = ["date", "x-request-id", "x-ratelimit-remaining", "retry-after"];
    let mut headers = BTreeMap::<_, BTreeSet<_>>::new();
    for (name, value) in answer.head.lines().skip(1).filter_map(|line| line.split_once(": ")) {
        let name = name.to_ascii_lowercase();
        if !of_one_call.contains(&name.as_str()) {
            headers.entry(name).or_default().insert(value.to_owned());
        }
    }
    if answer.status >= 400 {
        // A failure has its time, whose fractions vary in their number of digits.
        headers.remove("content-length");
    }
    let body = match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(mut failure)) if answer.status >= 400 => {
            failure.remove("timestamp");
            Value::Object(failure).to_string().into_bytes()
        }
        _ => answer.body,
    };
    (answer.status, headers, body)
}

async fn response(service: &Service, text: &str) -> Response {
    let key = service.key();
    let text = text
        .replace("KEY", &format!("X-API-Key: {key}\r\n"))
        .replace("BEARER", &format!("Authorization: Bearer {key}\r\n"));
    let mut client = Client::connect(service).await;
    client.send(&text).await;
    let answer = if text.starts_with("HEAD") { client.head_of_answer().await } else { client.answer().await };
    comparable(answer.unwrap_or_else(|| panic!("no response to {text}")))
}

async fn responses(service: &Service, requests: &[String]) -> Vec<Response> {
    let mut all = Vec::with_capacity(requests.len());
    for some in requests.chunks(AT_ONCE) {
        all.extend(join_all(some.iter().map(|text| response(service, text))).await);
    }
    all
}

/// Returns the generation of the league and the date that a server serves.
async fn state(service: &Service) -> (usize, String) {
    let releases = service.get("/api/v1/releases/nfl").await.json();
    let status = service.get("/api/v1/data-status/nfl").await.json();
    let count = releases["releases"].as_array().expect("a list").len();
    (count, status["date"].as_str().expect("a date").to_owned())
}

fn limits<'a>(as_of: &'a str, store: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("SPORTS_CLOCK__AS_OF", as_of),
        ("SPORTS_STORE__URL", store),
        ("SPORTS_LIMITS__PER_SECOND", "100000"),
        ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000"),
        ("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "100000"),
        // One worker, so that all requests share a cache.
        ("SPORTS_HTTP__WORKERS", "1"),
    ]
}

/// Returns the responses of a new server without a cache: it exports traces to an address without a collector.
async fn reference(store: &str, as_of: &str, requests: &[String]) -> ((usize, String), Vec<Response>) {
    let site = Site::on_one_machine();
    let mut variables = limits(as_of, store);
    variables.push(("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"));
    let service = site.serve_with(&variables).await;
    let answers = responses(&service, requests).await;
    (state(&service).await, answers)
}

#[tokio::test]
async fn cached_responses_equal_those_of_a_server_that_caches_none() {
    let site = Site::on_one_machine();
    for name in ["doubleheader", "nfl-2023-week-18-slate"] {
        let folder = fixture(name).join("release");
        let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", PUBLISHED]);
    }
    let store = format!("file:{}", site.place.store().display());
    let mut random = SplitMix64::from_seed(20_240_107);
    let requests: Vec<_> = (0..REQUESTS).map(|_| request(&mut random)).collect();

    let mut references = HashMap::new();
    let (state_before, answers) = reference(&store, ON_THE_DAY, &requests).await;
    references.insert(state_before.clone(), answers);

    let service = site.serve_with(&limits(BEFORE_MIDNIGHT, &store)).await;
    let mut seen = Vec::new();
    for round in 0..3 {
        for (number, some) in requests.chunks(REQUESTS / 10).enumerate() {
            if (round, number) == (1, 5) {
                let corrected = Folder::copy_of("nfl-2023-week-18-slate");
                let corrected = corrected.replace("predictions/over_under.csv", "0.4771", "0.4772");
                let folder = corrected.path().to_str().expect("text");
                let _ = site.place.ctl(["publish", folder, "--as-of", PUBLISHED_AGAIN]);
            }
            let before = state(&service).await;
            let answers = responses(&service, some).await;
            if before == state(&service).await {
                seen.push((before, number * (REQUESTS / 10), answers));
            }
        }
        if round == 1 {
            let started = Instant::now();
            while state(&service).await.1 == state_before.1 {
                assert!(started.elapsed() < Duration::from_mins(3), "the day goes on");
                sleep(Duration::from_millis(200)).await;
            }
        }
    }
    for as_of in [ON_THE_DAY, ON_THE_NEXT_DAY] {
        let (state, answers) = reference(&store, as_of, &requests).await;
        references.insert(state, answers);
    }
    let mut states = BTreeSet::new();
    for (state, first, answers) in &seen {
        states.insert(state.clone());
        let expected = references.get(state).unwrap_or_else(|| panic!("no reference of {state:?}"));
        for (place, answer) in answers.iter().enumerate() {
            let number = first + place;
            assert!(*answer == expected[number], "{state:?} {}\n{answer:?}\n{:?}", requests[number], expected[number]);
        }
    }
    assert!(states.len() >= 2, "{states:?}");
}
