//! New odds every two hours, and predictions rebuilt on them soon after.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::Clock;

use super::publisher::DemoPublisher;

/// How often a demo publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// Once in this time.
    Every(Duration),
    /// Never again once the world is on air.
    Off,
    /// A morning's releases at their times of day, and then no more.
    Stopped,
}

impl FromStr for Cycle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => return Ok(Self::Off),
            "stopped" => return Ok(Self::Stopped),
            _ => {}
        }
        let period = humantime::parse_duration(text)
            .map_err(|error| format!("expected a duration, `stopped` or `off`: {error}"))?;
        if period < SHORTEST {
            return Err(format!("expected {} or more, `stopped` or `off`", humantime::format_duration(SHORTEST)));
        }
        Ok(Self::Every(period))
    }
}

const SHORTEST: Duration = Duration::from_secs(1);

/// How long predictions take to follow new odds, in a cycle long enough.
const REBUILD: Duration = Duration::from_mins(1);

/// Publishes forever. What goes wrong once is said and tried again in the next cycle.
pub(super) async fn run(publisher: DemoPublisher, clock: Arc<dyn Clock>, period: Duration) {
    let rebuild = REBUILD.min(period / 4);
    loop {
        tokio::time::sleep(period.saturating_sub(rebuild)).await;
        for sport in Sport::ALL {
            report(sport, publisher.settle(sport, clock.now()).await);
            report(sport, publisher.refresh_odds(sport, clock.now()).await);
        }
        tokio::time::sleep(rebuild).await;
        for sport in Sport::ALL {
            report(sport, publisher.rebuild(sport, clock.now()).await);
        }
    }
}

/// How often it is looked whether the next release of a morning is due.
const LOOK: Duration = Duration::from_secs(2);

/// Publishes what mornings bring, when its time has come. What goes wrong is tried again at each look, and said
/// when it is something new.
pub(super) async fn mornings(publisher: DemoPublisher, clock: Arc<dyn Clock>) {
    let mut said = HashMap::new();
    loop {
        tokio::time::sleep(LOOK).await;
        for sport in Sport::ALL {
            let outcome = publisher.morning(sport, clock.now()).await;
            let wrong = outcome.as_ref().err().map(ToString::to_string);
            if said.insert(sport, wrong.clone()).flatten() != wrong {
                report(sport, outcome);
            }
        }
    }
}

fn report(sport: Sport, published: Result<(), super::Failure>) {
    if let Err(error) = published {
        tracing::warn!(%sport, error = sports_ports::in_one_line(&*error), "the demo could not publish");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_a_duration_or_a_word() {
        assert_eq!("2h".parse(), Ok(Cycle::Every(Duration::from_hours(2))));
        assert_eq!("off".parse(), Ok(Cycle::Off));
        assert_eq!("stopped".parse(), Ok(Cycle::Stopped));
        for text in ["", "0s", "10ms", "often"] {
            assert!(text.parse::<Cycle>().is_err(), "{text}");
        }
    }
}
