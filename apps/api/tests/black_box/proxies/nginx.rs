use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Method, Response, Version};
use sports_testkit::services::{Certificates, Process, free_address, installed};
use tokio::time::sleep;

use super::raw::{RawAnswer, Tls, parsed, sent_plainly};
use super::{expect_error, request, sample};
use crate::service::{Site, eventually};

/// A running nginx, and a client that trusts its certificate.
pub struct Nginx {
    _process: Process,
    folder: tempfile::TempDir,
    certificates: Certificates,
    http: Client,
    /// A client of HTTP/1.1.
    http1: Client,
    plain: SocketAddr,
    tls: SocketAddr,
    /// The addresses of IPv6, where the machine has it.
    ipv6: Option<[SocketAddr; 2]>,
}

impl Nginx {
    /// Starts nginx with the sample in front of nodes; `None` where it is not installed.
    pub async fn before(nodes: &[String]) -> Option<Self> {
        Self::with(nodes, &[]).await
    }

    /// Starts nginx with further replacements in the sample.
    async fn with(nodes: &[String], further: &[(&str, &str)]) -> Option<Self> {
        let nginx = installed("nginx", &["/usr/sbin".into()])?;
        let (folder, certificates) = (tempfile::tempdir().expect("a folder"), Certificates::fresh());
        let [plain, tls] = [(); 2].map(|()| free_address(Ipv4Addr::LOCALHOST).expect("a free port"));
        let ipv6 =
            free_address(Ipv6Addr::LOCALHOST).zip(free_address(Ipv6Addr::LOCALHOST)).map(|(plain, tls)| [plain, tls]);
        fs::copy(certificates.server(), folder.path().join("fullchain.pem")).expect("copied");
        fs::copy(certificates.server_key(), folder.path().join("privkey.pem")).expect("copied");
        let mut replacements = replacements(folder.path(), nodes, [plain, tls], ipv6);
        replacements.extend(further.iter().map(|(theirs, ours)| ((*theirs).to_owned(), (*ours).to_owned())));
        fs::write(folder.path().join("nginx.conf"), configuration(folder.path(), &replacements)).expect("written");
        let mut command = Command::new(nginx);
        command.arg("-p").arg(folder.path()).arg("-c").arg(folder.path().join("nginx.conf"));
        let process = Process::start(&command, "QUIT");
        let authority = Certificate::from_pem(&fs::read(certificates.authority()).expect("read")).expect("PEM");
        sports_api::prices::use_ring();
        let builder = || {
            let builder = Client::builder().no_proxy().redirect(Policy::none()).tls_certs_only([authority.clone()]);
            builder.timeout(Duration::from_mins(1))
        };
        let [http, http1] = [builder(), builder().http1_only()].map(|builder| builder.build().expect("a client"));
        eventually("nginx listens", || std::net::TcpStream::connect(tls).is_ok()).await;
        Some(Self { _process: process, folder, certificates, http, http1, plain, tls, ipv6 })
    }

    /// Sends a request over TLS.
    pub async fn send(&self, method: Method, path: &str, key: &str) -> reqwest::Result<Response> {
        self.http.request(method, format!("https://{}{path}", self.tls)).header("x-api-key", key).send().await
    }

    /// Sends a request over TLS and HTTP/1.1. nginx ends a connection of HTTP/2 after a thousand requests, and this client can
    /// lose those that are underway then.
    pub async fn send_over_http1(&self, path: &str, key: &str) -> reqwest::Result<Response> {
        self.http1.get(format!("https://{}{path}", self.tls)).header("x-api-key", key).send().await
    }

    fn connect(&self) -> Tls {
        Tls::connect(self.tls, &self.certificates.authority())
    }

    /// Sends bytes over TLS; returns all that comes back.
    fn sent(&self, bytes: &str) -> String {
        let mut connection = self.connect();
        connection.send(bytes.as_bytes());
        connection.rest()
    }

    fn answered(&self, bytes: &str) -> RawAnswer {
        parsed(&self.sent(bytes))
    }

    /// Returns the lines of all logs.
    fn logs(&self) -> String {
        let files = fs::read_dir(self.folder.path()).expect("a folder").flatten().map(|entry| entry.path());
        let is_log = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "log");
        files.filter(is_log).map(|file| fs::read_to_string(file).expect("text")).collect()
    }
}

