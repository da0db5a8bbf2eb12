//! Metrics for Prometheus: counts of requests and of the decisions of limits, and figures that other parts write when they
//! are read.
//!
//! A request costs some additions to counters of its route, also where nobody reads them.

mod requests;

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeMetric, MetricEncoder, prometheus_text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

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

/// The decision of a limit about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The call may proceed.
    Admitted,
    /// The customer has reached the limit of calls within a second.
    Second,
    /// The customer has reached the quota of the month.
    Month,
    /// The address has reached the limit of calls without a key within a second.
    Address,
    /// The address has reached the limit of calls with invalid keys within a second.
    FailedKeys,
}

impl Decision {
    const ALL: [(Self, &str); 5] = [
        (Self::Admitted, "admitted"),
        (Self::Second, "second"),
        (Self::Month, "month"),
        (Self::Address, "address"),
        (Self::FailedKeys, "failed_keys"),
    ];
}

/// The number of decisions of each kind.
#[derive(Debug, Default)]
pub struct Decisions([AtomicU64; Decision::ALL.len()]);

impl Decisions {
    pub fn count(&self, decision: Decision) {
        self.0[decision as usize].fetch_add(1, Relaxed);
    }

    fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Calls by what the limits decided about them.";
        let mut family = exposition.family("limiter_decisions_total", Kind::Counter, help);
        for (decision, name) in Decision::ALL {
            family.sample(&[("decision", name)], self.0[decision as usize].load(Relaxed));
        }
    }
}

/// The figures of one reading of the metrics, which sources write.
pub struct Exposition<'a>(DescriptorEncoder<'a>);

/// The kind of a metric with single numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number that only grows, until the program is restarted. Its name ends with `_total`.
    Counter,
    /// A number that goes up and down.
    Gauge,
}

/// One metric, whose samples differ in their labels.
pub struct Family<'a> {
    /// `None` once the text could not be written, which for a text in memory cannot happen.
    encoder: Option<MetricEncoder<'a>>,
    kind: Kind,
}

impl Exposition<'_> {
    /// Begins a metric.
    pub fn family(&mut self, name: &'static str, kind: Kind, help: &str) -> Family<'_> {
        // The library adds the ending of counters.
        let (name, of_library) = match kind {
            Kind::Counter => (name.strip_suffix("_total").unwrap_or(name), MetricType::Counter),
            Kind::Gauge => (name, MetricType::Gauge),
        };
        Family { encoder: self.0.encode_descriptor(name, help, None, of_library).ok(), kind }
    }

    /// Writes a metric that is a histogram.
    fn histogram(&mut self, name: &'static str, help: &str, histogram: &Histogram) {
        let encoder = self.0.encode_descriptor(name, help, None, MetricType::Histogram);
        let _ = encoder.and_then(|encoder| histogram.encode(encoder));
    }

    /// Returns the text of what a source writes.
    pub fn text_of(source: impl Fn(&mut Exposition<'_>) + Send + Sync + 'static) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Source(source)));
        let mut text = String::new();
        let _ = prometheus_text::encode(&mut text, &registry);
        text
    }
}

impl Family<'_> {
    pub fn sample(&mut self, labels: &[(&str, &str)], value: impl EncodeCounterValue + EncodeGaugeValue) {
        let Some(encoder) = &mut self.encoder else { return };
        let _ = encoder.encode_family(&labels).and_then(|encoder| match self.kind {
            Kind::Counter => ConstCounter::new(value).encode(encoder),
            Kind::Gauge => ConstGauge::new(value).encode(encoder),
        });
    }
}

/// A source of figures that are read when the metrics are.
struct Source<S>(pub S);

impl<S: Fn(&mut Exposition<'_>) + Send + Sync + 'static> Collector for Source<S> {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        (self.0)(&mut Exposition(encoder));
        Ok(())
    }
}

impl<S> fmt::Debug for Source<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Source")
    }
}

/// The upper bounds of the buckets, in seconds: a response from memory takes some tens of microseconds, a season from a slow
/// store takes seconds.
const BOUNDS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0,
    2.5, 5.0, 10.0,
];

