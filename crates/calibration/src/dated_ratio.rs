use chrono::NaiveDate;

use crate::interval::count;
use crate::quantile::central;
use crate::{Interval, SplitMix64};

/// How often dates are drawn for an interval.
pub const BOOTSTRAP_DRAWS: usize = 2_000;

/// An interval needs so many dates: with one, every draw is the same.
pub const MIN_DATES: usize = 2;

/// What an interval of a ratio leaves out.
const LEFT_OUT: f64 = 0.05;

/// What one game adds to a ratio of sums, such as a profit and its stake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DatedTerm {
    /// The game's date.
    pub date: NaiveDate,
    /// What it adds above the line.
    pub sum: f64,
    /// What it adds below: zero or more.
    pub weight: f64,
}

/// A ratio of two sums over games, with the games of each date together: a return on stakes, or the mean of something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatedRatio {
    dates: Vec<Cluster>,
}

/// The terms of one date, added up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Cluster {
    sum: f64,
    weight: f64,
}

impl DatedRatio {
    /// Adds terms up by their dates. Their order changes nothing, and a date without weight is left out.
    #[must_use]
    pub fn from_terms(terms: impl IntoIterator<Item = DatedTerm>) -> Self {
        let mut terms: Vec<_> = terms.into_iter().collect();
        // Sums depend on the order of what is added.
        let by_value = |one: &DatedTerm, other: &DatedTerm| {
            let values = one.sum.total_cmp(&other.sum).then(one.weight.total_cmp(&other.weight));
            one.date.cmp(&other.date).then(values)
        };
        terms.sort_unstable_by(by_value);
        let dates = terms.chunk_by(|one, other| one.date == other.date).map(Cluster::total);
        Self { dates: dates.filter(|date| date.weight > 0.0).collect() }
    }

    /// How many dates there are.
    #[must_use]
    pub fn dates(&self) -> usize {
        self.dates.len()
    }

    /// The ratio; `None` without a weight.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        let all = self.dates.iter().fold(Cluster::default(), |all, date| all.with(*date));
        (all.weight > 0.0).then(|| all.sum / all.weight)
    }

    /// The standard error of the ratio over `G` dates whose games belong together: with `r` what the terms of a date are above
    /// what the ratio makes of their weight, `se² = G/(G − 1) · Σ r² / (Σ weight)²`. `None` below [`MIN_DATES`].
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        let value = self.value().filter(|_| self.dates.len() >= MIN_DATES)?;
        let weight: f64 = self.dates.iter().map(|date| date.weight).sum();
        let squares: f64 = self.dates.iter().map(|date| (date.sum - value * date.weight).powi(2)).sum();
        let dates = count(self.dates.len());
        Some((dates / (dates - 1.0) * squares).sqrt() / weight)
    }

    /// The 95 percent interval of the ratio over [`BOOTSTRAP_DRAWS`] draws of as many dates as there are; `None` below
    /// [`MIN_DATES`]. Ratios over the same dates that are given equal generators are drawn over the same dates.
    #[must_use]
    pub fn interval(&self, mut generator: SplitMix64) -> Option<Interval> {
        if self.dates.len() < MIN_DATES {
            return None;
        }
        let mut draw = |_| {
            let dates = (0..self.dates.len()).map(|_| self.dates[generator.below(self.dates.len())]);
            let drawn = dates.fold(Cluster::default(), Cluster::with);
            drawn.sum / drawn.weight
        };
        let mut ratios: Vec<_> = (0..BOOTSTRAP_DRAWS).map(&mut draw).collect();
        central(&mut ratios, LEFT_OUT)
    }
}

impl Cluster {
    fn total(terms: &[DatedTerm]) -> Self {
        terms.iter().fold(Self::default(), |all, term| all.with(Self { sum: term.sum, weight: term.weight }))
    }

    fn with(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, weight: self.weight + other.weight }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Days;
    use proptest::prelude::*;

    use super::*;

    fn term(day: u64, sum: f64, weight: f64) -> DatedTerm {
        DatedTerm { date: NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(day), sum, weight }
    }

    fn generator() -> SplitMix64 {
        SplitMix64::from_names(&["a snapshot", "BLEND", "roi"])
    }

