use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use opentelemetry::trace::{Span as _, Status};
use sports_ports::calls::CallObserver;

use crate::metrics::{Exposition, Kind};
use crate::trace::begin_call;

/// The services behind the ports, as their calls show them.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// The database of customers, keys and counts.
    pub database: Dependency,
    /// The store of published data.
    pub store: Dependency,
    /// The service that nodes share limits through.
    pub limits: Dependency,
    /// The prediction market.
    pub prices: Dependency,
}

impl Default for Dependencies {
    fn default() -> Self {
        let of = |name| Dependency { name, failures: Arc::default() };
        Self { database: of("database"), store: of("store"), limits: of("limits"), prices: of("prices") }
    }
}

impl Dependencies {
    /// Writes the number of failed calls of each.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Calls to a dependency that failed, also where a cache or another attempt made up for it.";
        let mut family = exposition.family("dependency_errors_total", Kind::Counter, help);
        let Self { database, store, limits, prices } = self;
        for Dependency { name, failures } in [database, store, limits, prices] {
            family.sample(&[("dependency", name)], failures.load(Relaxed));
        }
    }
}

/// One service. Its failed calls are counted beneath all caches, and a call of a recorded request is a span of its trace.
#[derive(Debug, Clone)]
pub struct Dependency {
    name: &'static str,
    failures: Arc<AtomicU64>,
}

impl Dependency {
    /// Counts a failure of a call that has no observer.
    pub fn count_failure(&self) {
        self.failures.fetch_add(1, Relaxed);
    }

    /// Returns an observer of its calls. The span of a call ends with the call.
    pub fn observer(&self) -> CallObserver {
        let dependency = self.clone();
        CallObserver::new(move || {
            let (dependency, mut span) = (dependency.clone(), begin_call(dependency.name));
            Box::new(move || {
                dependency.count_failure();
                if let Some(span) = &mut span {
                    span.set_status(Status::error(""));
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use sports_ports::calls::observed;

    use super::*;

    #[tokio::test]
    async fn failed_calls_are_counted_by_dependency_and_answers_are_not() {
        let dependencies = Dependencies::default();
        let store = dependencies.store.observer();
        let call = |answer: Result<u8, u8>| observed(&store, async move { answer }, |error| *error > 1);
        assert_eq!([call(Ok(3)).await, call(Err(1)).await, call(Err(2)).await], [Ok(3), Err(1), Err(2)]);
        let text = Exposition::text_of(move |exposition| dependencies.expose(exposition));
        assert!(text.contains("dependency=\"store\"} 1\n") && text.contains("dependency=\"database\"} 0\n"), "{text}");
    }
}
