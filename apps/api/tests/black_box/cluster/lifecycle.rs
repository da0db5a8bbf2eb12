//! The shutdown of a server.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep};

use super::Cluster;
use crate::service::{Answer, Service, Site, eventually};

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_draining_node_is_not_ready_and_still_answers() {
    const LENGTH: Duration = Duration::from_secs(3);
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "3s")]).await;
    let before = service.page("nfl/over_under").await.json();
    let started = Instant::now();
    service.signal("TERM");
    let unready = service.until("/api/v1/readiness", |answer| answer.status == 503).await.json();
    assert_eq!((&unready["status"], &unready["checks"]["running"]), (&"not_ready".into(), &false.into()));
    while started.elapsed() < LENGTH / 2 {
        let answer = Answer::to(service.keyed("/api/v1/results/nfl/over_under")).await;
        assert_eq!((answer.status, answer.header("connection")), (200, Some("close")));
        assert_eq!(answer.json()["total"], before["total"]);
    }
    assert!(service.ended().success());
    assert!(started.elapsed() >= LENGTH, "it goes on for as long as it is to");
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_second_signal_ends_the_drain_at_once() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "5m")]).await;
    service.signal("INT");
    service.until("/api/v1/readiness", |answer| answer.status == 503).await;
    service.signal("TERM");
    assert!(service.ended().success(), "long before five minutes");
}

/// The signal of a terminal that closes, which shells send to a program a second time.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_terminal_that_closes_drains_a_server_that_was_not_started_to_survive_it() {
    let site = Site::empty();
    let drain = [("SPORTS_HTTP__DRAIN", "5m")];
    let service = site.serve_by(&["env", "--default-signal=HUP"], &drain).await;
    service.signal("HUP");
    service.until("/api/v1/readiness", |answer| answer.status == 503).await;
    service.signal("HUP");
    for _ in 0..20 {
        assert_eq!(service.get("/api/v1/liveness").await.status, 200, "the drain goes on");
    }
    service.signal("TERM");
    assert!(service.ended().success(), "long before five minutes");

    let service = site.serve_by(&["env", "--ignore-signal=HUP"], &drain).await;
    service.signal("HUP");
    for _ in 0..20 {
        assert_eq!(service.get("/api/v1/readiness").await.status, 200, "as with nohup");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_stopping_node_finishes_an_answer_that_its_client_reads_slowly() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "500ms")]).await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(16 * 1024).expect("a small buffer");
    let mut stream = socket.connect(service.address().parse().expect("an address")).await.expect("connected");
    let request = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n";
    stream.write_all(request).await.expect("sent");
    let mut answer = vec![0; 64 * 1024];
    stream.read_exact(&mut answer).await.expect("a beginning");
    service.signal("TERM");
    let ended = spawn_blocking(move || service.ended());
    // Past the drain, no new connection is accepted.
    sleep(Duration::from_secs(2)).await;
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.expect("the rest");
    assert!(ended.await.expect("waited for").success());
    answer.extend(rest);
    let text = String::from_utf8_lossy(&answer);
    let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
    let length =
        head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    assert_eq!(Some(body.len()), length, "{head}");
}

/// A load balancer's view of a node.
struct Target {
    address: String,
    is_ready: AtomicBool,
}

