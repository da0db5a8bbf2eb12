use chrono::NaiveDate;
use sports_domain::GameKey;
use sports_grading::{Graded, MarketGame, UngradedReason, Verdict};

/// One game of a season in one market, with its verdict: what every figure of this crate is counted from.
///
/// Games may come in any order; a season's games must all be of one market. Each is graded by its own market's rules, so
/// games of several markets together count as what they are, but what over and home have in common is nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeasonGame<'a> {
    key: &'a GameKey,
    date: NaiveDate,
    market: MarketGame,
    verdict: Verdict,
}

impl<'a> SeasonGame<'a> {
    /// Grades a game.
    #[must_use]
    pub fn new(key: &'a GameKey, market: MarketGame) -> Self {
        Self { key, date: key.date, market, verdict: market.verdict() }
    }

    /// Which game.
    #[must_use]
    pub const fn key(&self) -> &'a GameKey {
        self.key
    }

    /// Its Eastern date.
    #[must_use]
    #[inline]
    pub const fn date(&self) -> NaiveDate {
        self.date
    }

    /// The game as its market sees it.
    #[must_use]
    #[inline]
    pub const fn market(&self) -> &MarketGame {
        &self.market
    }

    /// What grading says.
    #[must_use]
    #[inline]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The picks of a graded game.
    #[must_use]
    #[inline]
    pub const fn graded(&self) -> Option<&Graded> {
        match &self.verdict {
            Verdict::Graded(graded) => Some(graded),
            Verdict::Ungraded(_) => None,
        }
    }

    /// Whether it has a final and a line, and the final is no push.
    pub(crate) const fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Graded(_) | Verdict::Ungraded(UngradedReason::NoPrediction))
    }
}
