use crate::interval::count;
use crate::student::two_sided;
use crate::{DatedRatio, Interval, MIN_GAMES, SplitMix64};

/// The limit below which a standard error counts as zero: rounding leaves as much if all values are equal.
pub(crate) const NO_SPREAD: f64 = 1e-12;

/// A mean over games with its uncertainty. The games of a date are one cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DatedMean {
    /// The mean.
    pub mean: f64,
    /// Its standard error, clustered by date; `None` with one date.
    pub se: Option<f64>,
    /// The mean in standard errors; `None` without a standard error, and if every date has the same mean.
    pub t: Option<f64>,
    /// The two-sided p-value of `t`; `None` without `t`, and below [`MIN_GAMES`] games.
    pub p: Option<f64>,
    /// The 95 percent bootstrap interval of the mean; `None` with one date.
    pub interval: Option<Interval>,
}

impl DatedMean {
    /// Computes the mean of so many games, each a term of weight one; returns `None` without games. Equal generators draw
    /// the same dates for means over the same dates.
    pub(crate) fn of_games(terms: &DatedRatio, games: u32, generator: &SplitMix64) -> Option<Self> {
        let (mean, se) = (terms.value()?, terms.standard_error());
        let t = se.filter(|se| *se > NO_SPREAD).map(|se| mean / se);
        let freedom = count(terms.dates()) - 1.0;
        let p = t.filter(|_| games >= MIN_GAMES).map(|t| two_sided(t, freedom));
        Some(Self { mean, se, t, p, interval: terms.interval(generator.clone()) })
    }

    /// Returns the mean and its standard error alone below [`MIN_GAMES`] games.
    pub(crate) const fn untested_if_few(self, games: u32) -> Self {
        if games < MIN_GAMES { Self { t: None, p: None, interval: None, ..self } } else { self }
    }
}
