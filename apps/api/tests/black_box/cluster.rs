//! Several servers, the nodes of one service, and what becomes of it when a part that they share fails.

mod accounts;
mod database_away;
mod lifecycle;
mod limits;
mod limits_away;
mod postgres_tls;
mod proxy;
mod settings;
mod store;
mod store_away;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sports_testkit::programs::Place;
use sports_testkit::services::Postgres;
use tokio::time::Instant;

use crate::service::{Service, Site};

const SPORTS: &str = "/api/v1/sports";
const RESULTS: &str = "/api/v1/results/nfl/over_under";

/// While a part is away, what does not need it is answered within this time,
const AT_ONCE: Duration = Duration::from_secs(2);

/// and what needs it is refused within this one, in which health says so, too.
const REFUSED: Duration = Duration::from_secs(10);

/// After a part is back, everything works within this time.
const RECOVERED: Duration = Duration::from_secs(15);

/// What is changed through one node shows on the others within this time.
const SHOWN: Duration = Duration::from_secs(2);

/// What came of some work, which took no longer than promised.
async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let outcome = work.await;
    assert!(started.elapsed() < limit, "{what} took {:?}", started.elapsed());
    outcome
}

/// The nodes of one service, asked in turn.
pub struct Cluster {
    pub site: Site,
    pub nodes: Vec<Service>,
    next: AtomicUsize,
}

impl Cluster {
    /// A service whose nodes share a new database on PostgreSQL, where there is one.
    pub fn site() -> Option<Site> {
        Some(Site::at(Place::fresh().with("SPORTS_DATABASE__URL", Postgres::database()?)))
    }

    /// Three nodes that are ready, with these variables besides those of the site.
    pub async fn start(site: Site, variables: &[(&str, &str)]) -> Self {
        let nodes = join_all((0..3).map(|_| site.serve_with(variables))).await;
        Self { site, nodes, next: AtomicUsize::new(0) }
    }

    /// The node whose turn it is.
    pub fn next(&self) -> &Service {
        &self.nodes[self.next.fetch_add(1, Ordering::Relaxed) % self.nodes.len()]
    }
}

/// A client that knows the addresses of all nodes finds the same service at each.
#[tokio::test]
async fn every_node_answers_a_key_that_was_issued_elsewhere() {
    let Some(site) = Cluster::site() else { return };
    let cluster = Cluster::start(site, &[]).await;
    for _ in 0..6 {
        assert_eq!(cluster.next().get(SPORTS).await.status, 200);
    }
}
