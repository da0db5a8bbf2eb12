//! A customer's first day, with the client that progenitor made of the document.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::join_all;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use sports_client::types::{ErrorBody, ModelTypeCode, NewApiKey, PredictionsPage, ResultRow, SportCode};
use sports_client::{Client, Error, ResponseValue};
use tokio::time::{Instant, sleep};

const SPORT: SportCode = SportCode::Nfl;
const MARKET: ModelTypeCode = ModelTypeCode::WonOnSpread;

type Answer<T> = Result<ResponseValue<T>, Error<ErrorBody>>;

static WAITS: AtomicUsize = AtomicUsize::new(0);

fn client(key: &str) -> Client {
    let key = HeaderValue::from_str(key).expect("a key is text");
    let http = reqwest::Client::builder().no_proxy().default_headers(HeaderMap::from_iter([(
        "x-api-key".parse().expect("a header"),
        key,
    )]));
    Client::new_with_client(&env::var("BASE_URL").expect("BASE_URL"), http.build().expect("a client"))
}

/// Asks again after 429, once the time is over that the answer names.
async fn patiently<T>(ask: impl AsyncFn() -> Answer<T>) -> Answer<T> {
    loop {
        let answer = ask().await;
        let Err(Error::ErrorResponse(refusal)) = &answer else { return answer };
        if refusal.status() != StatusCode::TOO_MANY_REQUESTS {
            return answer;
        }
        let seconds = refusal.headers()["retry-after"].to_str().expect("a number").parse().expect("a number");
        WAITS.fetch_add(1, Ordering::Relaxed);
        sleep(Duration::from_secs(seconds)).await;
    }
}

/// Every row of a season. A snapshot that is no longer current answers 409: start again.
async fn season(client: &Client, label: &str, first: Option<(u64, String)>) -> (Vec<ResultRow>, usize) {
    let (mut rows, mut conflicts, mut next) = (Vec::new(), 0, first);
    loop {
        let (offset, snapshot) = next.clone().unzip();
        let page = patiently(async || {
            let call = client.list_results().sport(SPORT).model_type(MARKET).season(label).limit(100_u32);
            let call = match (offset, &snapshot) {
                (Some(offset), Some(snapshot)) => call.offset(offset).snapshot(snapshot),
                _ => call,
            };
            call.send().await
        });
        match page.await {
            Err(Error::ErrorResponse(refusal)) if refusal.status() == StatusCode::CONFLICT => {
                assert_eq!(&*refusal.error, "HTTP_409");
                conflicts += 1;
                rows.clear();
                next = None;
            }
            page => {
                let page = page.expect("a page").into_inner();
                rows.extend(page.results);
                let Some(offset) = page.next_offset else {
                    assert_eq!(rows.len() as u64, page.total);
                    return (rows, conflicts);
                };
                next = Some((offset, page.snapshot));
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let ours = client(&env::var("API_KEY").expect("API_KEY"));

    let discovery = patiently(async || ours.list_sports().send().await).await.expect("the leagues");
    assert!(discovery.sports.iter().any(|sport| sport.code == SPORT));

    let predictions = patiently(async || {
        ours.list_predictions().sport(SPORT).model_type(MARKET).upcoming_only(false).send().await
    });
    let PredictionsPage::SpreadPredictions(predictions) = predictions.await.expect("predictions").into_inner() else {
        panic!("the spread market was asked for");
    };
    assert!(predictions.games.iter().all(|game| game.home_point_spread.is_some()));

    let seasons = patiently(async || ours.list_result_seasons().sport(SPORT).model_type(MARKET).send().await);
    let seasons = seasons.await.expect("seasons").into_inner().seasons;
    let label = seasons.last().expect("a season");
    let (rows, _) = season(&ours, label, None).await;
    let (again, conflicts) = season(&ours, label, Some((100, "0123456789abcdef".to_owned()))).await;
    assert_eq!((again.len(), conflicts), (rows.len(), 1));

    let board = patiently(async || ours.list_strategies().sport(SPORT).model_type(MARKET).season(label).send().await);
    let board = board.await.expect("a leaderboard");
    assert_eq!(board.strategies.len(), 16);

    let body = NewApiKey::builder().name("made in Rust");
    let made = patiently(async || ours.create_api_key().body(body.clone()).send().await).await.expect("a key");
    let other = client(&made.api_key);
    patiently(async || other.list_sports().send().await).await.expect("the new key opens it");
    let masked = format!("{}*****", &made.api_key[..15]);
    patiently(async || ours.revoke_api_key().api_key(&masked).send().await).await.expect("it is revoked");
    let revoked = Instant::now();
    loop {
        match patiently(async || other.list_sports().send().await).await {
            Err(Error::ErrorResponse(refusal)) => {
                assert_eq!((refusal.status(), &*refusal.error as &str), (StatusCode::UNAUTHORIZED, "HTTP_401"));
                break;
            }
            answer => assert!(answer.is_ok() && revoked.elapsed() < Duration::from_secs(30), "{answer:?}"),
        }
        sleep(Duration::from_millis(100)).await;
    }

    let at_once = (0..60).map(|_| patiently(async || ours.list_sports().send().await));
    assert!(join_all(at_once).await.iter().all(Result::is_ok));
    let waits = WAITS.load(Ordering::Relaxed);
    assert!(waits > 0, "no call of sixty at once was answered 429");

    println!(
        "progenitor: {} predictions, {} rows paged, {} leads, a key made and revoked, {waits} waits",
        predictions.games.len(),
        rows.len(),
        board.strategies[0].name,
    );
}
