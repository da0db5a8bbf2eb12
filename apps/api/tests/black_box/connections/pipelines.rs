//! Requests that are sent without waiting for responses.

use std::fs;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::sleep;

use super::client::Client;
use super::{memory, others_are_answered, resident};
use crate::service::{Service, Site, eventually};

const PAGE: &str = "/api/v1/public/ml-picks/nfl/moneyline?upcoming_only=false";

/// A request, with the expected status of its response and the presence of a body.
struct Sent {
    text: String,
    id: String,
    status: u16,
    has_body: bool,
}

fn sent(method: &str, path: &str, status: u16, id: String, more: &str) -> Sent {
    let text = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nX-Request-Id: {id}\r\n{more}");
    Sent { text, id, status, has_body: method != "HEAD" && status != 304 }
}

/// Returns requests of every kind that the server frames differently: cached and not, with and without a body, `GET`
/// and `HEAD`.
fn mixed(etag: &str) -> Vec<Sent> {
    let unchanged = format!("If-None-Match: {etag}\r\n\r\n");
    let chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n5;x=y\r\n\": 1}\r\n0\r\n\r\n";
    let table = [
        ("HEAD", "/api/v1/liveness", 200, "\r\n"),
        ("GET", PAGE, 200, "\r\n"),
        ("HEAD", PAGE, 200, "\r\n"),
        ("GET", "/api/v1/liveness", 200, "Content-Length: 0\r\n\r\n"),
        ("POST", "/nowhere", 404, "Content-Length: 5\r\n\r\nGET /"),
        ("GET", PAGE, 200, "Accept: */*\r\nAccept: text/csv\r\n\r\n"),
        ("HEAD", "/nowhere", 404, "\r\n"),
        ("POST", "/nowhere", 404, chunked),
        ("GET", PAGE, 304, unchanged.as_str()),
        ("HEAD", PAGE, 304, unchanged.as_str()),
        ("GET", PAGE, 200, "\r\n"),
        ("GET", "/api/v1/liveness", 200, "\r\n"),
    ];
    let sent = table
        .iter()
        .enumerate()
        .map(|(number, (method, path, status, more))| sent(method, path, *status, format!("r-{number}"), more));
    sent.collect()
}

/// Reads the responses to a pipeline, each framed by its request.
async fn check(client: &mut Client, pipeline: &[Sent], place: usize) {
    for sent in pipeline {
        let answer = if sent.has_body { client.answer().await } else { client.head_of_answer().await };
        let answer = answer.unwrap_or_else(|| panic!("no response to {} split at {place}", sent.id));
        assert_eq!(answer.status, sent.status, "{} split at {place}: {}", sent.id, answer.head);
        assert_eq!(answer.header("x-request-id"), Some(sent.id.as_str()), "split at {place}: {}", answer.head);
        let is_json = answer.body.first() == Some(&b'{') && answer.body.last() == Some(&b'}');
        assert!(!sent.has_body || is_json || sent.text.contains("text/csv"), "{} split at {place}", sent.id);
    }
}

async fn etag_of_page(service: &Service) -> String {
    let mut etag = None;
    for _ in 0..4 {
        let mut client = Client::connect(service).await;
        client.send(format!("GET {PAGE} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")).await;
        etag = client.answer().await.expect("a page").header("etag").map(str::to_owned);
    }
    etag.expect("a validator")
}

#[tokio::test]
async fn a_mixed_pipeline_is_framed_correctly_at_any_split() {
    let site = Site::publishing(&["nfl-2023-week-18-slate"]);
    let service = site.serve_with(&[("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")]).await;
    let pipeline = mixed(&etag_of_page(&service).await);
    let whole: String = pipeline.iter().map(|sent| sent.text.as_str()).collect();
    for places in (0..=whole.len()).collect::<Vec<_>>().chunks(32) {
        join_all(places.iter().map(|place| async {
            let mut client = Client::connect(&service).await;
            client.send(&whole[..*place]).await;
            sleep(Duration::from_millis(5)).await;
            client.send(&whole[*place..]).await;
            check(&mut client, &pipeline, *place).await;
        }))
        .await;
    }
    // And byte by byte.
    let mut client = Client::connect(&service).await;
    for byte in whole.as_bytes() {
        client.send([*byte]).await;
    }
    check(&mut client, &pipeline, whole.len()).await;
}

#[tokio::test]
async fn a_half_closed_pipeline_gets_all_responses() {
    let site = Site::publishing(&["nfl-2023-week-18-slate"]);
    let service = site.serve().await;
    let pipeline = mixed(&etag_of_page(&service).await);
    let whole: String = pipeline.iter().map(|sent| sent.text.as_str()).collect();
    let mut client = Client::connect(&service).await;
    client.send(whole).await;
    client.end().await;
    check(&mut client, &pipeline, 0).await;
    client.expect_the_end().await;
}

#[tokio::test]
async fn a_thousand_slowly_read_pipelines_cost_at_most_96_mb() {
    super::floods::may_open(4000);
    let site = Site::empty();
    let limits = [
        ("SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "2000"),
        ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000"),
        ("SPORTS_HTTP__ANSWER_TIMEOUT", "20s"),
    ];
    let service = site.serve_with(&limits).await;
    others_are_answered(&service).await;
    let before = resident(&service);
    let head =
        |headers: usize| format!("GET /openapi.json HTTP/1.1\r\nHost: test\r\n{}\r\n", "a:\r\n".repeat(headers - 1));
    for headers in [64, 90] {
        let pipeline = head(64) + &head(headers).repeat(60);
        let mut clients = Vec::new();
        for _ in 0..1000 {
            let mut client = Client::with_a_small_buffer(&service).await;
            client.try_send(pipeline.as_bytes()).await;
            clients.push(client);
        }
        join_all(clients.iter_mut().map(|client| client.some(100))).await;
        sleep(Duration::from_secs(1)).await;
        let peak = memory(&service, "VmHWM:") - before;
        println!("{peak} KiB at the peak of 1,000 connections with {headers} headers each");
        assert!(peak <= 96 * 1000, "{peak} KiB for 1,000 connections with {headers} headers each");
    }
    eventually("the memory is given back", || resident(&service) - before <= 64 * 1000).await;
    println!("{} KiB once they are closed", resident(&service) - before);
    others_are_answered(&service).await;
}

#[tokio::test]
async fn a_client_that_disconnects_before_its_response_is_detected() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_METRICS__BIND", "127.0.0.1:0")]).await;
    let files = || fs::read_dir(format!("/proc/{}/fd", service.id())).expect("a process of Linux").count();
    let before = files();
    let page = "GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n";
    let mut clients = Vec::new();
    for _ in 0..50 {
        let mut client = Client::with_a_small_buffer(&service).await;
        client.send(page.repeat(100)).await;
        client.some(100).await;
        clients.push(client);
    }
    assert!(files() >= before + 50);
    drop(clients);
    eventually("their connections are closed", || files() <= before + 2).await;
}
