//! Nodes behind nginx with the configuration of `deploy/nginx/sports.conf`.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Method, Response, Version};
use serde_json::Value;
use sports_testkit::services::{Certificates, Process, installed};
use tokio::task::{JoinHandle, spawn_blocking};

use super::Cluster;
use super::accounts::KEYS;
use crate::service::{Service, Site, eventually};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/nginx/sports.conf");

/// A drain longer than the proxy keeps idle connections, or none: in the second case nodes close connections that the
/// proxy keeps.
const DRAINS: [(&str, &str); 2] = [("SPORTS_HTTP__DRAIN", "6s"), ("SPORTS_HTTP__DRAIN", "0s")];

/// The variable with the number of rolling restarts, and the number without it.
const RESTARTS: (&str, usize) = ("ROLLING_RESTARTS", 2);

/// A running nginx, and a client that trusts its certificate.
struct Proxy {
    _process: Process,
    _folder: tempfile::TempDir,
    http: Client,
    plain: String,
    tls: String,
}

impl Proxy {
    /// Starts nginx with the sample, in which ports, paths and nodes are replaced.
    async fn before(nodes: &[String]) -> Option<Self> {
        let nginx = installed("nginx", &["/usr/sbin".into()])?;
        let (folder, certificates) = (tempfile::tempdir().expect("a folder"), Certificates::fresh());
        let (plain, tls) = (free_address(), free_address());
        fs::copy(certificates.server(), folder.path().join("fullchain.pem")).expect("copied");
        fs::copy(certificates.server_key(), folder.path().join("privkey.pem")).expect("copied");
        fs::write(folder.path().join("nginx.conf"), configuration(folder.path(), nodes, plain, tls)).expect("written");
        let mut command = Command::new(nginx);
        command.arg("-p").arg(folder.path()).arg("-c").arg(folder.path().join("nginx.conf"));
        let process = Process::start(&command, "QUIT");
        let authority = Certificate::from_pem(&fs::read(certificates.authority()).expect("read")).expect("PEM");
        sports_api::prices::use_ring();
        let http = Client::builder().no_proxy().redirect(Policy::none()).tls_certs_only([authority]);
        let http = http.timeout(Duration::from_mins(1)).build().expect("a client");
        let (plain, tls) = (format!("http://{plain}"), format!("https://{tls}"));
        let proxy = Self { _process: process, _folder: folder, http, plain, tls };
        eventually("nginx listens", || std::net::TcpStream::connect(proxy.tls.trim_start_matches("https://")).is_ok())
            .await;
        Some(proxy)
    }

    async fn send(&self, method: Method, path: &str, key: &str) -> reqwest::Result<Response> {
        self.http.request(method, format!("{}{path}", self.tls)).header("x-api-key", key).send().await
    }
}

fn configuration(folder: &Path, nodes: &[String], plain: SocketAddr, tls: SocketAddr) -> String {
    let mut sample = fs::read_to_string(SAMPLE).expect("the sample");
    let node_line = "server api:8080 ";
    let start = sample.find(node_line).expect("a node");
    let parameters = sample[start + node_line.len()..].split_once('\n').expect("a line").0.to_owned();
    let lines: Vec<_> = nodes.iter().map(|node| format!("server {node} {parameters}")).collect();
    let folder = folder.display().to_string();
    for (theirs, ours) in [
        (format!("{node_line}{parameters}"), lines.join("\n")),
        ("listen 80;".to_owned(), format!("listen {plain};")),
        ("listen 443 ".to_owned(), format!("listen {tls} ")),
        ("/etc/nginx/certificates".to_owned(), folder.clone()),
        ("/var/log/nginx".to_owned(), folder.clone()),
    ] {
        assert!(sample.contains(&theirs), "{theirs}");
        sample = sample.replace(&theirs, &ours);
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|part| format!("{part}_temp_path {folder}/{part};")).join("\n");
    format!(
        "daemon off; pid {folder}/pid; error_log {folder}/start.log;\nevents {{}}\nhttp {{\n{temporary}\n{sample}\n}}\n"
    )
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port")
}

