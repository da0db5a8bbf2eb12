use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::exposition::{Exposition, Family, Kind};

/// The upper bounds of the buckets, in nanoseconds: a response from memory takes some tens of microseconds, a season from a
/// slow store takes seconds.
const BOUNDS: [u64; 18] = [
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000,
    5_000_000_000,
    10_000_000_000,
];

/// Counts of durations by length.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// The count for each bound: durations up to it and above the previous one. The last count has no bound.
    counts: [AtomicU64; BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
}

/// The sum of several histograms at one time.
#[derive(Debug, Default)]
pub(super) struct Durations {
    counts: [u64; BOUNDS.len() + 1],
    nanoseconds: u64,
}

impl Histogram {
    /// Counts a duration.
    pub(super) fn observe(&self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| *bound < nanoseconds);
        self.counts[bucket].fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }

    /// Adds the counts to a sum.
    pub(super) fn add_to(&self, sum: &mut Durations) {
        for (sum, count) in sum.counts.iter_mut().zip(&self.counts) {
            *sum += count.load(Relaxed);
        }
        sum.nanoseconds += self.nanoseconds.load(Relaxed);
    }
}

impl Durations {
    /// Writes the samples, each with the labels.
    pub(super) fn expose(&self, family: &mut Family<'_>, labels: &[(&str, &str)]) {
        let mut so_far = 0;
        for (bound, count) in BOUNDS.iter().zip(self.counts) {
            so_far += count;
            family.part("_bucket", &[labels, &[("le", &Seconds(*bound).to_string())]].concat(), so_far);
        }
        so_far += self.counts[BOUNDS.len()];
        family.part("_bucket", &[labels, &[("le", "+Inf")]].concat(), so_far);
        family.part("_sum", labels, Seconds(self.nanoseconds));
        family.part("_count", labels, so_far);
    }
}

/// The durations of one kind of work, as a metric without labels.
#[derive(Debug, Default)]
pub struct Timings(Histogram);

impl Timings {
    /// Counts a duration.
    pub fn observe(&self, duration: Duration) {
        self.0.observe(duration);
    }

    /// Writes the metric.
    pub fn expose(&self, exposition: &mut Exposition, name: &'static str, help: &str) {
        let mut sum = Durations::default();
        self.0.add_to(&mut sum);
        sum.expose(&mut exposition.family(name, Kind::Histogram, help), &[]);
    }
}

/// Nanoseconds that are written as seconds, to the last digit.
struct Seconds(u64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = format!("{}.{:09}", self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        f.write_str(digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_every_bucket_whose_bound_it_does_not_pass() {
        let histogram = Histogram::default();
        for micros in [25, 26, 1_000_000, 10_000_001] {
            histogram.observe(Duration::from_micros(micros));
        }
        histogram.observe(Duration::from_nanos(100_001));
        let mut durations = Durations::default();
        histogram.add_to(&mut durations);
        let mut exposition = Exposition::default();
        durations.expose(&mut exposition.family("d_seconds", Kind::Histogram, "D."), &[("route", "/")]);
        let text = exposition.into_text();
        let counts = [("0.000025", 1), ("0.00005", 2), ("0.0001", 2), ("0.00025", 3), ("1", 4), ("10", 4), ("+Inf", 5)];
        for (bound, count) in counts {
            let line = format!("d_seconds_bucket{{route=\"/\",le=\"{bound}\"}} {count}\n");
            assert!(text.contains(&line), "{line}{text}");
        }
        assert!(text.ends_with("d_seconds_sum{route=\"/\"} 11.000152001\nd_seconds_count{route=\"/\"} 5\n"), "{text}");
    }
}
