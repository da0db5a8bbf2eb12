use super::client::Client;
use crate::service::{Service, Site};

async fn malformed_requests(service: &Service) -> u64 {
    service.get("/api/v1/health").await.json()["malformed_requests_total"].as_u64().expect("a number")
}

#[tokio::test]
async fn malformed_bytes_are_refused_in_the_common_form_and_counted() {
    let site = Site::empty();
    let service = site.serve_with(&[("RUST_LOG", "debug")]).await;
    let many_headers = format!("GET / HTTP/1.1\r\nHost: test\r\n{}\r\n", "X: y\r\n".repeat(200));
    let large_head = format!("GET / HTTP/1.1\r\nHost: test\r\nX: {}\r\n\r\n", "y".repeat(140_000));
    let table: [(&[u8], u16); 14] = [
        (b"\0\0\0\0\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 400),
        (b"GET / HTTP/9.9\r\nHost: test\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test\r\nHost: test\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test\r\nNo colon\r\n\r\n", 400),
        (b"GE\x01T / HTTP/1.1\r\nHost: test\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: test\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n", 400),
        (many_headers.as_bytes(), 431),
        (large_head.as_bytes(), 431),
    ];
    for (number, (bytes, status)) in (1..).zip(table) {
        let request = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
        let mut client = Client::connect(&service).await;
        client.send(bytes).await;
        let answer = client.answer().await.unwrap_or_else(|| panic!("no answer to {request:?}"));
        answer.refusal(status);
        client.expect_the_end().await;
        assert_eq!(malformed_requests(&service).await, number, "{request:?}");
    }
    // On a connection with a successful request before.
    let mut client = Client::connect(&service).await;
    client.send("GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n\r\n").await;
    assert_eq!(client.answer().await.expect("an answer").status, 200);
    client.send("Nonsense\r\n\r\n").await;
    let answer = client.answer().await.expect("an answer");
    assert_eq!(answer.refusal(400), "The request is not valid HTTP");
    client.expect_the_end().await;
    // Behind a request in the same segment.
    let mut client = Client::connect(&service).await;
    client.send("GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n\r\nNonsense\r\n\r\n").await;
    assert_eq!(client.answer().await.expect("an answer").status, 200);
    client.answer().await.expect("an answer").refusal(400);
    client.expect_the_end().await;
    assert_eq!(malformed_requests(&service).await, 16);

    let log = site.log();
    assert!(!log.contains("ERROR"), "{log}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let id = answer.header("x-request-id").expect("an id");
    assert!(log.lines().any(|line| line.contains("DEBUG") && line.contains(id)), "{id} in {log}");
}

#[tokio::test]
async fn client_errors_leave_no_line_in_a_log_of_the_usual_level() {
    let site = Site::empty();
    let service = site.serve().await;
    // The line of the readiness request arrives a moment later.
    let log = || site.log().lines().filter(|line| !line.contains("/readiness")).map(str::to_owned).collect::<Vec<_>>();
    let before = log();
    for _ in 0..20 {
        let mut client = Client::connect(&service).await;
        client.send("Nonsense\r\n\r\n").await;
        client.answer().await.expect("an answer").refusal(400);
    }
    assert_eq!(log(), before);
}

/// An address and headers cost work before the caller is known.
#[tokio::test]
async fn a_head_over_16_kib_or_64_headers_is_431_and_ends_the_connection() {
    let site = Site::empty();
    let service = site.serve().await;
    let long = "a=1&".repeat(5_000);
    let head = |lines: String| format!("GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n{lines}\r\n");
    // The host is a header, too.
    let headers = |number: usize| head("X: y\r\n".repeat(number - 1));
    let bytes = |number: usize| head(format!("X: {}\r\n", "y".repeat(number - head("X: \r\n".to_owned()).len())));
    for head in [
        format!("GET /api/v1/data-status/nfl?{long} HTTP/1.1\r\nHost: test\r\n\r\n"),
        head(format!("Accept-Encoding: {long}\r\n")),
        head(format!("X-A: {0}\r\nX-B: {0}\r\n", "x".repeat(9_000))),
        headers(65),
        bytes(16 * 1024 + 1),
        bytes(2 * 1024 * 1024),
    ] {
        let mut client = Client::connect(&service).await;
        client.send(head).await;
        let answer = client.answer().await.expect("an answer");
        let detail = "The address and the headers are larger than 16 KiB together, or there are more than 64 headers";
        assert_eq!(answer.refusal(431), detail);
        client.expect_the_end().await;
    }
    for head in [headers(64), bytes(16 * 1024)] {
        let mut client = Client::connect(&service).await;
        for _ in 0..2 {
            client.send(&head).await;
            assert_eq!(client.answer().await.expect("an answer").status, 200);
        }
    }
}