fn replacements(
    folder: &Path,
    nodes: &[String],
    [plain, tls]: [SocketAddr; 2],
    ipv6: Option<[SocketAddr; 2]>,
) -> Vec<(String, String)> {
    let nodes: Vec<_> = nodes.iter().map(|node| format!("server {node} max_fails=0;")).collect();
    let folder = folder.display().to_string();
    let mut replacements = vec![
        ("server 127.0.0.1:8080 max_fails=0;".to_owned(), nodes.join("\n")),
        ("listen 80;".to_owned(), format!("listen {plain};")),
        ("listen 443 ssl".to_owned(), format!("listen {tls} ssl")),
        ("/etc/nginx/certificates".to_owned(), folder.clone()),
        ("/var/log/nginx".to_owned(), folder),
    ];
    let lines = ["listen [::]:80;", "listen [::]:443 ssl http2;"].map(str::to_owned);
    let ours = ipv6
        .map_or_else(Default::default, |[plain, tls]| [format!("listen {plain};"), format!("listen {tls} ssl http2;")]);
    replacements.extend(lines.into_iter().zip(ours));
    replacements
}

fn configuration(folder: &Path, replacements: &[(String, String)]) -> String {
    let (sample, folder) = (sample("nginx/sports.conf", replacements), folder.display());
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|part| format!("{part}_temp_path {folder}/{part};")).join("\n");
    format!(
        "daemon off; pid {folder}/pid; error_log {folder}/start.log;\nevents {{}}\nhttp {{\n{temporary}\n{sample}\n}}\n"
    )
}

