use chrono::NaiveDate;

use crate::interval::count;
use crate::quantile::central;
use crate::{Interval, SplitMix64};

/// The number of bootstrap draws for an interval.
pub const BOOTSTRAP_DRAWS: usize = 2_000;

/// The minimum number of dates for an interval: with one date, all draws are equal.
pub const MIN_DATES: usize = 2;

/// The share of draws outside an interval.
const OUTSIDE_INTERVAL: f64 = 0.05;

/// The contribution of one game to a ratio of sums, such as a profit and its stake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DatedTerm {
    /// The game's date.
    pub date: NaiveDate,
    /// The contribution to the numerator.
    pub sum: f64,
    /// The contribution to the denominator: zero or more.
    pub weight: f64,
}

/// A ratio of two sums over games, clustered by date: a return on stakes, or a mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatedRatio {
    dates: Vec<Cluster>,
}

/// The sum of the terms of one date.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Cluster {
    sum: f64,
    weight: f64,
}

impl DatedRatio {
    /// Sums terms by date. Their order does not change the result, and dates without weight are omitted.
    pub fn from_terms(terms: impl IntoIterator<Item = DatedTerm>) -> Self {
        let mut terms: Vec<_> = terms.into_iter().collect();
        // Floating-point sums depend on the order of their terms.
        let by_value = |one: &DatedTerm, other: &DatedTerm| {
            let values = one.sum.total_cmp(&other.sum).then(one.weight.total_cmp(&other.weight));
            one.date.cmp(&other.date).then(values)
        };
        terms.sort_unstable_by(by_value);
        let dates = terms.chunk_by(|one, other| one.date == other.date).map(Cluster::total);
        Self { dates: dates.filter(|date| date.weight > 0.0).collect() }
    }

    /// Returns the number of dates.
    pub fn dates(&self) -> usize {
        self.dates.len()
    }

    /// Returns the ratio; `None` if the weight is zero.
    pub fn value(&self) -> Option<f64> {
        let all = self.dates.iter().fold(Cluster::default(), |all, date| all.with(*date));
        (all.weight > 0.0).then(|| all.sum / all.weight)
    }

    /// Returns the standard error of the ratio, clustered by its `G` dates: `se² = G/(G − 1) · Σ r² / (Σ weight)²`,
    /// where a date's residual `r` is its sum less its weight times the ratio. Returns `None` below [`MIN_DATES`].
    pub fn standard_error(&self) -> Option<f64> {
        let value = self.value().filter(|_| self.dates.len() >= MIN_DATES)?;
        let weight: f64 = self.dates.iter().map(|date| date.weight).sum();
        let squares: f64 = self.dates.iter().map(|date| (date.sum - value * date.weight).powi(2)).sum();
        let dates = count(self.dates.len());
        Some((dates / (dates - 1.0) * squares).sqrt() / weight)
    }

    /// Returns the 95 percent bootstrap interval of the ratio: [`BOOTSTRAP_DRAWS`] draws of dates with replacement.
    /// Returns `None` below [`MIN_DATES`]. Equal generators draw the same dates for ratios over the same dates.
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
        central(&mut ratios, OUTSIDE_INTERVAL)
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

    /// For independent dates, the standard error of the mean is known without draws.
    #[test]
    fn an_interval_reaches_about_two_standard_errors_to_each_side() {
        // 100 dates of one unit each, half of which return 1 and half lose 1: the standard error is 0.1.
        let terms = (0..100).map(|day| term(day, if day % 2 == 0 { 1.0 } else { -1.0 }, 1.0));
        let interval = DatedRatio::from_terms(terms).interval(generator()).expect("dates");
        assert!((interval.low + 0.196).abs() < 0.025 && (interval.high - 0.196).abs() < 0.025, "{interval:?}");
    }

    /// If games were drawn one by one, the interval of twenty equal games a date would be a fifth as wide.
    #[test]
    fn games_of_one_date_are_drawn_together() {
        let single = (0..30).map(|day| term(day, if day < 15 { 1.0 } else { -1.0 }, 1.0));
        let twenty = single.clone().flat_map(|one| std::iter::repeat_n(one, 20));
        let [single, twenty] =
            [DatedRatio::from_terms(single), DatedRatio::from_terms(twenty)].map(|ratio| ratio.interval(generator()));
        let (single, twenty) = (single.expect("dates"), twenty.expect("dates"));
        assert!((single.low - twenty.low).abs() < 1e-12 && (single.high - twenty.high).abs() < 1e-12);
    }

    /// Dates with 1 and 1, and with 0: mean 2/3, residuals 2/3 and -2/3, so se² = 2 · 8/9 / 9.
    #[test]
    fn a_standard_error_matches_hand_calculation() {
        let ratio = DatedRatio::from_terms([term(0, 1.0, 1.0), term(0, 1.0, 1.0), term(1, 0.0, 1.0)]);
        assert!((ratio.standard_error().expect("dates") - (16.0_f64 / 81.0).sqrt()).abs() < 1e-12);
        assert_eq!(DatedRatio::from_terms([term(0, 1.0, 1.0), term(0, 0.0, 1.0)]).standard_error(), None);
    }

    #[test]
    fn dates_with_more_stakes_have_more_weight() {
        let ratio = DatedRatio::from_terms([term(0, 3.0, 3.0), term(1, -1.0, 1.0)]);
        // All units won: 1. All lost: -1. One date each: 2 units on 4 stakes.
        assert_eq!(ratio.value(), Some(0.5));
        assert_eq!(ratio.interval(generator()), Some(Interval { low: -1.0, high: 1.0 }));
    }

    proptest! {
        #[test]
        fn the_order_of_terms_does_not_change_the_ratio(
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
