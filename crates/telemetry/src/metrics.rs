//! Metrics for Prometheus: counts of requests and of the decisions of limits, and figures that other parts write when they
//! are read.
//!
//! A request costs some additions to counters of its route, also where nobody reads them.

mod decisions;
mod exposition;
mod histogram;
pub mod process;
mod requests;

use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::prometheus_text;
use prometheus_client::registry::Registry;

pub use decisions::{Decision, Decisions};
use exposition::Source;
pub use exposition::{Exposition, Family, Kind};
pub use histogram::Timings;
pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
pub use requests::{Requests, Route};

/// All metrics of the program.
pub struct Metrics {
    /// Requests by route.
    pub requests: Requests,
    /// Decisions of limits.
    pub decisions: Arc<Decisions>,
    registry: Mutex<Registry>,
}

impl Default for Metrics {
    fn default() -> Self {
        let (requests, decisions, mut registry) =
            (Requests::default(), Arc::<Decisions>::default(), Registry::default());
        requests.register(&mut registry);
        let metrics = Self { requests, decisions: Arc::clone(&decisions), registry: Mutex::new(registry) };
        metrics.add_source(move |exposition| decisions.expose(exposition));
        metrics
    }
}

impl Metrics {
    /// Adds a source that writes its figures whenever the metrics are read.
    pub fn add_source(&self, source: impl Fn(&mut Exposition<'_>) + Send + Sync + 'static) {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        registry.register_collector(Box::new(Source(source)));
    }

    /// Returns the current figures in the text format of Prometheus.
    pub fn expose(&self) -> String {
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a string cannot fail.
        let _ = prometheus_text::encode(&mut text, &registry);
        text
    }
}
