use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeMetric, MetricEncoder, prometheus_text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

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
    pub(super) fn histogram(&mut self, name: &'static str, help: &str, histogram: &Histogram) {
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
pub(super) struct Source<S>(pub S);

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
