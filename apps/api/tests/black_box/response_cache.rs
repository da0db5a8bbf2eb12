//! Cached responses: equal to those of the application, for the same callers, with the same counting.

use std::collections::BTreeMap;

use reqwest::Method;

use crate::connections::client::Client;
use crate::connections::resident;
use crate::folder::Folder;
use crate::service::{Answer, Service, Site};

const PAGE: &str = "/api/v1/results/nfl/over_under?season=2023-24";

/// The number of requests after which an answer is cached, and more.
const OFTEN: usize = 5;

/// Returns the parts of an answer that do not depend on the single call.
///
/// A failure's body has its time, which is shorter when its last digits are zeros; so the length is left out too.
fn repeated(answer: &Answer) -> (u16, BTreeMap<String, Vec<u8>>, Vec<u8>) {
    let fails = answer.status != 200;
    let of_one_call = |name: &str| {
        ["x-request-id", "x-ratelimit-remaining", "date"].contains(&name) || (fails && name == "content-length")
    };
    let headers = answer.headers.iter().filter(|(name, _)| !of_one_call(name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    let body = if fails { Vec::new() } else { answer.body.to_vec() };
    (answer.status, headers, body)
}

async fn often(service: &Service, path: &str, headers: &[(&'static str, &str)]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for _ in 0..OFTEN {
        let request = service.keyed(path);
        answers.push(
            Answer::to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await,
        );
    }
    answers
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let paths = [
        PAGE,
        "/api/v1/results/nfl/over_under?limit=3&offset=2",
        "/api/v1/results/nfl/over_under?season=2023-24&format=csv",
        "/api/v1/results/nfl/won_on_spread/rolling",
        "/api/v1/summary/nfl/over_under",
        "/api/v1/strategies/nfl/won_on_spread?season=2023-24",
        "/api/v1/strategies/nfl/won_on_spread/follow_line_home/replay?season=2023-24",
        "/api/v1/sports",
        "/api/v1/results/nfl/over_under?season=1999-00",
    ];
    for path in paths {
        for encoding in ["identity", "gzip", "br", "zstd", "gzip, deflate, br, zstd"] {
            let answers = often(&service, path, &[("Accept-Encoding", encoding)]).await;
            for answer in &answers {
                assert_eq!(repeated(answer), repeated(&answers[0]), "{path} {encoding}");
            }
        }
    }
    let csv = often(&service, PAGE, &[("Accept", "text/csv")]).await;
    let json = often(&service, PAGE, &[("Accept", "application/json")]).await;
    assert!(csv.iter().all(|answer| !answer.text().starts_with('{')));
    assert!(json.iter().all(|answer| answer.text().starts_with('{')));
}

#[tokio::test]
async fn a_cached_response_is_counted_and_logged_like_any_other() {
    let site = Site::on_one_machine();
    site.publish_fixture("nfl-2023-week-18");
    let service = site.serve().await;
    let answers = often(&service, PAGE, &[("X-Request-Id", "mine")]).await;
    let remaining = answers.iter().map(|answer| answer.header("x-ratelimit-remaining").expect("a header").to_owned());
    let expected = (1..=OFTEN).map(|calls| (200_000 - calls).to_string());
    assert_eq!(remaining.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| answer.header("x-request-id") == Some("mine")));
    let ids: std::collections::BTreeSet<_> = often(&service, PAGE, &[])
        .await
        .iter()
        .map(|answer| answer.header("x-request-id").expect("an id").to_owned())
        .collect();
    assert_eq!(ids.len(), OFTEN);
    let usage = service.get("/api/v1/customers/me/usage").await.json();
    assert_eq!(usage["monthly_requests"], 2 * OFTEN);
    service.stop();
    let log = site.log();
    let line = "GET /api/v1/results/{sport}/{model_type} answered 200 method=\"GET\"";
    assert_eq!(log.matches(line).count(), 2 * OFTEN, "{log}");
    assert_eq!(log.matches("request_id=mine").count(), OFTEN, "{log}");
}

#[tokio::test]
async fn a_cached_response_needs_the_same_authorization() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    often(&service, PAGE, &[]).await;
    let (_, lapsed) = site.customer("lapsed@example.com", "none");
    let (_, other) = site.customer("other@example.com", "ai");
    let with = |key: &str| Answer::to(service.bare(Method::GET, PAGE).header("X-API-Key", key));
    Answer::to(service.bare(Method::GET, PAGE)).await.failure(401);
    with("sk_service_invented").await.failure(401);
    with(&lapsed).await.failure(403);
    for _ in 0..2 {
        assert_eq!(with(&other).await.status, 200);
    }
    let bearer = service.bare(Method::GET, PAGE).header("Authorization", format!("Bearer {other}"));
    assert_eq!(Answer::to(bearer).await.status, 200);
    assert_eq!(Answer::to(service.bare(Method::GET, &format!("{PAGE}&api_key={other}"))).await.status, 200);
    let revoked = service.bare(Method::DELETE, &format!("/api/v1/customers/me/api-keys/{other}"));
    assert_eq!(Answer::to(revoked.header("X-API-Key", &site.key)).await.status, 404, "another's key");
    let printed = site.place.ctl(["key", "revoke", &other]);
    assert!(!printed.is_empty());
    for _ in 0..100 {
        if with(&other).await.status == 401 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    with(&other).await.failure(401);
    assert_eq!(service.get(PAGE).await.status, 200);
}

#[tokio::test]
async fn cached_responses_are_limited_by_the_second_and_the_month() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&[("SPORTS_LIMITS__MONTHLY", "8"), ("SPORTS_LIMITS__PER_SECOND", "1000")]).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(service.get(PAGE).await.status);
    }
    assert_eq!(statuses, [[200; 8].as_slice(), &[429; 4]].concat());
    let service = {
        service.stop();
        site.serve_with(&[("SPORTS_LIMITS__PER_SECOND", "6"), ("SPORTS_LIMITS__MONTHLY", "100000")]).await
    };
    let answers = futures::future::join_all((0..60).map(|_| service.get(PAGE))).await;
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!(!refused.is_empty() && refused.iter().all(|answer| answer.header("retry-after").is_some()));
}

