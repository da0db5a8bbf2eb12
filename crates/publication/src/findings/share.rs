/// The smallest number of games from which a share of a season is judged.
pub(crate) const FEWEST_GAMES: usize = 10;

/// The games with a property among the games where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    pub(crate) with: usize,
    pub(crate) known: usize,
}

impl Share {
    /// Counts the known values and those that are true.
    pub(crate) fn of(values: impl Iterator<Item = Option<bool>>) -> Self {
        values
            .flatten()
            .fold(Self::default(), |all, is_with| Self { with: all.with + usize::from(is_with), known: all.known + 1 })
    }

    /// Returns the share; `None` with too few games to judge.
    pub(crate) fn judged(self) -> Option<f64> {
        (self.known >= FEWEST_GAMES).then(|| ratio(self.with, self.known))
    }

    /// Returns the share; `None` without games.
    pub(crate) fn ratio(self) -> Option<f64> {
        (self.known > 0).then(|| ratio(self.with, self.known))
    }
}

/// Returns a quotient of counts.
#[expect(clippy::cast_precision_loss, reason = "counts of games are small")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Formats a share as a percentage with one decimal.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
