//! Several servers, the nodes of one service, and what becomes of it when a part that they share fails.

mod lifecycle;
mod store;

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;
use sports_testkit::programs::Place;
use sports_testkit::services::Postgres;

use crate::service::{Service, Site};

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
        assert_eq!(cluster.next().get("/api/v1/sports").await.status, 200);
    }
    drop(cluster.site);
}
