use std::time::Duration;

use prometheus_client::metrics::histogram::Histogram;

use super::exposition::Exposition;

/// The upper bounds of the buckets, in seconds: a response from memory takes some tens of microseconds, a season from a slow
/// store takes seconds.
const BOUNDS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0,
    2.5, 5.0, 10.0,
];

/// Returns a histogram of durations in seconds.
pub(super) fn durations() -> Histogram {
    Histogram::new(BOUNDS)
}

/// The durations of one kind of work, as a metric without labels.
#[derive(Debug)]
pub struct Timings(Histogram);

impl Default for Timings {
    fn default() -> Self {
        Self(durations())
    }
}

impl Timings {
    /// Counts a duration.
    pub fn observe(&self, duration: Duration) {
        self.0.observe(duration.as_secs_f64());
    }

    /// Writes the metric.
    pub fn expose(&self, exposition: &mut Exposition<'_>, name: &'static str, help: &str) {
        exposition.histogram(name, help, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_every_bucket_whose_bound_it_does_not_pass() {
        let timings = Timings::default();
        for micros in [25, 26, 100, 101, 1_000_000, 10_000_001] {
            timings.observe(Duration::from_micros(micros));
        }
        let text = Exposition::text_of(move |exposition| timings.expose(exposition, "d_seconds", "D."));
        let counts = [("2.5e-05", 1), ("5e-05", 2), ("0.0001", 3), ("0.00025", 4), ("1", 5), ("10", 5), ("+Inf", 6)];
        for (bound, count) in counts {
            let line = format!("d_seconds_bucket{{le=\"{bound}\"}} {count}\n");
            assert!(text.contains(&line), "{line}{text}");
        }
        assert!(text.contains("d_seconds_sum 11.00025") && text.ends_with("d_seconds_count 6\n"), "{text}");
    }
}
