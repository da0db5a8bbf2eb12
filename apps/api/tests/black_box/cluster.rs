//! Several servers as the nodes of one service, and failures of the parts that they share.

mod accounts;
mod database_away;
mod lifecycle;
mod limits;
mod limits_away;
mod models;
mod postgres_tls;
mod proxy;
mod record;
mod settings;
mod store;
mod store_away;
mod store_of_the_past;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::Postgres;
use tokio::time::Instant;

use crate::service::{Service, Site};

const SPORTS: &str = "/api/v1/sports";
const RESULTS: &str = "/api/v1/results/nfl/over_under";

/// The time limit for requests that do not need a part that is away.
const AT_ONCE: Duration = Duration::from_secs(2);

/// The time limit for the refusal of requests that need the part, and for its report in health.
const REFUSED: Duration = Duration::from_secs(10);

/// The time limit for full recovery once the part is back.
const RECOVERED: Duration = Duration::from_secs(15);

/// The time limit for a change through one node to be visible on the others.
const SHOWN: Duration = Duration::from_secs(2);

/// Awaits some work, and asserts that it took no longer than the limit.
async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let outcome = work.await;
    assert!(started.elapsed() < limit, "{what} took {:?}", started.elapsed());
    outcome
}

/// The nodes of one service, used in turn.
pub struct Cluster {
    pub site: Site,
    pub nodes: Vec<Service>,
    next: AtomicUsize,
}

impl Cluster {
    /// Creates a service whose nodes share a new database on PostgreSQL, if one is available.
    pub fn site() -> Option<Site> {
        Some(Site::at(TestFolder::fresh().with("SPORTS_DATABASE__URL", Postgres::database()?)))
    }

    /// Starts three nodes with these variables besides those of the site, and waits until they are ready.
    pub async fn start(site: Site, variables: &[(&str, &str)]) -> Self {
        let nodes = join_all((0..3).map(|_| site.serve_with(variables))).await;
        Self { site, nodes, next: AtomicUsize::new(0) }
    }

    /// Returns the node whose turn it is.
    pub fn next(&self) -> &Service {
        &self.nodes[self.next.fetch_add(1, Ordering::Relaxed) % self.nodes.len()]
    }
}

/// A client that knows the addresses of all nodes finds the same service at each.
#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn every_node_accepts_a_key_that_was_issued_through_another() {
    let Some(site) = Cluster::site() else { return };
    let cluster = Cluster::start(site, &[]).await;
    for _ in 0..6 {
        assert_eq!(cluster.next().get(SPORTS).await.status, 200);
    }
}
