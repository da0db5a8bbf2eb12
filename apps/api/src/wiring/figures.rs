//! Figures of the parts for the metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use chrono::{DateTime, Utc};
use futures::FutureExt;
use sports_cache::Lookups;
use sports_domain::Sport;
use sports_ports::Clock;
use sports_usecases::data_status::LeagueStatus;
use sports_usecases::moment::LeagueMoment;
use sports_usecases::record::CurrentGenerations;

use sports_telemetry::metrics::{Exposition, Kind};

/// Returns a source of figures about the current generation of each league that has one.
pub(super) fn publication(
    generations: &Arc<CurrentGenerations>,
    clock: &Arc<dyn Clock>,
) -> impl Fn(&mut Exposition<'_>) + Send + Sync + use<> {
    let (generations, clock) = (Arc::clone(generations), Arc::clone(clock));
    move |exposition| {
        let current = |sport| Some((sport, generations.current(sport).ok()??));
        let current: Vec<_> = Sport::ALL.into_iter().filter_map(current).collect();
        let help = "The generation that is current on this node.";
        let mut family = exposition.family("publication_generation", Kind::Gauge, help);
        for (sport, generation) in &current {
            family.sample(&[("sport", sport.code())], generation.catalog().generation.get());
        }
        let help = "Time since the current generation was published.";
        let mut family = exposition.family("publication_age_seconds", Kind::Gauge, help);
        for (sport, generation) in &current {
            family.sample(&[("sport", sport.code())], seconds(clock.now(), generation.catalog().published_at));
        }
        let help = "1 while today's slate is served or none is due, as `operational` of the data status, else 0.";
        let mut family = exposition.family("data_operational", Kind::Gauge, help);
        for (sport, generation) in current {
            let moment = LeagueMoment::current(sport, Some(generation), clock.now());
            // Everything that a current generation needs is in memory.
            if let Some(Ok(status)) = LeagueStatus::at(moment).now_or_never() {
                family.sample(&[("sport", sport.code())], u32::from(status.verdict.operational()));
            }
        }
    }
}

fn seconds(now: DateTime<Utc>, then: DateTime<Utc>) -> f64 {
    (now - then).as_seconds_f64()
}

/// Returns a source of figures about lookups in caches, by their names.
pub(super) fn caches(caches: [(&'static str, Lookups); 3]) -> impl Fn(&mut Exposition<'_>) + Send + Sync {
    move |exposition| {
        let help = "Lookups in caches, by whether they found something or had to load or make it.";
        let mut family = exposition.family("cache_requests_total", Kind::Counter, help);
        for (cache, lookups) in &caches {
            family.sample(&[("cache", cache), ("result", "hit")], lookups.hits());
            family.sample(&[("cache", cache), ("result", "miss")], lookups.misses());
        }
    }
}

/// Returns a source of the number of keys that expire soon.
pub(super) fn expiring_keys(number: Arc<AtomicUsize>) -> impl Fn(&mut Exposition<'_>) + Send + Sync {
    move |exposition| {
        let help = "Active API keys that expire within 14 days, counted once a minute.";
        exposition.family("api_keys_expiring", Kind::Gauge, help).sample(&[], number.load(Relaxed));
    }
}

/// Returns a source of the number of counts that are not recorded yet.
pub(super) fn pending(counts: impl Fn() -> u64 + Send + Sync) -> impl Fn(&mut Exposition<'_>) + Send + Sync {
    move |exposition| {
        let help = "Counts of calls, each of a customer and a month, that are not on record yet.";
        exposition.family("counts_pending", Kind::Gauge, help).sample(&[], counts());
    }
}