#[tokio::test]
async fn a_conditional_request_for_a_cached_response_is_a_free_304() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let etag = often(&service, PAGE, &[]).await[0].header("etag").expect("a validator").to_owned();
    let service = {
        service.stop();
        site.serve().await
    };
    // Each conditional request is the first for its answer.
    for answer in often(&service, PAGE, &[("If-None-Match", &etag)]).await {
        assert_eq!((answer.status, answer.body.len()), (304, 0));
    }
    for answer in often(&service, PAGE, &[]).await {
        assert_eq!((answer.status, answer.header("etag")), (200, Some(etag.as_str())));
    }
    let weak = format!("W/{etag}");
    let list = format!("\"other\", {etag}");
    let before = service.get("/api/v1/customers/me/usage").await.json()["monthly_requests"].clone();
    for has in [&etag, &weak, &list, "*"] {
        for answer in often(&service, PAGE, &[("If-None-Match", has)]).await {
            assert_eq!((answer.status, answer.body.len()), (304, 0), "{has}");
            assert_eq!(answer.header("etag"), Some(etag.as_str()));
            assert_eq!(answer.header("content-type"), None);
        }
    }
    assert_eq!(service.get("/api/v1/customers/me/usage").await.json()["monthly_requests"], before);
    for has in ["\"other\"", "other", "\"a\", \"b\""] {
        assert_eq!(often(&service, PAGE, &[("If-None-Match", has)]).await[OFTEN - 1].status, 200, "{has}");
    }
}

#[tokio::test]
async fn a_publication_replaces_cached_responses() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let before = often(&service, PAGE, &[]).await;
    let corrected = Folder::copy_of("nfl-2023-week-18");
    let corrected = corrected.replace("probabilities/over_under/2023-24.csv", "0.4729", "0.4730");
    site.publish(corrected.path());
    let old = before[0].header("etag").expect("a validator").to_owned();
    let new = service.until(PAGE, |answer| answer.header("etag") != Some(old.as_str())).await;
    assert_ne!(new.body, before[0].body);
    for answer in often(&service, PAGE, &[]).await {
        assert_eq!(repeated(&answer), repeated(&new));
    }
}

