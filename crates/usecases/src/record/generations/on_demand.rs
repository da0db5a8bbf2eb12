//! Polls on request, for answers that depend on the newest entry of a log.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::PortError;

use super::CurrentGenerations;

/// The shortest interval between two polls on request.
const INTERVAL: Duration = Duration::from_millis(100);

impl CurrentGenerations {
    /// Returns true if a league's log was polled after an instant.
    pub(crate) fn polled_after(&self, sport: Sport, instant: DateTime<Utc>) -> bool {
        self.leagues[&sport].polled.load().as_ref().is_some_and(|stamp| stamp.date > instant)
    }

    /// Polls a league's log, unless it was polled since the uptime `arrived`. Requests that arrive together share one poll,
    /// and there are at most ten polls a second.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store does not answer.
    pub(crate) async fn poll_on_demand(&self, sport: Sport, arrived: Duration) -> Result<(), PortError> {
        let league = &self.leagues[&sport];
        let is_done = || league.attempted.load().as_ref().is_some_and(|stamp| stamp.uptime > arrived);
        let _polling = league.on_demand.lock().await;
        if !is_done() {
            let since = league.attempted.load().as_ref().map(|stamp| self.clock.uptime().saturating_sub(stamp.uptime));
            if let Some(rest) = since.and_then(|since| INTERVAL.checked_sub(since)) {
                tokio::time::sleep(rest).await;
            }
            self.poll_league(sport).await;
        }
        match self.unreachable_since(sport) {
            None => Ok(()),
            Some(since) => Err(PortError::unavailable("the publication log", format!("unreachable since {since}"))),
        }
    }
}
