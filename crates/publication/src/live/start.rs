use chrono::{DateTime, Utc};
use sports_domain::{GameKey, eastern_date, eastern_instant};

/// Whether a game has started at an instant, by its own announced start; one without a known time
/// has when its Eastern day is over.
#[must_use]
pub fn has_started(key: &GameKey, now: DateTime<Utc>) -> bool {
    match key.time {
        Some(time) => eastern_instant(key.date, time) <= now,
        None => key.date < eastern_date(now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::key;

    #[test]
    fn a_game_has_started_at_its_eastern_start() {
        let game = key("2024-11-24", "13:00:00", "away", "home");
        let at = |instant: &str| has_started(&game, instant.parse().expect("an instant"));
        assert!(!at("2024-11-24T17:59:59.999Z"));
        assert!(at("2024-11-24T18:00:00Z"));
        let untimed = GameKey { time: None, ..game };
        let at = |instant: &str| has_started(&untimed, instant.parse().expect("an instant"));
        assert!(!at("2024-11-25T04:59:59Z"));
        assert!(at("2024-11-25T05:00:00Z"));
    }
}