/// A client that behaves as a load balancer: it polls readiness, sends requests to ready nodes on kept connections,
/// and retries nothing.
struct Balancer {
    http: Client,
    key: String,
    targets: Mutex<Vec<Arc<Target>>>,
    next: AtomicUsize,
    answered: AtomicUsize,
    failed: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Balancer {
    fn new(site: &Site) -> Arc<Self> {
        sports_api::prices::use_ring();
        Arc::new(Self {
            http: Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().expect("a client"),
            key: site.key.clone(),
            targets: Mutex::default(),
            next: AtomicUsize::new(0),
            answered: AtomicUsize::new(0),
            failed: Mutex::default(),
            is_over: AtomicBool::new(false),
        })
    }

    /// Adds a ready node, and polls its readiness from now on.
    fn add(self: &Arc<Self>, node: &Service) {
        let target = Arc::new(Target { address: node.address(), is_ready: AtomicBool::new(true) });
        self.targets.lock().expect("not poisoned").push(Arc::clone(&target));
        let balancer = Arc::clone(self);
        tokio::spawn(async move {
            while !balancer.is_over.load(Relaxed) {
                let probe = balancer.http.get(format!("http://{}/api/v1/readiness", target.address)).send().await;
                target.is_ready.store(probe.is_ok_and(|answer| answer.status().is_success()), Relaxed);
                sleep(Duration::from_millis(100)).await;
            }
        });
    }

    fn target(&self) -> Option<Arc<Target>> {
        let targets = self.targets.lock().expect("not poisoned");
        let ready: Vec<_> = targets.iter().filter(|target| target.is_ready.load(Relaxed)).collect();
        (!ready.is_empty()).then(|| Arc::clone(ready[self.next.fetch_add(1, Relaxed) % ready.len()]))
    }

    /// Sends one request after the other until the load is ended.
    async fn load(self: Arc<Self>) {
        while !self.is_over.load(Relaxed) {
            let Some(target) = self.target() else {
                self.failed.lock().expect("not poisoned").push("no node is ready".to_owned());
                return;
            };
            let url = format!("http://{}/api/v1/results/nfl/over_under?limit=1", target.address);
            let answer = self.http.get(url).header("x-api-key", &self.key).send().await;
            let outcome = match answer {
                Ok(answer) if answer.status() == 200 => {
                    answer.bytes().await.map(drop).map_err(|error| error.to_string())
                }
                Ok(answer) => Err(answer.status().to_string()),
                Err(error) => Err(format!("{error:?}")),
            };
            match outcome {
                Ok(()) => drop(self.answered.fetch_add(1, Relaxed)),
                Err(failure) => self.failed.lock().expect("not poisoned").push(failure),
            }
        }
    }

    async fn until_answered(&self, more: usize) {
        let before = self.answered.load(Relaxed);
        eventually("requests are answered", || {
            self.answered.load(Relaxed) >= before + more || !self.failed.lock().expect("not poisoned").is_empty()
        })
        .await;
    }

    /// Ends the load; returns the failures.
    async fn end(&self, load: Vec<JoinHandle<()>>) -> Vec<String> {
        self.is_over.store(true, Relaxed);
        for task in load {
            task.await.expect("it ends");
        }
        self.failed.lock().expect("not poisoned").clone()
    }
}

/// The length of the drain: long enough that each node's readiness is polled in between, even on a busy machine.
const DRAIN: (&str, &str) = ("SPORTS_HTTP__DRAIN", "4s");

async fn stopped(node: Service) {
    node.signal("TERM");
    let ended = spawn_blocking(move || node.ended()).await.expect("waited for");
    assert!(ended.success(), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_rolling_upgrade_of_three_nodes_under_load_shows_no_error() {
    let Some(site) = Cluster::site() else { return };
    site.publish_fixture("nfl-2023-week-18");
    let Cluster { site, nodes, .. } = Cluster::start(site, &[DRAIN]).await;
    let balancer = Balancer::new(&site);
    for node in &nodes {
        balancer.add(node);
    }
    let load: Vec<_> = (0..8).map(|_| tokio::spawn(Arc::clone(&balancer).load())).collect();
    let mut upgraded = Vec::new();
    for old in nodes {
        balancer.until_answered(50).await;
        stopped(old).await;
        let new = site.serve_with(&[DRAIN]).await;
        balancer.add(&new);
        upgraded.push(new);
    }
    balancer.until_answered(50).await;
    assert_eq!(balancer.end(load).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_stopping_node_answers_every_request_that_was_sent_to_it_while_it_was_ready() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let node = site.serve_with(&[DRAIN]).await;
    let balancer = Balancer::new(&site);
    balancer.add(&node);
    let load: Vec<_> = (0..32).map(|_| tokio::spawn(Arc::clone(&balancer).load())).collect();
    balancer.until_answered(500).await;
    stopped(node).await;
    let failed = balancer.end(load).await;
    // Without its only node, a balancer has no ready node: there are no other failures.
    assert!(failed.iter().all(|failure| failure == "no node is ready"), "{failed:?}");
}