/// Each request on a connection receives its own answer, in order.
#[tokio::test]
async fn requests_on_one_connection_are_answered_in_order() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let ready = often(&service, PAGE, &[("Accept-Encoding", "identity")]).await.remove(0);
    let request = |method: &str, path: &str, id: &str, more: &str| {
        let key = &site.key;
        format!(
            "{method} {path} HTTP/1.1\r\nHost: a\r\nX-API-Key: {key}\r\nX-Request-Id: {id}\r\nAccept-Encoding: identity\r\n{more}\r\n"
        )
    };
    // reqwest sends `Accept: */*`, and these clients do not.
    for number in 0..3 {
        let mut client = Client::connect(&service).await;
        client.send(request("GET", PAGE, &format!("warm-{number}"), "")).await;
        assert_eq!(client.answer().await.expect("an answer").body, ready.body);
    }
    let plain = |id: &str| request("GET", PAGE, id, "");
    let other = |id: &str| request("GET", "/api/v1/liveness", id, "");
    let post = |id: &str| request("POST", "/api/v1/customers/me/api-keys", id, "Content-Length: 2\r\n") + "{}";
    let sequences: [Vec<String>; 6] = [
        vec![plain("a-0"), plain("a-1"), other("a-2"), plain("a-3"), plain("a-4")],
        vec![plain("b-0") + &plain("b-1"), plain("b-2")],
        vec![other("c-0") + &plain("c-1") + &other("c-2"), plain("c-3")],
        vec![plain("d-0"), post("d-1"), plain("d-2"), plain("d-3")],
        vec![plain("e-0") + &other("e-1")[..20], other("e-1")[20..].to_owned() + &plain("e-2")],
        vec![plain("f-0")[..30].to_owned(), plain("f-0")[30..].to_owned(), plain("f-1")],
    ];
    for (number, sequence) in sequences.iter().enumerate() {
        let mut client = Client::connect(&service).await;
        let whole: String = sequence.concat();
        let ids: Vec<_> = whole.lines().filter_map(|line| line.strip_prefix("X-Request-Id: ")).collect();
        for sent in sequence {
            client.send(sent).await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        for id in ids {
            let answer = client.answer().await.expect("an answer");
            assert_eq!(answer.header("x-request-id"), Some(id), "sequence {number}");
            if answer.header("etag").is_some() {
                assert_eq!(answer.body, ready.body, "sequence {number}");
            }
        }
    }
    let mut client = Client::connect(&service).await;
    client.send(plain("g-0")).await;
    assert_eq!(client.answer().await.expect("an answer").status, 200);
    client.send(request("GET", PAGE, "g-1", "Connection: close\r\n")).await;
    assert_eq!(client.answer().await.expect("an answer").body, ready.body);
    client.expect_the_end().await;
}

/// Returns the form of a response: whether it is JSON, and its encoding.
async fn form(service: &Service, path: &str, headers: &str) -> (bool, Option<String>) {
    let mut client = Client::connect(service).await;
    client.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\nX-API-Key: {}\r\n{headers}\r\n", service.key())).await;
    let answer = client.answer().await.expect("an answer");
    assert_eq!(answer.status, 200, "{headers:?}: {answer:?}");
    let is_json = answer.header("content-type") == Some("application/json");
    (is_json, answer.header("content-encoding").map(str::to_owned))
}

