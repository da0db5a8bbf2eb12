use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;

use reqwest::Method;
use sports_testkit::services::{Process, free_address, installed};

use super::raw::{RawAnswer, sent_plainly};
use super::{expect_error, request, sample};
use crate::service::{Site, eventually};

/// A running Caddy. It serves without TLS, since nobody certifies its domain here.
struct Caddy {
    _process: Process,
    folder: tempfile::TempDir,
    address: SocketAddr,
}

impl Caddy {
    /// Starts Caddy with the sample in front of a node; `None` where it is not installed.
    async fn before(node: &str) -> Option<Self> {
        let caddy = installed("caddy", &[])?;
        let folder = tempfile::tempdir().expect("a folder");
        let address = free_address(Ipv4Addr::LOCALHOST).expect("a free port");
        let replacements = [
            ("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n".to_owned()),
            ("api.example.com, :443", format!("http://api.example.com:{0}, http://:{0}", address.port())),
            ("127.0.0.1:8080", node.to_owned()),
            ("/var/log/caddy", folder.path().display().to_string()),
        ];
        let file = folder.path().join("Caddyfile");
        let sample = sample("caddy/Caddyfile", &replacements.map(|(theirs, ours)| (theirs.to_owned(), ours)));
        fs::write(&file, sample).expect("written");
        let log = folder.path().join("stderr.log");
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec \"$0\" run --adapter caddyfile --config \"$1\" 2>\"$2\""])
            .arg(caddy)
            .arg(file)
            .arg(log);
        command.env("HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path()).env("XDG_DATA_HOME", folder.path());
        let process = Process::start(&command, "TERM");
        eventually("Caddy listens", || std::net::TcpStream::connect(address).is_ok()).await;
        Some(Self { _process: process, folder, address })
    }

    fn answered(&self, bytes: &str) -> RawAnswer {
        sent_plainly(self.address, bytes.as_bytes())
    }

    /// Returns the lines of both logs.
    fn logs(&self) -> String {
        let logs = ["stderr.log", "sports.log"].map(|name| fs::read_to_string(self.folder.path().join(name)));
        logs.into_iter().map(Result::unwrap_or_default).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn caddy_passes_requests_on_and_answers_for_itself_in_the_form_of_the_service() {
    const HOST: &str = "Host: api.example.com\r\n";
    let site = Site::empty();
    let limit = [("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1"), ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "1")];
    let service = site.serve_with(&limit).await;
    let Some(caddy) = Caddy::before(&service.address()).await else { return };
    for (line, host) in [("GET /api/v1/liveness HTTP/1.1", HOST), ("GET /api/v1/liveness HTTP/1.0", "")] {
        let answer = caddy.answered(&request(line, host));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.headers("x-content-type-options"), ["nosniff"]);
        assert_eq!(answer.headers("content-encoding"), [""; 0]);
        assert_eq!(answer.headers("strict-transport-security"), ["max-age=31536000"]);
    }
    // The errors of a node are passed on.
    for (line, status) in [("GET /nowhere HTTP/1.1", 404), ("TRACE / HTTP/1.1", 405), ("GET /%00 HTTP/1.1", 404)] {
        expect_error(&caddy.answered(&request(line, HOST)), &[status], line);
    }
    expect_error(&caddy.answered(&request("GET /metrics HTTP/1.1", HOST)), &[404], "metrics");
    let large = request("POST / HTTP/1.1", &format!("{HOST}Content-Length: 100000\r\n")) + &"x".repeat(100_000);
    expect_error(&caddy.answered(&large), &[413], "a large body");
    // An address that a client makes up changes nothing: the limit is that of its own.
    let mut statuses = Vec::new();
    for number in 0..50 {
        let forged = format!("{HOST}X-Forwarded-For: 192.0.2.{number}\r\n");
        statuses.push(caddy.answered(&request("GET /api/v1/edge-picks HTTP/1.1", &forged)).status);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn caddy_answers_for_a_node_that_is_away_and_logs_no_key() {
    const KEY: &str = "sk_service_4fQ8mW2xKp7LbN9rTzVc1DgH5jYsEa3u6RkXoMiBtCqG";
    let nobody = free_address(Ipv4Addr::LOCALHOST).expect("a free port").to_string();
    let Some(caddy) = Caddy::before(&nobody).await else { return };
    for (method, host) in [(Method::GET, "api.example.com"), (Method::POST, "other.example.com")] {
        let path = format!("/api/v1/customers/me/api-keys/{KEY}?api_key={KEY}");
        let headers = format!("Host: {host}\r\nX-API-Key: {KEY}\r\nAuthorization: Bearer {KEY}\r\n");
        let answer = caddy.answered(&request(&format!("{method} {path} HTTP/1.1"), &headers));
        expect_error(&answer, &[502, 503], method.as_str());
    }
    let encoded = request(&format!("GET /api/v1/%73{} HTTP/1.1", &KEY[1..]), "Host: api.example.com\r\n");
    expect_error(&caddy.answered(&encoded), &[502, 503], "an encoded path");
    caddy.answered(&request(&format!("get /{KEY} HTTP/9.9"), &format!("X-API-Key: {KEY}\r\n")));
    eventually("all is logged", || caddy.logs().matches("\"handled request\"").count() >= 3).await;
    assert!(!caddy.logs().contains(&KEY[11..]), "{}", caddy.logs());
}
