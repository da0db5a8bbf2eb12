//! What Prometheus reads: counts of requests and of what became of them, and figures of parts that are asked for theirs when
//! they are read.
//!
//! A request costs some additions to numbers that its worker and its route have for themselves. Without `metrics.bind` there
//! is no [`Metrics`], and nothing is counted here.

mod decisions;
mod exposition;
mod histogram;
pub mod process;
mod requests;

use std::sync::{Mutex, PoisonError};

use actix_web::HttpRequest;
use actix_web::web::Data;

pub use decisions::{Decision, Decisions};
pub use exposition::{Exposition, Family, Kind};
pub use requests::{Requests, Route};

use crate::build::{COMMIT, VERSION};

type Source = Box<dyn Fn(&mut Exposition) + Send + Sync>;

/// Everything that is measured.
#[derive(Default)]
pub struct Metrics {
    /// Requests by route.
    pub requests: Requests,
    /// What limits decided.
    pub decisions: Decisions,
    sources: Mutex<Vec<Source>>,
}

impl Metrics {
    /// Counts what a limit decided about a request, where anything is counted.
    pub fn decided(request: &HttpRequest, decision: Decision) {
        if let Some(metrics) = request.app_data::<Data<Self>>() {
            metrics.decisions.count(decision);
        }
    }

    /// Has a part asked for its figures whenever they are read.
    pub fn ask(&self, source: impl Fn(&mut Exposition) + Send + Sync + 'static) {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(source));
    }

    /// All figures as they are now, in the text format of Prometheus.
    #[must_use]
    pub fn expose(&self) -> String {
        let mut exposition = Exposition::default();
        exposition
            .family("sports_api_build_info", Kind::Gauge, "Which build this is; always 1.")
            .sample(&[("version", VERSION), ("commit", COMMIT)], 1);
        self.requests.expose(&mut exposition);
        self.decisions.expose(&mut exposition);
        for source in self.sources.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            source(&mut exposition);
        }
        exposition.into_text()
    }
}
