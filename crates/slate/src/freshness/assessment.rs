use chrono::{DateTime, Utc};
use sports_domain::ModelType;

use crate::freshness::{Degradation, SlateDay, Status};

/// The status of a league's data at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub(crate) day: SlateDay,
    pub(crate) state: State,
    pub(crate) markets: [MarketAssessment; 3],
}

/// The status of one market's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketAssessment {
    /// The model type of the market.
    pub model_type: ModelType,
    pub status: Status,
    /// The time by which its predictions must be rebuilt; `None` unless there are newer odds.
    pub refresh_deadline: Option<DateTime<Utc>>,
}

/// The state of a league's data, from which status, reason and operation follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Unreadable,
    NeverPublished { overdue: bool },
    Pending,
    Updating,
    OffDay,
    Fresh(Option<Caveat>),
    RefreshMissed,
    Partial,
    Missing,
}

/// A problem of a league with fresh data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caveat {
    OldOdds,
    UnsettledGames,
}

impl Assessment {
    /// Returns the Eastern day of the assessment.
    pub const fn day(&self) -> SlateDay {
        self.day
    }

    pub const fn status(&self) -> Status {
        match self.state {
            State::Unreadable => Status::Unknown,
            State::NeverPublished { overdue: false } | State::Pending => Status::Pending,
            State::Updating => Status::Updating,
            State::OffDay => Status::OffDay,
            State::Fresh(_) => Status::Fresh,
            State::Partial => Status::Partial,
            State::NeverPublished { overdue: true } | State::RefreshMissed | State::Missing => Status::Stale,
        }
    }

    /// Returns `true` if today's slate is being served. A missed refresh does not end that: earlier predictions stay
    /// available.
    pub const fn operational(&self) -> bool {
        match self.state {
            State::NeverPublished { overdue } => !overdue,
            State::Pending | State::Updating | State::OffDay | State::Fresh(_) | State::RefreshMissed => true,
            State::Unreadable | State::Partial | State::Missing => false,
        }
    }

    /// Returns the problem, if any.
    pub const fn degradation(&self) -> Option<Degradation> {
        match self.state {
            State::Unreadable => Some(Degradation::ReleaseUnavailable),
            State::NeverPublished { overdue: true } => Some(Degradation::ReleaseMissing),
            State::RefreshMissed => Some(Degradation::PredictionsStale),
            State::Fresh(Some(Caveat::OldOdds)) => Some(Degradation::SourceStale),
            State::Fresh(Some(Caveat::UnsettledGames)) => Some(Degradation::ResultsAwaitingSettlement),
            State::Partial | State::Missing => Some(Degradation::DailyOutputStale),
            State::NeverPublished { overdue: false }
            | State::Pending
            | State::Updating
            | State::OffDay
            | State::Fresh(None) => None,
        }
    }

    /// Returns `true` if predictions of a market must be rebuilt with newer odds.
    pub fn refresh_pending(&self) -> bool {
        self.markets.iter().any(MarketAssessment::refresh_pending)
    }

    /// Returns the assessment of each market, in the order of [`ModelType::ALL`].
    pub const fn markets(&self) -> &[MarketAssessment; 3] {
        &self.markets
    }
}

impl MarketAssessment {
    /// Returns `true` if this market's predictions must be rebuilt with newer odds.
    pub const fn refresh_pending(&self) -> bool {
        self.refresh_deadline.is_some()
    }
}
