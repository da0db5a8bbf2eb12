use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::exposition::{Exposition, Kind};
use super::histogram::{Durations, Histogram};

/// A route of one worker.
#[derive(Debug, Clone)]
pub struct Route(Rc<Known>);

#[derive(Debug)]
struct Known {
    pattern: String,
    figures: OnceCell<Arc<Figures>>,
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

/// Counts of responses. Each route of each worker has figures of its own, so that counting takes no lock; reading adds them
/// up.
#[derive(Debug)]
pub struct Requests {
    all: Mutex<Vec<Arc<Figures>>>,
    unrouted: Arc<Figures>,
}

/// The figures of one route of one worker.
#[derive(Debug)]
struct Figures {
    pattern: String,
    by_status: [AtomicU64; STATUSES.len() + 1],
    durations: Histogram,
}

/// The statuses that the service sends. Any other is counted as `other`.
const STATUSES: [u16; 22] =
    [200, 304, 401, 429, 404, 403, 400, 201, 204, 206, 307, 405, 406, 408, 409, 412, 413, 415, 416, 431, 500, 503];

impl Default for Requests {
    fn default() -> Self {
        let unrouted = Arc::new(Figures::new(Route::NONE));
        Self { all: Mutex::new(vec![Arc::clone(&unrouted)]), unrouted }
    }
}

impl Figures {
    fn new(pattern: &str) -> Self {
        Self { pattern: pattern.to_owned(), by_status: Default::default(), durations: Histogram::default() }
    }

    fn count(&self, status: u16, duration: Duration) {
        let index = STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len());
        self.by_status[index].fetch_add(1, Relaxed);
        self.durations.observe(duration);
    }
}

impl Requests {
    /// Counts a response with its route, if there is one, its status and its time.
    pub fn count(&self, route: Option<&Route>, status: u16, duration: Duration) {
        let figures = route.map(|Route(known)| known.figures.get_or_init(|| self.add(&known.pattern)));
        figures.unwrap_or(&self.unrouted).count(status, duration);
    }

    fn add(&self, pattern: &str) -> Arc<Figures> {
        let figures = Arc::new(Figures::new(pattern));
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&figures));
        figures
    }

    pub(super) fn expose(&self, exposition: &mut Exposition) {
        let mut by_route = BTreeMap::<String, ([u64; STATUSES.len() + 1], Durations)>::new();
        for figures in self.all.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let (statuses, durations) = by_route.entry(figures.pattern.clone()).or_default();
            for (sum, count) in statuses.iter_mut().zip(&figures.by_status) {
                *sum += count.load(Relaxed);
            }
            figures.durations.add_to(durations);
        }
        let help = "Requests that were answered, by route and status.";
        let mut family = exposition.family("http_requests_total", Kind::Counter, help);
        for (route, (statuses, _)) in &by_route {
            let names = STATUSES.iter().map(u16::to_string).chain(["other".to_owned()]);
            for (status, count) in names.zip(statuses).filter(|(_, count)| **count > 0) {
                family.sample(&[("route", route), ("status", &status)], count);
            }
        }
        let help = "From a request's head to its answer's: a body that the client takes slowly is not part of it.";
        let mut family = exposition.family("http_request_duration_seconds", Kind::Histogram, help);
        for (route, (_, durations)) in &by_route {
            durations.expose(&mut family, &[("route", route)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_route_are_the_sum_over_workers() {
        let requests = Requests::default();
        let workers = [Route::new("/a/{b}"), Route::new("/a/{b}")];
        for route in [Some(&workers[0]), Some(&workers[1]), Some(&workers[0]), None] {
            requests.count(route, 200, Duration::from_millis(3));
        }
        requests.count(Some(&workers[0]), 418, Duration::from_millis(3));
        let mut exposition = Exposition::default();
        requests.expose(&mut exposition);
        let text = exposition.into_text();
        for line in [
            r#"http_requests_total{route="/a/{b}",status="200"} 3"#,
            r#"http_requests_total{route="/a/{b}",status="other"} 1"#,
            r#"http_requests_total{route="-",status="200"} 1"#,
            r#"http_request_duration_seconds_count{route="/a/{b}"} 4"#,
        ] {
            assert!(text.contains(line), "{line} {text}");
        }
    }
}
