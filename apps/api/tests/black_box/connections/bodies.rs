use std::io::{self, Read};
use std::time::Duration;

use reqwest::Method;
use tokio::time::Instant;

use super::client::Client;
use super::{TIMEOUT, memory, others_are_answered};
use crate::service::{Answer, Service, Site};

const KEYS: &str = "/api/v1/customers/me/api-keys";

/// Returns the server's peak memory, in MiB.
fn peak(service: &Service) -> u64 {
    memory(service, "VmHWM:") / 1024
}

/// Returns a body within the size limit, which inflates to 64 MiB.
fn bomb() -> Vec<u8> {
    let mut bomb = Vec::new();
    let mut zeros = io::repeat(0).take(64 << 20);
    let parameters = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
    brotli::BrotliCompress(&mut zeros, &mut bomb, &parameters).expect("compressed");
    assert!(bomb.len() < 64 * 1024, "{}", bomb.len());
    bomb
}

#[tokio::test]
async fn a_body_with_a_content_encoding_is_415_before_a_byte_is_inflated() {
    let site = Site::empty();
    let service = site.serve().await;
    let (bomb, before) = (bomb(), peak(&service));
    let post = |encoding: &str, body: Vec<u8>| {
        let request = service.call(Method::POST, KEYS).header("Content-Type", "application/json");
        Answer::to(request.header("Content-Encoding", encoding).body(body))
    };
    for encoding in ["br", "BR", "gzip", "deflate", "zstd", "identity, br", "br, identity", "unheard-of"] {
        let detail = post(encoding, bomb.clone()).await.failure(415);
        assert_eq!(detail, "The body must be sent as it is, without `Content-Encoding`", "{encoding}");
    }
    for path in ["/nowhere", "/api/v1/sports", "/api/v1/liveness"] {
        let request = service.bare(Method::GET, path).header("Content-Encoding", "br").body(bomb.clone());
        Answer::to(request).await.failure(415);
    }
    assert!(peak(&service) < before + 16, "{} MiB after {before}", peak(&service));
    assert_eq!(post("Identity", br#"{"name":"plain"}"#.to_vec()).await.status, 200, "identity is no encoding");
    let without_a_body = service.request("/api/v1/sports").header("Content-Encoding", "br");
    assert_ne!(Answer::to(without_a_body).await.status, 415);
}

#[tokio::test]
async fn a_body_over_64_kib_is_413_and_its_connection_is_closed() {
    let site = Site::empty();
    let service = site.serve().await;
    let before = peak(&service);
    let keyed = format!("POST {KEYS} HTTP/1.1\r\nX-API-Key: {}", site.key);
    let routes = [
        "GET /api/v1/liveness HTTP/1.1",
        "GET /nowhere HTTP/1.1",
        "PUT /api/v1/sports HTTP/1.1",
        "POST /api/v1/service-sports-data/refresh HTTP/1.1",
        "POST /nowhere HTTP/1.1\r\nAccept-Encoding: *;q=0",
        &keyed,
    ];
    for route in routes {
        let head = format!("{route}\r\nHost: test\r\nContent-Type: application/json\r\n");
        // A body that is announced: the answer does not wait for its bytes.
        let mut client = Client::connect(&service).await;
        client.send(format!("{head}Content-Length: 65537\r\n\r\n")).await;
        assert_eq!(client.answer().await.expect("an answer").refusal(413), "The body is larger than 64 KiB", "{route}");
        client.expect_the_end().await;

        // An endless body in chunks, which the client goes on sending after the answer.
        let mut client = Client::connect(&service).await;
        client.send(format!("{head}Transfer-Encoding: chunked\r\n\r\n")).await;
        let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
        for _ in 0..5 {
            client.send(&chunk).await;
        }
        client.answer().await.expect("an answer").refusal(413);
        let refused = Instant::now();
        client.drip(chunk.as_bytes(), Duration::from_millis(10)).await;
        client.expect_the_end().await;
        assert!(refused.elapsed() < TIMEOUT, "{route}");
    }
    assert!(peak(&service) < before + 32, "{} MiB after {before}", peak(&service));
    others_are_answered(&service).await;
}

#[tokio::test]
async fn many_endless_bodies_at_a_time_cost_little_memory() {
    let site = Site::empty();
    let service = site.serve().await;
    let before = peak(&service);
    let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
    // Extensions between chunks can be as large as the chunks.
    let extension = format!("1;{}", "x".repeat(0x4000));
    let clients = (0..100).map(async |number| {
        let mut client = Client::connect(&service).await;
        client.send("POST /nowhere HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n").await;
        let sent = if number % 2 == 0 { &chunk } else { &extension };
        client.flood(sent.as_bytes()).await;
    });
    futures::future::join_all(clients).await;
    assert!(peak(&service) < before + 64, "{} MiB after {before}", peak(&service));
    others_are_answered(&service).await;
}

#[tokio::test]
async fn a_body_of_64_kib_is_read_in_chunks_of_any_size() {
    let site = Site::empty();
    let service = site.serve().await;
    let name = "x".repeat(64 * 1024 - 11);
    let body = format!("{{\"name\":\"{name}\"}}");
    assert_eq!(body.len(), 64 * 1024);
    let mut client = Client::connect(&service).await;
    let key = &site.key;
    let head = format!("POST {KEYS} HTTP/1.1\r\nHost: test\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n");
    client.send(format!("{head}Transfer-Encoding: chunked\r\n\r\n")).await;
    let chunks: String = body.chars().flat_map(|c| ["1\r\n", &c.to_string(), "\r\n"].map(str::to_owned)).collect();
    client.send(chunks + "0\r\n\r\n").await;
    let answer = client.answer().await.expect("an answer");
    assert_eq!(answer.status, 400, "too long for a name, but read: {answer:?}");
    assert!(String::from_utf8_lossy(&answer.body).contains("name"), "{answer:?}");
    // The connection stays open, also if the route does not read the body.
    for _ in 0..2 {
        client.send("GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\n\r\nabc").await;
        assert_eq!(client.answer().await.expect("an answer").status, 200);
    }
}