    #[test]
    fn a_ratio_without_weight_has_no_value_and_one_of_a_single_date_no_interval() {
        assert_eq!(DatedRatio::default().value(), None);
        assert_eq!(DatedRatio::default().interval(generator()), None);
        let unstaked = DatedRatio::from_terms([term(0, 1.0, 0.0), term(1, 2.0, 0.0)]);
        assert_eq!((unstaked.dates(), unstaked.value()), (0, None));
        let single = DatedRatio::from_terms([term(0, 0.9, 1.0), term(0, -1.0, 1.0), term(3, 0.0, 0.0)]);
        assert!((single.value().expect("stakes") + 0.05).abs() < 1e-12);
        assert_eq!((single.dates(), single.interval(generator())), (1, None));
    }

    /// The standard error of a mean of independent dates is known without a draw.
    #[test]
    fn an_interval_reaches_about_two_standard_errors_to_each_side() {
        // 100 dates of one unit each, half of which return 1 and half lose 1: the standard error is 0.1.
        let terms = (0..100).map(|day| term(day, if day % 2 == 0 { 1.0 } else { -1.0 }, 1.0));
        let interval = DatedRatio::from_terms(terms).interval(generator()).expect("dates");
        assert!((interval.low + 0.196).abs() < 0.025 && (interval.high - 0.196).abs() < 0.025, "{interval:?}");
    }

    /// Were games drawn by themselves, the interval of twenty equal games a date would be a fifth as wide.
    #[test]
    fn games_of_one_date_are_drawn_together() {
        let single = (0..30).map(|day| term(day, if day < 15 { 1.0 } else { -1.0 }, 1.0));
        let twenty = single.clone().flat_map(|one| std::iter::repeat_n(one, 20));
        let [single, twenty] =
            [DatedRatio::from_terms(single), DatedRatio::from_terms(twenty)].map(|ratio| ratio.interval(generator()));
        let (single, twenty) = (single.expect("dates"), twenty.expect("dates"));
        assert!((single.low - twenty.low).abs() < 1e-12 && (single.high - twenty.high).abs() < 1e-12);
    }

    /// Dates of 1 and 1, and of 0: mean 2/3, residuals 2/3 and -2/3, so se² = 2 · 8/9 / 9.
    #[test]
    fn a_standard_error_matches_hand_calculation() {
        let ratio = DatedRatio::from_terms([term(0, 1.0, 1.0), term(0, 1.0, 1.0), term(1, 0.0, 1.0)]);
        assert!((ratio.standard_error().expect("dates") - (16.0_f64 / 81.0).sqrt()).abs() < 1e-12);
        assert_eq!(DatedRatio::from_terms([term(0, 1.0, 1.0), term(0, 0.0, 1.0)]).standard_error(), None);
    }

    #[test]
    fn dates_with_more_stakes_count_for_more() {
        let ratio = DatedRatio::from_terms([term(0, 3.0, 3.0), term(1, -1.0, 1.0)]);
        // All units won: 1. All lost: -1. One date each: 2 units on 4 stakes.
        assert_eq!(ratio.value(), Some(0.5));
        assert_eq!(ratio.interval(generator()), Some(Interval { low: -1.0, high: 1.0 }));
    }

    proptest! {
        #[test]
        fn the_order_of_terms_changes_nothing(
            terms in prop::collection::vec((0_u64..9, -1.0..2.0_f64, 0.0..3.0_f64), 0..40).prop_shuffle(),
        ) {
            let terms: Vec<_> = terms.into_iter().map(|(day, sum, weight)| term(day, sum, weight)).collect();
            let one = DatedRatio::from_terms(terms.iter().copied());
            let other = DatedRatio::from_terms(terms.iter().rev().copied());
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(one.interval(generator()), other.interval(generator()));
        }

        #[test]
        fn an_interval_lies_between_the_worst_and_the_best_date(
            terms in prop::collection::vec((0_u64..9, -1.0..2.0_f64), 2..40),
        ) {
            let ratio = DatedRatio::from_terms(terms.into_iter().map(|(day, sum)| term(day, sum, 1.0)));
            let rates = ratio.dates.iter().map(|date| date.sum / date.weight);
            let (worst, best) = rates.fold((f64::MAX, f64::MIN), |(low, high), rate| (low.min(rate), high.max(rate)));
            if let Some(interval) = ratio.interval(generator()) {
                prop_assert!(interval.low <= interval.high);
                prop_assert!(worst - 1e-9 <= interval.low && interval.high <= best + 1e-9);
            }
        }
    }
}