#[tokio::test]
async fn no_request_changes_the_form_that_others_receive() {
    let site = Site::publishing(&["nfl-2023-week-18-slate", "nfl-2023-week-18"]);
    // One worker, so that all of them share a cache.
    let limits = [("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000"), ("SPORTS_LIMITS__PER_SECOND", "100000")];
    let service = site.serve_with(&[limits.as_slice(), &[("SPORTS_HTTP__WORKERS", "1")]].concat()).await;
    let strange = [
        "Accept: */*\r\nAccept: text/csv\r\n",
        "Accept: text/csv\r\nAccept: */*;q=0.1\r\n",
        "Accept: application/vnd.apache.parquet\r\n",
        "Accept-Encoding: identity\r\nAccept-Encoding: gzip\r\n",
        "Accept: */*\r\nAccept-Encoding: br\r\n",
        "accept-encoding:\r\nAccept-Encoding: zstd\r\n",
        "Accept: */*\r\nAccept: */*\r\nAccept-Encoding: *;q=0, gzip\r\n",
    ];
    let plain = [
        ("", None),
        ("Accept: */*\r\n", None),
        ("Accept: application/json\r\nAccept-Encoding: identity\r\n", None),
        ("Accept: text/html, */*;q=0.8\r\nAccept-Encoding: gzip\r\n", Some("gzip")),
    ];
    for path in [
        "/api/v1/odds/nfl",
        "/api/v1/public/ml-picks/nfl/moneyline?upcoming_only=false",
        "/api/v1/predictions/nfl/over_under?upcoming_only=false",
        "/api/v1/releases/nfl",
        "/api/v1/results/nfl/over_under",
    ] {
        for strange in strange {
            for round in 0..3 {
                form(&service, path, strange).await;
                for (headers, encoding) in plain {
                    let (is_json, found) = form(&service, path, headers).await;
                    assert!(is_json, "{path} {headers:?} after {strange:?} in round {round}");
                    // A response that compression does not make smaller is sent uncompressed.
                    let may_be = found.as_deref() == encoding || found.is_none();
                    assert!(may_be, "{path} {headers:?} after {strange:?}: {found:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_request_without_exactly_one_host_is_400_for_cached_responses_too() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    often(&service, PAGE, &[]).await;
    for hosts in ["", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n"] {
        for _ in 0..OFTEN {
            let mut client = Client::connect(&service).await;
            client.send(format!("GET {PAGE} HTTP/1.1\r\n{hosts}X-API-Key: {}\r\n\r\n", site.key)).await;
            client.answer().await.expect("an answer").refusal(400);
        }
    }
}

#[tokio::test]
async fn two_headers_with_a_key_are_400_for_cached_responses_too() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    often(&service, PAGE, &[]).await;
    for (name, more) in [("X-API-Key", 1), ("Authorization", 2)] {
        let request = (0..more).fold(service.keyed(PAGE), |request, _| request.header(name, "Bearer other"));
        let detail = Answer::to(request).await.failure(400);
        assert_eq!(detail, format!("The header `{name}` is given more than once; send it once"));
    }
}

#[tokio::test]
async fn cached_responses_and_all_others_have_the_date_of_the_service_clock() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2030-01-02T03:04:05Z")]).await;
    let mut answers = often(&service, PAGE, &[]).await;
    answers.push(service.get("/nowhere").await);
    answers.push(service.get("/api/v1/health").await);
    answers.push(Answer::to(service.bare(Method::GET, PAGE)).await);
    answers.push(Answer::to(service.call(Method::POST, PAGE)).await);
    for answer in answers {
        let date = answer.header("date").expect("a date");
        assert!(date.starts_with("Wed, 02 Jan 2030 03:"), "{} {date}", answer.status);
        assert_eq!(answer.headers.get_all("date").iter().count(), 1);
    }
    let mut client = Client::connect(&service).await;
    client.send("Nonsense\r\n\r\n").await;
    let refused = client.answer().await.expect("an answer");
    assert!(refused.header("date").is_some_and(|date| date.starts_with("Wed, 02 Jan 2030 03:")), "{refused:?}");
}

#[tokio::test]
async fn the_memory_of_cached_responses_is_bounded_whatever_is_requested() {
    let site = Site::publishing(&["nfl-2023-week-18-slate"]);
    let limits = [("SPORTS_HTTP__WORKERS", "1"), ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")];
    let service = site.serve_with(&limits).await;
    let page = "/api/v1/public/ml-picks/nfl/moneyline";
    let mut client = Client::connect(&service).await;
    let mut get = async |target: &str, header: &str| {
        client.send(format!("GET {target} HTTP/1.1\r\nHost: test\r\n{header}\r\n")).await;
        assert_eq!(client.answer().await.expect("an answer").status, 200);
    };
    get(page, "").await;
    let before = resident(&service);
    for number in 0..4_000 {
        let long = format!("{number}{}", "x".repeat(12_000));
        let (target, header) = match number % 2 {
            0 => (format!("{page}?unrelated={long}"), String::new()),
            _ => (page.to_owned(), format!("Accept: */*, text/{long}\r\n")),
        };
        // The second response is stored.
        for _ in 0..2 {
            get(&target, &header).await;
        }
    }
    let after = resident(&service);
    assert!(after <= before + 24 * 1024, "{after} KiB after {before} KiB");
}
