use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ledger::{Beyond, NotLinked};
use sports_ports::in_one_line;
use sports_publication::Generation;

/// A number of the log above the current generation that cannot become current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingGeneration {
    pub sport: Sport,
    pub generation: Generation,
    pub kind: FailureKind,
    /// The reason, for the operator.
    pub reason: String,
}

/// The kind of failure of a number of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// The entry cannot be read, or its content cannot be loaded.
    Unloadable,
    /// The entry continues no entry of the record.
    Unlinked,
}

/// The status of log polling.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// True if every league's log was polled and at least one poll reached the store.
    pub first_look: bool,
    /// The time since which the store has been unreachable; `None` while it is reachable.
    pub unreachable_since: Option<DateTime<Utc>>,
    /// The leagues whose logs cannot be read.
    pub unreachable: Vec<Sport>,
    /// The leagues whose logs have entries, none of which can be served.
    pub unserved: Vec<Sport>,
    /// The numbers above the current generations that cannot become current, at most eight per league.
    pub failing: Vec<FailingGeneration>,
}

impl FailingGeneration {
    pub(super) fn unloadable(sport: Sport, generation: Generation, reason: String) -> Self {
        Self { sport, generation, kind: FailureKind::Unloadable, reason }
    }

    pub(super) fn unlinked(sport: Sport, generation: Generation) -> Self {
        let reason = "it does not continue the record".to_owned();
        Self { sport, generation, kind: FailureKind::Unlinked, reason }
    }

    pub(super) fn beyond(sport: Sport, beyond: &Beyond) -> Self {
        match &beyond.reason {
            NotLinked::Unreadable(error) => Self::unloadable(sport, beyond.generation, in_one_line(&**error)),
            NotLinked::Unlinked { .. } => Self::unlinked(sport, beyond.generation),
        }
    }
}
