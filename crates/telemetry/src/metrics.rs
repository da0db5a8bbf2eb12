//! Metrics for Prometheus: counts of requests and of the decisions of limits, and figures that other parts write when they
//! are read.
//!
//! A request costs some additions to counters of its worker and its route. Without `metrics.bind` there is no [`Metrics`],
//! and nothing is counted here.

mod decisions;
mod exposition;
mod histogram;
pub mod process;
mod requests;

use std::sync::{Mutex, PoisonError};

pub use decisions::{Decision, Decisions};
pub use exposition::{Exposition, Family, Kind};
pub use histogram::Timings;
pub use requests::{Requests, Route};

type Source = Box<dyn Fn(&mut Exposition) + Send + Sync>;

/// All metrics of the program.
#[derive(Default)]
pub struct Metrics {
    /// Requests by route.
    pub requests: Requests,
    /// Decisions of limits.
    pub decisions: Decisions,
    sources: Mutex<Vec<Source>>,
}

impl Metrics {
    /// Adds a source that writes its figures whenever the metrics are read.
    pub fn add_source(&self, source: impl Fn(&mut Exposition) + Send + Sync + 'static) {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(source));
    }

    /// Returns the current figures in the text format of Prometheus.
    pub fn expose(&self) -> String {
        let mut exposition = Exposition::default();
        self.requests.expose(&mut exposition);
        self.decisions.expose(&mut exposition);
        for source in self.sources.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            source(&mut exposition);
        }
        exposition.into_text()
    }
}
