use std::time::Duration;

use tokio::time::sleep;

use super::client::Client;
use super::{SHORT, others_are_answered};
use crate::service::{Service, Site, eventually};

const DRIP: Duration = Duration::from_millis(100);

const GET: &[u8] = b"GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n\r\n";

async fn answered_once(service: &Service) -> Client {
    let mut client = Client::connect(service).await;
    client.send(GET).await;
    assert_eq!(client.answer().await.expect("an answer").status, 200);
    client
}

#[tokio::test]
async fn a_slow_head_is_408_on_the_first_and_on_later_requests() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    for is_first in [true, false] {
        let mut client = if is_first { Client::connect(&service).await } else { answered_once(&service).await };
        client.send("GET /api/v1/liveness HTTP/1.1\r\nX: ").await;
        client.drip(b"x", DRIP).await;
        let detail = client.answer().await.expect("an answer").refusal(408);
        assert_eq!(detail, "The request did not arrive in time");
        client.expect_the_end().await;
    }
    // Not even after a complete line of the head.
    let mut client = answered_once(&service).await;
    client.drip(b"\r\n", DRIP).await;
    client.expect_the_end().await;
    others_are_answered(&service).await;
}

#[tokio::test]
async fn a_connection_that_sends_nothing_is_closed_without_an_answer() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    for mut client in [Client::connect(&service).await, answered_once(&service).await] {
        assert_eq!(client.some(1).await, None);
    }
}

#[tokio::test]
async fn a_slow_or_missing_body_is_408_on_any_route() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    let keyed = format!("POST /api/v1/customers/me/api-keys HTTP/1.1\r\nX-API-Key: {}", site.key);
    let routes = [
        "GET /api/v1/liveness HTTP/1.1",
        "GET /nowhere HTTP/1.1",
        "DELETE /api/v1/sports HTTP/1.1",
        "POST /api/v1/customers/me/api-keys HTTP/1.1",
        &keyed,
    ];
    for route in routes {
        let head = format!("{route}\r\nHost: test\r\nContent-Type: application/json\r\n");
        let mut chunked = Client::connect(&service).await;
        chunked.send(format!("{head}Transfer-Encoding: chunked\r\n\r\n")).await;
        let mut measured = answered_once(&service).await;
        measured.send(format!("{head}Content-Length: 100\r\n\r\n{{")).await;
        chunked.drip(b"1\r\n{\r\n", DRIP).await;
        for client in [&mut chunked, &mut measured] {
            let detail = client.answer().await.expect("an answer").refusal(408);
            assert_eq!(detail, "The request did not arrive in time", "{route}");
            client.expect_the_end().await;
        }
    }
    let mut client = Client::connect(&service).await;
    client.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n1;").await;
    client.drip(b"an-extension-without-end", DRIP).await;
    client.answer().await.expect("an answer").refusal(408);
    client.expect_the_end().await;
}

#[tokio::test]
async fn a_request_to_open_a_tunnel_is_answered_and_closed() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    let upgrade = "Connection: upgrade\r\nUpgrade: websocket\r\n";
    for (request, status) in [
        (format!("GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n{upgrade}\r\n"), 200),
        ("CONNECT test:443 HTTP/1.1\r\nHost: test\r\n\r\n".to_owned(), 404),
    ] {
        let mut client = Client::connect(&service).await;
        client.send(&request).await;
        assert_eq!(client.answer().await.expect("an answer").status, status, "{request}");
        client.drip(b"x", DRIP).await;
        client.expect_the_end().await;
    }
}

/// A large public file.
const LARGE: &str = "/docs/swagger-ui-bundle.js";

#[tokio::test]
async fn a_client_that_reads_nothing_of_a_large_answer_is_closed() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    let mut clients = Vec::new();
    let before = sockets(&service);
    for _ in 0..5 {
        let mut client = Client::with_a_small_buffer(&service).await;
        // Several requests at once, too.
        client.send(format!("GET {LARGE} HTTP/1.1\r\nHost: test\r\n\r\n").repeat(3)).await;
        clients.push(client);
    }
    eventually("they are connected", || sockets(&service) >= before + 5).await;
    let trickle = async {
        loop {
            for client in &mut clients {
                drop(client.some(1).await);
            }
            sleep(DRIP).await;
        }
    };
    tokio::select! {
        () = eventually("their connections are closed", || sockets(&service) <= before) => {}
        () = trickle => {}
    }
    others_are_answered(&service).await;
}

#[tokio::test]
async fn a_slow_but_steady_reader_gets_all_of_a_large_answer() {
    let site = Site::empty();
    let service = site.serve_with(&SHORT).await;
    let whole = service.get(LARGE).await.body;
    let mut client = Client::with_a_small_buffer(&service).await;
    client.send(format!("GET {LARGE} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")).await;
    let mut all = Vec::new();
    let mut next = 0;
    while let Some(bytes) = client.some(16 * 1024).await {
        all.extend(bytes);
        // About 1 MiB a second: far more than the minimum, and the whole takes longer than the limit for a piece.
        if all.len() > next {
            sleep(DRIP).await;
            next = all.len() + 96 * 1024;
        }
    }
    assert!(all.ends_with(&whole), "{} of {} bytes", all.len(), whole.len());
}

/// Returns the number of the server's open sockets.
fn sockets(service: &Service) -> usize {
    let files = std::fs::read_dir(format!("/proc/{}/fd", service.id())).expect("a process of Linux");
    let targets = files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}