/// Requests that are none of HTTP, or that nginx refuses, and their statuses: older versions have another for some.
fn refused() -> Vec<(String, Vec<u16>)> {
    let host = "Host: localhost\r\n";
    let get = |target: &str| request(&format!("GET {target} HTTP/1.1"), host);
    let post = |headers: &str, body: &str| request("POST / HTTP/1.1", &format!("{host}{headers}")) + body;
    let large = "x".repeat(100_000);
    vec![
        (get("/%00"), vec![400]),
        (get("/%zz"), vec![400]),
        (get("/../../etc/passwd"), vec![400]),
        (get(&format!("/{}", "a".repeat(9_000))), vec![414]),
        (request("GET / HTTP/1.1", &format!("{host}X: {}\r\n", "y".repeat(9_000))), vec![431]),
        (request("GET / HTTP/1.1", &format!("{host}{}", "X: y\r\n".repeat(9_000))), vec![431]),
        (request("get / HTTP/1.1", host), vec![400, 405]),
        (request("CONNECT localhost:443 HTTP/1.1", host), vec![400, 405]),
        (request("CONNECT / HTTP/1.1", host), vec![400, 405]),
        (request("TRACE / HTTP/1.1", host), vec![405]),
        (request("GET / HTTP/1.1", ""), vec![400]),
        (request("GET / HTTP/1.1", "Host: a/b\r\n"), vec![400]),
        (request("GET / HTTP/1.1", &host.repeat(2)), vec![400]),
        (request("GET / HTTP/9.9", host), vec![400, 505]),
        ("Nonsense\r\n\r\n".to_owned(), vec![400]),
        ("\0\u{1}\u{2}\r\n\r\n".to_owned(), vec![400]),
        (post("Content-Length: 100000\r\n", &large), vec![413]),
        (post("Transfer-Encoding: chunked\r\n", &format!("186a0\r\n{large}\r\n0\r\n\r\n")), vec![413]),
        (post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), vec![400]),
        (post("Content-Length: -1\r\n", ""), vec![400]),
        (post("Transfer-Encoding: gzip\r\n", ""), vec![400, 501]),
        (get("/metrics"), vec![404]),
        (get("/proxy-error"), vec![404]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_refuses_what_it_cannot_read_in_the_form_of_the_service() {
    let site = Site::empty();
    let service = site.serve().await;
    let Some(nginx) = Nginx::before(&[service.address()]).await else { return };
    for (bytes, statuses) in refused() {
        let what = &bytes[..bytes.len().min(60)];
        let answer = nginx.answered(&bytes);
        expect_error(&answer, &statuses, what);
        assert_eq!(answer.headers("strict-transport-security"), ["max-age=31536000"], "{what}");
        assert_eq!(answer.headers("server"), ["nginx"], "{what}");
        if !bytes.contains(" HTTP/1.1\r\nHost: localhost") || !statuses.contains(&404) {
            let answer = sent_plainly(nginx.plain, bytes.as_bytes());
            // What is a request is redirected first.
            if answer.status != 308 {
                expect_error(&answer, &statuses, what);
            }
            assert_eq!(answer.headers("strict-transport-security"), [""; 0], "{what}");
        }
    }
    let wrong_port = sent_plainly(nginx.tls, request("GET / HTTP/1.1", "Host: localhost\r\n").as_bytes());
    expect_error(&wrong_port, &[400], "no TLS");
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_passes_on_requests_of_old_clients_and_of_both_families_of_addresses() {
    const LIVENESS: &str = "/api/v1/liveness";
    let site = Site::empty();
    let service = site.serve().await;
    let Some(nginx) = Nginx::before(&[service.address()]).await else { return };
    for version in ["1.0", "1.1"] {
        let host = if version == "1.0" { "" } else { "Host: localhost\r\n" };
        let answer = nginx.answered(&request(&format!("GET {LIVENESS} HTTP/{version}"), host));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.headers("x-content-type-options"), ["nosniff"]);
        assert_eq!(answer.headers("strict-transport-security"), ["max-age=31536000"]);
    }
    // HTTP/0.9 has no head.
    let oldest = nginx.sent(&format!("GET {LIVENESS}\r\n"));
    assert!(serde_json::from_str::<serde_json::Value>(&oldest).is_ok(), "{oldest:?}");
    let redirect = sent_plainly(nginx.plain, b"GET /a?b=c HTTP/1.0\r\n\r\n");
    assert_eq!((redirect.status, redirect.headers("location")), (308, vec!["https://127.0.0.1/a?b=c"]));
    let redirect = sent_plainly(nginx.plain, request("POST /a?b=c HTTP/1.1", "Host: example.com\r\n").as_bytes());
    assert_eq!((redirect.status, redirect.headers("location")), (308, vec!["https://example.com/a?b=c"]));
    let Some([plain, tls]) = nginx.ipv6 else { return };
    let mut ipv6 = Tls::connect(tls, &nginx.certificates.authority());
    ipv6.send(format!("GET {LIVENESS} HTTP/1.0\r\n\r\n").as_bytes());
    assert_eq!(parsed(&ipv6.rest()).status, 200);
    let redirect = sent_plainly(plain, b"GET /a HTTP/1.0\r\n\r\n");
    assert_eq!(redirect.headers("location"), ["https://[::1]/a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_answers_for_nodes_that_are_away_or_silent_and_logs_no_key() {
    const KEY: &str = "sk_service_4fQ8mW2xKp7LbN9rTzVc1DgH5jYsEa3u6RkXoMiBtCqG";
    let nobody = free_address(Ipv4Addr::LOCALHOST).expect("a free port").to_string();
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent_address = silent.local_addr().expect("an address").to_string();
    for (node, status) in [(nobody, 502), (silent_address, 504)] {
        let soon = [("proxy_read_timeout 30s", "proxy_read_timeout 1s")];
        let Some(nginx) = Nginx::with(&[node], &soon).await else { return };
        for method in ["GET", "POST", "DELETE"] {
            let line = format!("{method} /api/v1/customers/me/api-keys/{KEY}?api_key={KEY} HTTP/1.1");
            let answer = nginx.answered(&request(&line, &format!("Host: localhost\r\nX-API-Key: {KEY}\r\n")));
            expect_error(&answer, &[status], method);
        }
        let answer = nginx.send(Method::GET, &format!("/?api_key={KEY}"), KEY).await.expect("an answer");
        assert_eq!((answer.version(), answer.status().as_u16()), (Version::HTTP_2, status));
        // A line that is no request may have a key, too.
        nginx.answered(&request(&format!("get /{KEY}?api_key={KEY} HTTP/1.1"), "Host: localhost\r\n"));
        let lines = ["GET", "POST", "DELETE"].map(|method| format!("\"{method} /api/v1/customers/me/api-keys/"));
        eventually("all is logged", || lines.iter().all(|line| nginx.logs().contains(line))).await;
        assert!(!nginx.logs().contains(&KEY[11..]), "{}", nginx.logs());
    }
}

/// A node whose answers are long: counts the bytes that it could send.
fn a_node_with_long_answers(length: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let count = Arc::clone(&count);
            std::thread::spawn(move || {
                let _ = stream.read(&mut [0; 4096]);
                let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
                let piece = vec![b'x'; 1 << 16];
                for _ in 0..length / piece.len() {
                    if stream.write_all(&piece).is_err() {
                        return;
                    }
                    count.fetch_add(piece.len(), Relaxed);
                }
            });
        }
    });
    (address, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_downloads_through_nginx_are_few_for_each_client_and_take_no_disk() {
    const LENGTH: usize = 32 << 20;
    let (node, sent) = a_node_with_long_answers(LENGTH);
    let Some(nginx) = Nginx::before(&[node]).await else { return };
    let begin = || {
        let mut connection = nginx.connect();
        connection.send(request("GET /downloads/a/nfl/b/c.csv HTTP/1.1", "Host: localhost\r\n").as_bytes());
        connection
    };
    let mut slow: Vec<_> = (0..8).map(|_| begin()).collect();
    for connection in &mut slow {
        assert!(connection.beginning().starts_with("HTTP/1.1 200 "));
    }
    expect_error(&parsed(&begin().rest()), &[429], "a ninth");
    // What is not read stays with the node. On the proxy's disk all of it would fit.
    let mut before = usize::MAX;
    while sent.load(Relaxed) != before {
        before = sent.load(Relaxed);
        sleep(Duration::from_secs(1)).await;
    }
    assert!(before < slow.len() * LENGTH / 2, "{before}");
    drop(slow.pop());
    eventually("another may begin", || begin().beginning().starts_with("HTTP/1.1 200 ")).await;
}
