use chrono::NaiveDate;
use sports_domain::GameKey;
use sports_grading::{Graded, MarketGame, UngradedReason, Verdict};

/// A game of a season in one market, with its verdict. All figures of this crate are computed from such games.
///
/// Games may be in any order; a season's games must all be of one market. Each game is graded by its own market's
/// rules, but over and home sides of several markets are not comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeasonGame<'a> {
    key: &'a GameKey,
    date: NaiveDate,
    market: MarketGame<'a>,
    verdict: Verdict,
}

impl<'a> SeasonGame<'a> {
    /// Grades a game.
    pub fn new(key: &'a GameKey, market: MarketGame<'a>) -> Self {
        Self { key, date: key.date, market, verdict: market.verdict() }
    }

    /// Returns the game's key.
    pub const fn key(&self) -> &'a GameKey {
        self.key
    }

    /// Returns its Eastern date.
    #[inline]
    pub const fn date(&self) -> NaiveDate {
        self.date
    }

    /// Returns the game's market: its line, prices, probabilities and final.
    #[inline]
    pub const fn market(&self) -> &MarketGame<'a> {
        &self.market
    }

    /// Returns the verdict of grading.
    #[inline]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the picks of a graded game.
    #[inline]
    pub const fn graded(&self) -> Option<&Graded> {
        match &self.verdict {
            Verdict::Graded(graded) => Some(graded),
            Verdict::Ungraded(_) => None,
        }
    }

    /// Returns `true` if it has a final and a line, and is not a push.
    pub(crate) const fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Graded(_) | Verdict::Ungraded(UngradedReason::NoPrediction))
    }
}