/// Clients that send one request after the other through the proxy and retry nothing.
struct Load {
    proxy: Arc<Proxy>,
    key: String,
    succeeded: AtomicUsize,
    failed: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Load {
    fn begin(proxy: &Arc<Proxy>, key: &str, clients: usize) -> (Arc<Self>, Vec<JoinHandle<()>>) {
        let load = Arc::new(Self {
            proxy: Arc::clone(proxy),
            key: key.to_owned(),
            succeeded: AtomicUsize::new(0),
            failed: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let tasks = (0..clients).map(|client| tokio::spawn(Arc::clone(&load).send_until_over(client))).collect();
        (load, tasks)
    }

    async fn send_until_over(self: Arc<Self>, client: usize) {
        /// Cached, computed, uncached, and answered by the database.
        const PATHS: [&str; 5] = [
            "/api/v1/sports",
            "/api/v1/results/nfl/over_under?limit=1",
            "/api/v1/summary/nfl/won_on_points",
            "/api/v1/results/nfl/over_under?limit=7&offset=",
            KEYS,
        ];
        for number in client.. {
            if self.is_over.load(Relaxed) {
                return;
            }
            let mut path = PATHS[number % PATHS.len()].to_owned();
            if path.ends_with('=') {
                path += &(number % 10).to_string();
            }
            let failure = match self.proxy.send(Method::GET, &path, &self.key).await {
                Ok(answer) if answer.status() == 200 => answer.bytes().await.err().map(|error| format!("{error:?}")),
                Ok(answer) => Some(format!("{} {}", answer.status(), answer.text().await.unwrap_or_default())),
                Err(error) => Some(format!("{error:?}")),
            };
            match failure {
                None => drop(self.succeeded.fetch_add(1, Relaxed)),
                Some(failure) => self.failed.lock().expect("not poisoned").push(format!("{path}: {failure}")),
            }
        }
    }

    async fn until_answered(&self, more: usize) {
        let before = self.succeeded.load(Relaxed);
        eventually("requests are answered", || self.succeeded.load(Relaxed) >= before + more).await;
    }

    async fn end(&self, tasks: Vec<JoinHandle<()>>) -> Vec<String> {
        self.is_over.store(true, Relaxed);
        for task in tasks {
            task.await.expect("it ends");
        }
        self.failed.lock().expect("not poisoned").clone()
    }
}

/// Stops a node as an operator does, and starts it again at the same address.
async fn restarted(site: &Site, node: Service, drain: (&str, &str)) -> Service {
    let address = node.address();
    node.signal("TERM");
    let ended = spawn_blocking(move || node.ended()).await.expect("awaited");
    assert!(ended.success(), "{ended}");
    site.serve_with(&[drain, ("SPORTS_HTTP__BIND", &address)]).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn rolling_restarts_behind_the_sample_proxy_fail_no_request() {
    let Some(site) = Cluster::site() else { return };
    site.publish_fixture("nfl-2023-week-18");
    let Cluster { site, mut nodes, .. } = Cluster::start(site, &[DRAINS[0]]).await;
    // With two nodes, one alone answers while the other starts.
    nodes.truncate(2);
    let addresses: Vec<_> = nodes.iter().map(Service::address).collect();
    let Some(proxy) = Proxy::before(&addresses).await else { return };
    let (load, tasks) = Load::begin(&Arc::new(proxy), &site.key, 8);
    let restarts = std::env::var(RESTARTS.0).map_or(RESTARTS.1, |number| number.parse().expect("a number"));
    for restart in 0..restarts {
        load.until_answered(100).await;
        let mut new = Vec::new();
        for node in nodes {
            new.push(restarted(&site, node, DRAINS[(restart + 1) % DRAINS.len()]).await);
        }
        nodes = new;
    }
    load.until_answered(100).await;
    assert_eq!(load.end(tasks).await, Vec::<String>::new());
    eprintln!("{restarts} rolling restarts of two nodes, {} requests", load.succeeded.load(Relaxed));
    nodes.into_iter().for_each(Service::stop);
    assert_eq!(warnings(&site), Vec::<String>::new());
}

/// Returns the errors in the logs of all servers, and the service's own warnings. Warnings of sqlx are left out: it
/// warns of a slow connection on a busy machine.
fn warnings(site: &Site) -> Vec<String> {
    let logs = (1..).map(|server| site.place.path().join(format!("server-{server}.log")));
    let logs = logs.map_while(|log| fs::read_to_string(log).ok());
    let lines = logs.flat_map(|log| log.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.contains(" ERROR ") || line.contains(" WARN sports_")).collect()
}

/// Checks an error that the proxy made, and returns its `Retry-After`.
async fn failure(answer: Response, status: u16) -> Option<String> {
    assert_eq!(answer.status(), status);
    assert_eq!(answer.headers()["content-type"], "application/json");
    let retry_after = answer.headers().get("retry-after").map(|value| value.to_str().expect("text").to_owned());
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(body["error"], format!("HTTP_{status}"));
    assert!(body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{body}");
    assert!(body["timestamp"].as_str().is_some_and(|at| at.parse::<DateTime<Utc>>().is_ok()), "{body}");
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(3));
    retry_after
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn errors_of_the_sample_proxy_have_the_form_of_the_service() {
    let nobody = free_address().to_string();
    let Some(proxy) = Proxy::before(&[nobody]).await else { return };
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let answer = proxy.send(method, KEYS, "none").await.expect("an answer");
        assert_eq!(answer.version(), Version::HTTP_2);
        assert_eq!(failure(answer, 502).await.as_deref(), Some("2"));
    }
    let answer = proxy.send(Method::GET, "/metrics", "none").await.expect("an answer");
    assert_eq!(failure(answer, 404).await, None);
    let large = proxy.http.post(format!("{}{KEYS}", proxy.tls)).body(vec![b' '; 100_000]).send().await;
    assert_eq!(failure(large.expect("an answer"), 413).await, None);
    let redirect = proxy.http.get(format!("{}/api/v1/sports?a=b", proxy.plain)).send().await.expect("an answer");
    assert_eq!(redirect.status(), 308);
    assert_eq!(redirect.headers()["location"], "https://127.0.0.1/api/v1/sports?a=b");
}

/// A node closes the connection after it received a request: the proxy sends a reading request to the next node, but
/// not a changing one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_request_cut_off_by_a_node_is_retried_if_it_changes_nothing() {
    let site = Site::empty();
    let node = site.serve().await;
    let breaking = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = breaking.local_addr().expect("an address").to_string();
    let broken_off = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&broken_off);
    std::thread::spawn(move || {
        for mut stream in breaking.incoming().flatten() {
            let _ = std::io::Read::read(&mut stream, &mut [0; 1024]);
            count.fetch_add(1, Relaxed);
        }
    });
    let Some(proxy) = Proxy::before(&[address, node.address()]).await else { return };
    for _ in 0..20 {
        let answer = proxy.send(Method::GET, "/api/v1/sports", &site.key).await.expect("an answer");
        assert_eq!(answer.status(), 200);
    }
    let reads = broken_off.load(Relaxed);
    assert!(reads >= 5, "{reads}");
    let mut statuses = Vec::new();
    for _ in 0..10 {
        let answer = proxy.send(Method::POST, "/api/v1/service-sports-data/refresh", &site.key).await;
        statuses.push(answer.expect("an answer").status().as_u16());
    }
    let failed = statuses.iter().filter(|status| **status == 502).count();
    assert_eq!(failed, broken_off.load(Relaxed) - reads, "{statuses:?}");
    assert!(failed > 0 && statuses.contains(&403), "{statuses:?}");
}
