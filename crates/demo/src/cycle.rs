//! The schedule of a demo's releases.

use std::str::FromStr;
use std::time::Duration;

/// The schedule of a demo's releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// Releases with this period.
    Every(Duration),
    /// No releases after the world is published.
    Off,
    /// One morning's releases at their times of day, and none after them.
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
