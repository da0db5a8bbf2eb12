use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::durations;

/// A route of one worker.
#[derive(Debug, Clone)]
pub struct Route(Rc<Known>);

#[derive(Debug)]
struct Known {
    pattern: String,
    figures: OnceCell<Figures>,
}

/// The figures of a route, as far as a worker has used them: looking them up takes a lock of all workers.
#[derive(Debug)]
struct Figures {
    by_status: RefCell<Vec<(u16, Counter)>>,
    durations: Histogram,
}

impl Route {
    /// The name for requests without a route.
    pub const NONE: &'static str = "-";

    /// Creates a route with a pattern, such as `/api/v1/strategies/{sport}`.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(Rc::new(Known { pattern: pattern.into(), figures: OnceCell::new() }))
    }

    /// Returns the pattern, which contains nothing that a client sent.
    pub fn pattern(&self) -> &str {
        &self.0.pattern
    }
}

/// Counts of responses.
#[derive(Debug, Clone)]
pub struct Requests {
    by_status: Family<[(&'static str, String); 2], Counter>,
    durations: DurationsByRoute,
}

type DurationsByRoute = Family<[(&'static str, String); 1], Histogram, fn() -> Histogram>;

impl Default for Requests {
    fn default() -> Self {
        Self { by_status: Family::default(), durations: Family::new_with_constructor(durations) }
    }
}

impl Requests {
    /// Counts a response with its route, if there is one, its status and its time.
    pub fn count(&self, route: Option<&Route>, status: u16, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let Some(Route(known)) = route else {
            self.counter(Route::NONE, status).inc();
            return self.histogram(Route::NONE).observe(seconds);
        };
        let Figures { by_status, durations } = known
            .figures
            .get_or_init(|| Figures { by_status: RefCell::default(), durations: self.histogram(&known.pattern) });
        durations.observe(seconds);
        let mut by_status = by_status.borrow_mut();
        if let Some((_, counter)) = by_status.iter().find(|(of, _)| *of == status) {
            counter.inc();
        } else {
            let counter = self.counter(&known.pattern, status);
            counter.inc();
            by_status.push((status, counter));
        }
    }

    fn counter(&self, route: &str, status: u16) -> Counter {
        self.by_status.get_or_create_owned(&[("route", route.to_owned()), ("status", status.to_string())])
    }

    fn histogram(&self, route: &str) -> Histogram {
        self.durations.get_or_create_owned(&[("route", route.to_owned())])
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Requests that were answered, by route and status";
        registry.register("http_requests", help, self.by_status.clone());
        let help = "From a request's head to its answer's: a body that the client takes slowly is not part of it";
        registry.register("http_request_duration_seconds", help, self.durations.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Metrics;

    #[test]
    fn figures_of_a_route_are_the_sum_over_workers() {
        let metrics = Metrics::default();
        let workers = [Route::new("/a/{b}"), Route::new("/a/{b}")];
        for route in [Some(&workers[0]), Some(&workers[1]), Some(&workers[0]), None] {
            metrics.requests.count(route, 200, Duration::from_millis(3));
        }
        metrics.requests.count(Some(&workers[0]), 404, Duration::from_millis(3));
        let text = metrics.expose();
        for line in [
            r#"http_requests_total{route="/a/{b}",status="200"} 3"#,
            r#"http_requests_total{route="/a/{b}",status="404"} 1"#,
            r#"http_requests_total{route="-",status="200"} 1"#,
            r#"http_request_duration_seconds_count{route="/a/{b}"} 4"#,
            r#"http_request_duration_seconds_bucket{route="/a/{b}",le="0.005"} 4"#,
        ] {
            assert!(text.contains(line), "{line} {text}");
        }
    }
}
