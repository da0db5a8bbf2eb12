//! Nodes behind nginx with the configuration of `deploy/nginx/sports.conf`.

use std::fs;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use reqwest::Method;
use tokio::task::{JoinHandle, spawn_blocking};

use super::Cluster;
use super::accounts::KEYS;
use crate::proxies::Nginx;
use crate::service::{Service, Site, eventually};

/// A drain longer than the proxy keeps idle connections, or none: in the second case nodes close connections that the
/// proxy keeps.
const DRAINS: [(&str, &str); 2] = [("SPORTS_HTTP__DRAIN", "6s"), ("SPORTS_HTTP__DRAIN", "0s")];

/// The variable with the number of rolling restarts, and the number without it.
const RESTARTS: (&str, usize) = ("ROLLING_RESTARTS", 2);

/// Clients that send one request after the other through the proxy and retry nothing.
struct Load {
    proxy: Arc<Nginx>,
    key: String,
    succeeded: AtomicUsize,
    failed: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Load {
    fn begin(proxy: &Arc<Nginx>, key: &str, clients: usize) -> (Arc<Self>, Vec<JoinHandle<()>>) {
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
            let failure = match self.proxy.send_over_http1(&path, &self.key).await {
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
    let Some(proxy) = Nginx::before(&addresses).await else { return };
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
    let own = lines.filter(|line| line.contains(" ERROR ") || line.contains(" WARN sports_"));
    // The limits of tests are wider than an operator's, and these servers have no Redis.
    let expected = ["`limits.failed_keys_per_second` is above", "limits.redis is not set"];
    own.filter(|line| !expected.iter().any(|part| line.contains(part))).collect()
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
    let Some(proxy) = Nginx::before(&[address, node.address()]).await else { return };
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
