use chrono::NaiveDate;

use crate::interval::{central, count, two_sided};
use crate::{Interval, MIN_GAMES};

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

/// The generator `SplitMix64` of Steele, Lea and Flood (2014): small, fast, and the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns the generator with this state.
    pub const fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a generator seeded by names in their order: the seed is the 64-bit FNV-1a hash of each name's UTF-8
    /// bytes, each name followed by the byte 255, which UTF-8 never contains.
    pub fn from_names(names: &[&str]) -> Self {
        let bytes = names.iter().flat_map(|name| name.bytes().chain([u8::MAX]));
        Self(fnv_1a(bytes))
    }

    /// Returns the next 64 bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `count - 1`, uniform to within `count` / 2⁶⁴; 0 if `count` is 0.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        let scaled = u128::from(self.bits()) * count as u128;
        // The result is below `count`, so it fits.
        usize::try_from(scaled >> 64).unwrap_or_default()
    }
}

fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
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

    /// Published numbers of other implementations for this seed.
    #[test]
    fn the_generator_returns_the_published_numbers() {
        let mut generator = SplitMix64::from_seed(1_234_567);
        let numbers = [(); 5].map(|()| generator.bits());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    /// Published test vectors of the hash.
    #[test]
    fn names_are_hashed_by_fnv_1a() {
        for (text, hash) in
            [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
        {
            assert_eq!(fnv_1a(text.bytes()), hash, "{text}");
        }
        assert_eq!(SplitMix64::from_names(&["a"]), SplitMix64::from_seed(fnv_1a([b'a', 255].into_iter())));
    }

    #[test]
    fn names_that_are_divided_differently_have_different_seeds() {
        let seeds = [&["ab", "c"][..], &["a", "bc"], &["abc"], &["abc", ""], &["c", "ab"], &[]];
        for (place, names) in seeds.iter().enumerate() {
            for others in &seeds[..place] {
                assert_ne!(SplitMix64::from_names(names), SplitMix64::from_names(others), "{names:?} {others:?}");
            }
        }
    }

    #[test]
    fn numbers_are_below_their_count_and_about_equally_frequent() {
        let mut generator = SplitMix64::from_seed(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[generator.below(6)] += 1;
        }
        // The standard deviation of each count is 91.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 550), "{counts:?}");
        assert_eq!((generator.below(1), generator.below(0)), (0, 0));
    }
}
