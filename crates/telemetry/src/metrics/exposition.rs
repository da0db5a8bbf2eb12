use std::fmt::{Display, Write as _};

/// Figures in the text format of Prometheus, version 0.0.4.
#[derive(Debug, Default)]
pub struct Exposition(String);

/// The kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number that only grows, until the program is restarted.
    Counter,
    /// A number that goes up and down.
    Gauge,
    /// Counts of observations by size.
    Histogram,
}

/// One metric, whose samples differ in their labels.
#[derive(Debug)]
pub struct Family<'a> {
    text: &'a mut String,
    name: &'static str,
}

impl Exposition {
    /// Begins a metric. All of its samples follow each other in the text.
    pub fn family(&mut self, name: &'static str, kind: Kind, help: &str) -> Family<'_> {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        Family { text: &mut self.0, name }
    }

    /// Returns the whole text.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl Family<'_> {
    pub fn sample(&mut self, labels: &[(&str, &str)], value: impl Display) {
        self.part("", labels, value);
    }

    /// Adds a sample of one part of a histogram, such as `_bucket`.
    pub(super) fn part(&mut self, part: &str, labels: &[(&str, &str)], value: impl Display) {
        self.text.extend([self.name, part]);
        for (n, (label, value)) in labels.iter().enumerate() {
            let _ = write!(self.text, "{}{label}=\"{}\"", if n == 0 { '{' } else { ',' }, escaped(value));
        }
        let _ = writeln!(self.text, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_has_its_help_its_kind_and_its_samples() {
        let mut exposition = Exposition::default();
        exposition.family("games_total", Kind::Counter, "Games.").sample(&[], 3);
        let mut family = exposition.family("age_seconds", Kind::Gauge, "Age.");
        family.sample(&[("sport", "nfl"), ("note", "a \"b\" \\ c\nd")], 1.5);
        family.sample(&[("sport", "nba")], 2);
        let expected = "# HELP games_total Games.\n# TYPE games_total counter\ngames_total 3\n\
                        # HELP age_seconds Age.\n# TYPE age_seconds gauge\n\
                        age_seconds{sport=\"nfl\",note=\"a \\\"b\\\" \\\\ c\\nd\"} 1.5\n\
                        age_seconds{sport=\"nba\"} 2\n";
        assert_eq!(exposition.into_text(), expected);
    }
}
