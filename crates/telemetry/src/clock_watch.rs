use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use sports_ports::{Clock, LEAD_TIMEOUT, Lead};

use crate::background::{BackgroundTasks, Pulse};
use crate::metrics::{Exposition, Kind};

/// A watch on the clock of the service. It reports a date that does not advance because the machine's clock was set back: in the
/// log, in health and as metrics.
#[derive(Clone)]
pub struct ClockWatch {
    clock: Arc<dyn Clock>,
    set_back: Arc<AtomicU64>,
}

impl ClockWatch {
    /// The time between two readings.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// Watches a clock for as long as the runtime lives.
    pub fn start(clock: Arc<dyn Clock>, tasks: &BackgroundTasks) -> Self {
        let watch = Self { clock, set_back: Arc::default() };
        let watching = watch.clone();
        drop(tasks.supervise("clock", move |pulse| watching.clone().run(pulse)));
        watch
    }

    async fn run(self, pulse: Pulse) {
        let mut before = None;
        loop {
            before = self.log_transition(before);
            pulse.beat();
            tokio::time::sleep(Self::INTERVAL).await;
        }
    }

    /// Logs a lead that begins or ends, and counts those that begin; returns the current one.
    fn log_transition(&self, before: Option<Lead>) -> Option<Lead> {
        let lead = self.clock.lead();
        match (&before, &lead) {
            (None, Some(lead)) => {
                self.set_back.fetch_add(1, Relaxed);
                tracing::warn!("{}", sentence(lead));
            }
            (Some(_), None) => {
                let now = self.clock.now().to_rfc3339();
                tracing::warn!(now, "the service date follows the system clock again: it is {now}");
            }
            _ => {}
        }
        lead
    }

    /// Returns the check of the clock for the health routes.
    pub fn restriction_check(&self) -> impl Fn() -> Option<String> + Send + Sync + use<> {
        let clock = Arc::clone(&self.clock);
        move || clock.lead().as_ref().map(sentence)
    }

    /// Writes the metrics.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Seconds by which the service date is ahead of the system clock, which was set back.";
        let ahead = self.clock.lead().map_or(0.0, |lead| lead.ahead.as_secs_f64());
        exposition.family("clock_ahead_seconds", Kind::Gauge, help).sample(&[], ahead);
        let help = "Times that the system clock was found behind the service date.";
        exposition.family("clock_set_back_total", Kind::Counter, help).sample(&[], self.set_back.load(Relaxed));
    }
}

fn sentence(lead: &Lead) -> String {
    let (ahead, left) = (lead.ahead.as_secs(), LEAD_TIMEOUT.saturating_sub(lead.lasting).as_secs());
    format!(
        "The system clock is {ahead} s behind the service date, which stands still; if it stays behind, the date goes \
         back to it in {left} s"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_described_by_its_size_and_the_time_that_is_left() {
        let lead = Lead { ahead: Duration::from_millis(3_600_900), lasting: Duration::from_secs(90) };
        let expected = "The system clock is 3600 s behind the service date, which stands still; if it stays behind, the \
                        date goes back to it in 510 s";
        assert_eq!(sentence(&lead), expected);
    }
}
