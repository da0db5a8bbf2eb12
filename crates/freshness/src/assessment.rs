use chrono::{DateTime, Utc};
use sports_domain::ModelType;

use crate::{Degradation, SlateDay, Status};

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
    /// Which market.
    pub model_type: ModelType,
    /// Its status.
    pub status: Status,
    /// Until when its predictions must be rebuilt, while newer odds wait for it.
    pub refresh_deadline: Option<DateTime<Utc>>,
}

/// Everything a league can be in; status, reason and operation follow from it.
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

/// What a fresh league can still suffer from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caveat {
    OldOdds,
    UnsettledGames,
}

impl Assessment {
    /// The Eastern day judged.
    #[must_use]
    pub const fn day(&self) -> SlateDay {
        self.day
    }

    /// The status in one word.
    #[must_use]
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

    /// Whether today's slate is being served. A missed refresh does not end that: what it served
    /// before stays available.
    #[must_use]
    pub const fn operational(&self) -> bool {
        match self.state {
            State::NeverPublished { overdue } => !overdue,
            State::Pending | State::Updating | State::OffDay | State::Fresh(_) | State::RefreshMissed => true,
            State::Unreadable | State::Partial | State::Missing => false,
        }
    }

    /// What is wrong, if anything.
    #[must_use]
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

    /// Whether newer odds wait for predictions to be rebuilt.
    #[must_use]
    pub fn refresh_pending(&self) -> bool {
        self.markets.iter().any(MarketAssessment::refresh_pending)
    }

    /// Market by market, in the order of [`ModelType::ALL`].
    #[must_use]
    pub const fn markets(&self) -> &[MarketAssessment; 3] {
        &self.markets
    }
}

impl MarketAssessment {
    /// Whether newer odds wait for this market's predictions to be rebuilt.
    #[must_use]
    pub const fn refresh_pending(&self) -> bool {
        self.refresh_deadline.is_some()
    }
}
