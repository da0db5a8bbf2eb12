use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::in_one_line;
use sports_publication::Generation;

use crate::record::StrayReason;

/// A number of the log above the current generation that cannot become current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingGeneration {
    /// The league.
    pub sport: Sport,
    /// The number.
    pub generation: Generation,
    /// What kind of trouble it is.
    pub trouble: Trouble,
    /// Why, for the operator.
    pub reason: String,
}

/// What is wrong with a number of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// It cannot be read, or what it names cannot be loaded.
    Unloadable,
    /// It is an entry and continues none of the record.
    Unlinked,
}

/// How following the log goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// Whether a first look was taken at every league's log, and the store answered at least one.
    pub first_look: bool,
    /// Since when the store has not answered; `None` while it does.
    pub unreachable_since: Option<DateTime<Utc>>,
    /// The leagues that it does not answer about.
    pub unreachable: Vec<Sport>,
    /// The leagues whose logs have entries, of which none can be served.
    pub unserved: Vec<Sport>,
    /// Numbers above the current generations that cannot become current, a handful a league.
    pub failing: Vec<FailingGeneration>,
}

impl FailingGeneration {
    pub(super) fn unloadable(sport: Sport, generation: Generation, reason: String) -> Self {
        Self { sport, generation, trouble: Trouble::Unloadable, reason }
    }

    pub(super) fn unlinked(sport: Sport, generation: Generation) -> Self {
        let reason = "it does not continue the record".to_owned();
        Self { sport, generation, trouble: Trouble::Unlinked, reason }
    }

    pub(super) fn passed_over(sport: Sport, generation: Generation, why: StrayReason) -> Self {
        match why {
            StrayReason::Unreadable(error) => Self::unloadable(sport, generation, in_one_line(&error)),
            StrayReason::Unlinked { .. } => Self::unlinked(sport, generation),
        }
    }
}