/// Returns a histogram of durations in seconds.
fn durations() -> Histogram {
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

// Figures of the process, as the operating system counts them, under the names of Prometheus' client libraries.

/// Writes the figures of this process; nothing on systems other than Linux.
pub fn expose_process(exposition: &mut Exposition<'_>) {
    let Some(process) = Process::now() else { return };
    let mut number = |name, kind, help, value: Option<f64>| {
        if let Some(value) = value {
            exposition.family(name, kind, help).sample(&[], value);
        }
    };
    let cpu = "User and system CPU time spent, in seconds.";
    number("process_cpu_seconds_total", Kind::Counter, cpu, Some(process.cpu_seconds));
    let resident = "Resident memory size in bytes.";
    number("process_resident_memory_bytes", Kind::Gauge, resident, Some(process.resident_bytes));
    let virtual_memory = "Virtual memory size in bytes.";
    number("process_virtual_memory_bytes", Kind::Gauge, virtual_memory, Some(process.virtual_bytes));
    number("process_open_fds", Kind::Gauge, "Open file descriptors.", process.open_fds);
    number("process_max_fds", Kind::Gauge, "The limit of open file descriptors.", process.max_fds);
    number("process_threads", Kind::Gauge, "Threads of the process.", Some(process.threads));
    let start = "Start of the process, in seconds since 1970.";
    number("process_start_time_seconds", Kind::Gauge, start, process.start_seconds);
}

struct Process {
    cpu_seconds: f64,
    resident_bytes: f64,
    virtual_bytes: f64,
    threads: f64,
    open_fds: Option<f64>,
    max_fds: Option<f64>,
    start_seconds: Option<f64>,
}

#[cfg(target_os = "linux")]
impl Process {
    /// Reads `/proc`.
    fn now() -> Option<Self> {
        use std::fs;

        use rustix::param::{clock_ticks_per_second, page_size};
        use rustix::process::{Resource, getrlimit};

        // Ticks and pages are far below what a float holds exactly.
        let float = |text: &str| text.parse::<f64>().ok();
        let ticks = float(&clock_ticks_per_second().to_string())?;
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name in parentheses may have spaces and parentheses; the third field follows it.
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied().and_then(float);
        let booted = fs::read_to_string("/proc/stat").ok();
        let booted =
            booted.as_deref().and_then(|stat| float(stat.lines().find_map(|line| line.strip_prefix("btime "))?));
        // The count includes the descriptor of the folder that is read here.
        let open = fs::read_dir("/proc/self/fd").ok().map(|open| open.count().saturating_sub(1));
        Some(Self {
            cpu_seconds: (field(14)? + field(15)?) / ticks,
            resident_bytes: field(24)? * float(&page_size().to_string())?,
            virtual_bytes: field(23)?,
            threads: field(20)?,
            open_fds: open.and_then(|open| float(&open.to_string())),
            max_fds: getrlimit(Resource::Nofile).current.and_then(|most| float(&most.to_string())),
            start_seconds: booted.zip(field(22)).map(|(booted, started)| booted + started / ticks),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Process {
    const fn now() -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_decisions_is_in_the_order_of_their_numbers() {
        for (place, (decision, _)) in Decision::ALL.into_iter().enumerate() {
            assert_eq!(decision as usize, place);
        }
    }

    #[test]
    fn a_metric_has_its_help_its_kind_and_its_samples() {
        let text = Exposition::text_of(|exposition| {
            exposition.family("games_total", Kind::Counter, "Games.").sample(&[], 3_u64);
            let mut family = exposition.family("age_seconds", Kind::Gauge, "Age.");
            family.sample(&[("sport", "nfl"), ("note", "a \"b\" \\ c\nd")], 1.5);
            family.sample(&[("sport", "nba")], 2_u64);
        });
        let expected = "# HELP games_total Games.\n# TYPE games_total counter\ngames_total 3\n\
                        # HELP age_seconds Age.\n# TYPE age_seconds gauge\n\
                        age_seconds{sport=\"nfl\",note=\"a \\\"b\\\" \\\\ c\\nd\"} 1.5\n\
                        age_seconds{sport=\"nba\"} 2\n";
        assert_eq!(text, expected);
    }

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
