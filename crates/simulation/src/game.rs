use chrono::{DateTime, Duration, Utc};
use sports_domain::{FinalScore, GameKey};

use crate::fixture::Stage;
use crate::league::League;
use crate::quoting::{Openers, Quote, Quoting};
use crate::scoring::Scoring;

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// The game was played.
    Final(FinalScore),
    /// The game was called off for its day.
    Postponed,
    /// The game was called off for good.
    Cancelled,
    /// The game was played, but its final was not entered.
    Unentered,
}

impl GameResult {
    /// Returns the settlement status: `settled`, `postponed`, `cancelled`, or an empty text.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Final(_) => "settled",
            Self::Postponed => "postponed",
            Self::Cancelled => "cancelled",
            Self::Unentered => "",
        }
    }

    /// Returns the final of a game that was played.
    pub const fn score(self) -> Option<FinalScore> {
        match self {
            Self::Final(score) => Some(score),
            Self::Postponed | Self::Cancelled | Self::Unentered => None,
        }
    }
}

/// A game of a simulated season.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) key: GameKey,
    pub(crate) match_id: String,
    pub(crate) stage: Stage,
    pub(crate) starts: DateTime<Utc>,
    /// The time at which the outcome is known.
    pub(crate) ends: DateTime<Utc>,
    pub(crate) outcome: GameResult,
    quoting: Quoting,
}

/// The interval between two quotes.
const STEP: Duration = Duration::hours(2);

impl Game {
    pub(crate) fn new(
        (key, match_id): (GameKey, String),
        stage: Stage,
        (starts, ends): (DateTime<Utc>, DateTime<Utc>),
        outcome: GameResult,
        quoting: Quoting,
    ) -> Self {
        Self { key, match_id, stage, starts, ends, outcome, quoting }
    }

    /// Returns the market's view of the game; `None` in preseason.
    pub(crate) fn quoting(&self) -> Option<&Quoting> {
        (self.stage != Stage::Preseason).then_some(&self.quoting)
    }

    /// Returns the lines as of an instant: those of the last quote before it, but of none after the start.
    pub(crate) fn quote_at(&self, league: &League, instant: DateTime<Utc>) -> Option<Quote> {
        let last = self.last_step(league);
        Some(self.quoting()?.at_step(league, self.step(league, instant).min(last), last))
    }

    /// Returns the closing lines.
    pub(crate) fn closing_quote(&self, league: &League) -> Option<Quote> {
        self.quote_at(league, self.starts)
    }

    /// Returns the time of the last quote as of an instant.
    pub(crate) fn quoted_at(&self, league: &League, instant: DateTime<Utc>) -> DateTime<Utc> {
        let step = self.step(league, instant).min(self.last_step(league));
        self.opens(league) + Duration::hours(STEP.num_hours() * step)
    }

    /// Returns true if the opener columns contain prices and totals of zero.
    pub(crate) fn has_zero_prices(&self, league: &League) -> bool {
        self.quoting.quirks.openers == Openers::Zero && matches!(league.scoring, Scoring::Runs(_))
    }

    fn opens(&self, league: &League) -> DateTime<Utc> {
        self.starts - Duration::hours(league.market.open_hours)
    }

    fn step(&self, league: &League, instant: DateTime<Utc>) -> i64 {
        (instant - self.opens(league)).num_seconds().max(0) / STEP.num_seconds()
    }

    /// Returns the step of the last quote before the start.
    fn last_step(&self, league: &League) -> i64 {
        self.step(league, self.starts - Duration::seconds(1))
    }
}
