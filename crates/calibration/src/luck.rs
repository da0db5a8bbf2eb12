use std::fmt;

use sports_domain::{AmericanPrice, NO_DIFFERENCE, rounded};

use crate::SplitMix64;
use crate::interval::{count, quantile};

/// The number of lucky bettors that are drawn.
pub const LUCKY_DRAWS: usize = 10_000;

/// The number of draws of random games.
pub const RANDOM_GAMES_DRAWS: usize = 2_000;

/// The shares of bettors below the five quantiles of a course.
pub const COURSE_SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The largest number of combinations of wins by price whose distribution is computed exactly.
const MOST_COMBINATIONS: usize = 100_000;

/// The largest number of values of one draw. A larger table takes more than the fastest memory of a core.
const MOST_VALUES: usize = 512;

/// The probability below which a number of wins is left out. Smaller numbers are slow, and change no digit of a share.
const TINY: f64 = 1e-100;

/// The share of draws above which a quantile has fewer than ten draws above it.
const LAST_SHARE: f64 = 0.999;

/// A one-unit bet that is won with the probability of the market. A push is no such bet: it returns the stake in every draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FairBet {
    /// The price of the bet.
    pub price: AmericanPrice,
    /// The no-vig probability of its side.
    pub chance: f64,
}

/// The origin of a distribution of lucky units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LuckMethod {
    /// Every combination of wins by price, with its probability.
    Exact,
    /// [`LUCKY_DRAWS`] bettors.
    Draws,
}

impl LuckMethod {
    /// Every method.
    pub const ALL: [Self; 2] = [Self::Exact, Self::Draws];

    /// Returns the word served as `method`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Draws => "draws",
        }
    }
}

/// The units of bettors who make the same bets at the same prices in a market that is right. Bets are independent, those
/// of one date too.
#[derive(Debug, Clone, PartialEq)]
pub struct LuckyUnits {
    method: LuckMethod,
    /// The units and their shares, by units.
    units: Vec<(f64, f64)>,
}

/// Lucky bettors over the course of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct LuckyCourse {
    /// The quantiles of the bettors' units at [`COURSE_SHARES`], after each stretch of the course.
    pub quantiles: Vec<[f64; COURSE_SHARES.len()]>,
    /// The units at the end.
    pub units: LuckyUnits,
}

impl LuckyCourse {
    /// Draws [`LUCKY_DRAWS`] bettors over the stretches of a course, each with its decided bets. Their units at the end are
    /// exact where the decided bets of each price are *n*₁ … *n*ₘ and (*n*₁ + 1) … (*n*ₘ + 1) is at most 100,000.
    pub fn draw(stretches: &[Vec<FairBet>], mut generator: SplitMix64) -> Self {
        let mut totals = vec![0.0; LUCKY_DRAWS];
        let mut sorted = Vec::with_capacity(LUCKY_DRAWS);
        let mut quantiles: Vec<[f64; COURSE_SHARES.len()]> = Vec::with_capacity(stretches.len());
        for bets in stretches {
            for table in DrawTable::of_bets(bets) {
                table.add_to(&mut totals, &mut generator);
            }
            let unchanged = quantiles.last().filter(|_| bets.is_empty()).copied();
            quantiles.push(unchanged.unwrap_or_else(|| course_quantiles(&totals, &mut sorted)));
        }
        let units = LuckyUnits::exact(&stretches.concat()).unwrap_or_else(|| LuckyUnits::drawn(totals));
        Self { quantiles, units }
    }
}

impl LuckyUnits {
    /// Returns the exact distribution of the units of decided bets; `None` if it has too many combinations.
    pub fn exact(bets: &[FairBet]) -> Option<Self> {
        let groups = by_price(bets);
        let combinations = groups.iter().try_fold(1_usize, |product, group| product.checked_mul(group.len() + 1));
        combinations.filter(|number| *number <= MOST_COMBINATIONS)?;
        let mut units = groups
            .iter()
            .map(|group| units_of_price(group))
            .fold(NO_UNITS.to_vec(), |all, group| combined(&all, &group));
        units.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        Some(Self { method: LuckMethod::Exact, units })
    }

    fn drawn(mut totals: Vec<f64>) -> Self {
        totals.sort_unstable_by(f64::total_cmp);
        let share = 1.0 / count(totals.len());
        Self { method: LuckMethod::Draws, units: totals.into_iter().map(|units| (units, share)).collect() }
    }

    /// Returns the origin of the distribution.
    pub const fn method(&self) -> LuckMethod {
        self.method
    }

    /// Returns the share of bettors with at least so many units, up to 1e-9 below.
    pub fn share_of_at_least(&self, units: f64) -> f64 {
        let first = self.units.partition_point(|(lucky, _)| *lucky < units - NO_DIFFERENCE);
        let reached = &self.units[first..];
        match self.method {
            LuckMethod::Draws => count(reached.len()) / count(self.units.len()),
            // From the smallest shares on, which a larger sum would swallow.
            LuckMethod::Exact => reached.iter().rev().map(|(_, share)| share).sum::<f64>().min(1.0),
        }
    }

    /// Returns the mean of the units: below zero by what the market's margin costs.
    fn mean(&self) -> f64 {
        self.units.iter().map(|(units, share)| units * share).sum()
    }

    /// Returns the quantile of the units at `share`: of an exact distribution the least units that are not exceeded by that
    /// share of bettors, else interpolated between the two nearest draws. Returns `None` where fewer than ten draws are above it.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        match self.method {
            LuckMethod::Draws if share > LAST_SHARE => None,
            LuckMethod::Draws => quantile(&self.units.iter().map(|(units, _)| *units).collect::<Vec<_>>(), share),
            LuckMethod::Exact => {
                let mut below = 0.0;
                let reaches = |(_, part): &&(f64, f64)| {
                    below += part;
                    below >= share - NO_DIFFERENCE
                };
                self.units.iter().find(reaches).or(self.units.last()).map(|(units, _)| *units)
            }
        }
    }
}

/// The distribution without a bet.
const NO_UNITS: [(f64, f64); 1] = [(0.0, 1.0)];

/// Groups bets by their price, as decimal odds.
fn by_price(bets: &[FairBet]) -> Vec<Vec<FairBet>> {
    let mut bets = bets.to_vec();
    let profit = |bet: &FairBet| bet.price.profit_per_unit();
    bets.sort_by(|one, other| profit(one).total_cmp(&profit(other)));
    bets.chunk_by(|one, other| profit(one).total_cmp(&profit(other)).is_eq()).map(<[_]>::to_vec).collect()
}

/// Returns the distribution of the units of bets at one price.
fn units_of_price(bets: &[FairBet]) -> Vec<(f64, f64)> {
    let profit = bets.first().map_or(0.0, |bet| bet.price.profit_per_unit());
    let (fewest, shares) = shares_of_wins(bets);
    let units = |wins: usize| count(wins) * profit - count(bets.len() - wins);
    shares.into_iter().enumerate().map(|(more, share)| (units(fewest + more), share)).collect()
}

/// Returns the probability of each number of wins, and the number to which the first one belongs. Both ends are cut off where
/// probabilities are negligible.
fn shares_of_wins(bets: &[FairBet]) -> (usize, Vec<f64>) {
    let (mut fewest, mut shares) = (0, vec![1.0]);
    for FairBet { chance, .. } in bets {
        shares.push(0.0);
        for wins in (1..shares.len()).rev() {
            shares[wins] = shares[wins] * (1.0 - chance) + shares[wins - 1] * chance;
        }
        shares[0] *= 1.0 - chance;
        let cut = shares.iter().take_while(|share| **share < TINY).count();
        shares.drain(..cut);
        fewest += cut;
        while shares.pop_if(|share| *share < TINY).is_some() {}
    }
    (fewest, shares)
}

/// Returns the distribution of the sum of two independent numbers of units.
fn combined(one: &[(f64, f64)], other: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let sums = |(units, share): &(f64, f64)| {
        let (units, share) = (*units, *share);
        other.iter().map(move |(more, part)| (units + more, share * part))
    };
    one.iter().flat_map(sums).collect()
}

/// The distribution of the units of some bets, drawn with one random number by the method of aliases (Walker 1977, Vose 1991).
struct DrawTable(Vec<Column>);

/// A column of equal probability, which has at most two values.
struct Column {
    units: f64,
    /// The random numbers below it are those of `units`.
    threshold: u64,
    other_units: f64,
}

impl DrawTable {
    /// Returns tables whose sum has the distribution of the bets' units. Bets of one price share a table.
    fn of_bets(bets: &[FairBet]) -> Vec<Self> {
        let mut tables = Vec::new();
        let mut units = NO_UNITS.to_vec();
        let groups = by_price(bets);
        for group in groups.iter().flat_map(|group| group.chunks(MOST_VALUES - 1)) {
            let group = units_of_price(group);
            if units.len() * group.len() > MOST_VALUES {
                tables.push(Self::new(&std::mem::replace(&mut units, group)));
            } else {
                units = combined(&units, &group);
            }
        }
        if units.len() > 1 {
            tables.push(Self::new(&units));
        }
        tables
    }

    fn new(units: &[(f64, f64)]) -> Self {
        let columns = count(units.len());
        let mut heights: Vec<_> = units.iter().map(|(_, share)| share * columns).collect();
        let mut table: Vec<_> =
            units.iter().map(|(units, _)| Column { units: *units, threshold: u64::MAX, other_units: *units }).collect();
        let (mut low, mut high): (Vec<_>, Vec<_>) = (0..units.len()).partition(|place| heights[*place] < 1.0);
        while let (Some(under), Some(over)) = (low.pop(), high.last().copied()) {
            table[under].threshold = threshold(heights[under]);
            table[under].other_units = units[over].0;
            heights[over] -= 1.0 - heights[under];
            if heights[over] < 1.0 {
                high.pop();
                low.push(over);
            }
        }
        Self(table)
    }

    /// Adds a draw to each total.
    fn add_to(&self, totals: &mut [f64], generator: &mut SplitMix64) {
        let columns = self.0.len() as u128;
        for total in totals {
            let scaled = u128::from(generator.bits()) * columns;
            #[expect(clippy::cast_possible_truncation, reason = "the upper and the lower half of the product")]
            let (place, rest) = ((scaled >> 64) as usize, scaled as u64);
            let column = &self.0[place];
            *total += if rest < column.threshold { column.units } else { column.other_units };
        }
    }
}

/// Converts a share of a column to a threshold of random numbers.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to 2⁶⁴, where the conversion saturates"
)]
fn threshold(share: f64) -> u64 {
    (share * 2.0_f64.powi(64)) as u64
}

/// Returns the quantiles of totals at [`COURSE_SHARES`]. Only the values next to each of them are put in order.
fn course_quantiles(totals: &[f64], sorted: &mut Vec<f64>) -> [f64; COURSE_SHARES.len()] {
    sorted.clear();
    sorted.extend_from_slice(totals);
    let mut from = 0;
    COURSE_SHARES.map(|share| {
        let place = share * count(totals.len() - 1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last place")]
        let below = place.floor() as usize;
        let (_, low, above) = sorted[from..].select_nth_unstable_by(below - from, f64::total_cmp);
        let low = *low;
        let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
        from = below;
        low + (high - low) * (place - place.floor())
    })
}

/// The luck in the units of a rule, over the bets whose market had both prices.
#[derive(Debug, Clone, PartialEq)]
pub struct Luck {
    /// The share of lucky bettors with at least the units of the rule.
    pub p: f64,
    /// The number of bets, pushes included.
    pub bets: u32,
    /// The units of these bets.
    pub units: f64,
    /// The share of draws of random games with at least these units.
    pub p_random_games: f64,
    /// The units of lucky bettors.
    pub lucky: LuckyUnits,
}

impl fmt::Display for Luck {
    /// Writes the sentence about the lucky bettors, with the units of the median one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, word) = ((self.p * count(LUCKY_DRAWS)).round(), if self.bets == 1 { "bet" } else { "bets" });
        let about = if self.lucky.method == LuckMethod::Exact { "About " } else { "" };
        let (thousands, rest) = ((share / 1_000.0).floor(), share % 1_000.0);
        match (share, thousands) {
            (0.0, _) => write!(f, "Fewer than 1 of 10,000")?,
            (_, 10.0) => write!(f, "All 10,000")?,
            (_, 0.0) => write!(f, "{about}{rest} of 10,000")?,
            _ => write!(f, "{about}{thousands},{rest:03} of 10,000")?,
        }
        write!(f, " lucky bettors did at least as well:")?;
        write!(f, " {:+.2} units or more with the same {} {word}.", self.units, self.bets)?;
        match self.lucky.quantile(0.5) {
            Some(median) if median < -NO_DIFFERENCE => {
                let cost = -self.lucky.mean();
                write!(
                    f,
                    " The median bettor lost {:.2} units: the market's margin costs {cost:.2} on average.",
                    -median
                )
            }
            Some(median) => write!(f, " The median bettor has {:+.2} units.", rounded(median, 2)),
            None => Ok(()),
        }
    }
}

/// The best of several rules that have luck alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LuckySearch {
    /// The number of rules that were tried.
    pub tried: u32,
    /// The probability that the best of them does at least as well: 1 − (1 − `p`)^`tried`.
    pub p_of_best: f64,
    /// The median of the units of the best rule; `None` where fewer than ten draws are above it.
    pub best_50: Option<f64>,
    /// The units that the best rule exceeds with a probability of 5 percent; `None` where fewer than ten draws are above it.
    pub best_95: Option<f64>,
}

impl LuckySearch {
    /// Returns the best of so many independent rules, each as lucky as this one.
    pub fn of(luck: &Luck, tried: u32) -> Self {
        let best = |share: f64| luck.lucky.quantile(share.powf(1.0 / f64::from(tried)));
        let p_of_best = -(f64::from(tried) * (-luck.p).ln_1p()).exp_m1();
        Self { tried, p_of_best, best_50: best(0.5), best_95: best(0.95) }
    }
}

/// The units of a game by the side of the bet: on the positive side, and on the negative side.
pub type UnitsBySide = [f64; 2];

/// Returns the share of [`RANDOM_GAMES_DRAWS`] draws with at least `units`: so many bets on the positive and on the negative side,
/// at games drawn without repetition. There must be as many games as bets.
pub fn share_of_random_games(
    games: &[UnitsBySide],
    [positive, negative]: [usize; 2],
    units: f64,
    mut generator: SplitMix64,
) -> f64 {
    let mut groups = [(positive, 0), (negative, 1), (games.len().saturating_sub(positive + negative), 2)];
    groups.sort_unstable();
    // The largest group has the games that the others leave, so it need not be drawn.
    let [(first, _), (second, _), _] = groups;
    let [one, other, rest] = groups.map(|(_, side)| move |game: &UnitsBySide| game.get(side).copied().unwrap_or(0.0));
    let all: f64 = games.iter().map(&rest).sum();
    let mut games: Vec<_> = games.iter().map(|game| [one(game) - rest(game), other(game) - rest(game)]).collect();
    let mut drawn = || {
        let mut total = all;
        for place in 0..(first + second).min(games.len()) {
            let taken = place + generator.below(games.len() - place);
            games.swap(place, taken);
            total += games[place][usize::from(place >= first)];
        }
        total
    };
    let reached = (0..RANDOM_GAMES_DRAWS).filter(|_| drawn() >= units - NO_DIFFERENCE).count();
    count(reached) / count(RANDOM_GAMES_DRAWS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bet(price: i32, chance: f64) -> FairBet {
        FairBet { price: AmericanPrice::new(price).expect("a price"), chance }
    }

    fn generator() -> SplitMix64 {
        SplitMix64::from_names(&["a rule", "luck"])
    }

    fn assert_close(figure: f64, expected: f64) {
        assert!((figure - expected).abs() < 1e-12, "{figure} {expected}");
    }

    /// Two bets at even money, one written as −100, and one at −200. Units: 2 wins and a win +2.5, 2 and a loss +1,
    /// 1 and 1 +0.5, 1 and 0 −1, 0 and 1 −1.5, 0 and 0 −3.
    #[test]
    fn the_exact_distribution_is_that_of_all_combinations_of_wins() {
        let lucky = LuckyUnits::exact(&[bet(100, 0.5), bet(-200, 0.6), bet(-100, 0.4)]).expect("few");
        let expected = [(-3.0, 0.12), (-1.5, 0.18), (-1.0, 0.2), (0.5, 0.3), (1.0, 0.08), (2.5, 0.12)];
        assert_eq!(lucky.units.len(), expected.len());
        for ((units, share), (expected_units, expected_share)) in lucky.units.iter().zip(expected) {
            assert_close(*units, expected_units);
            assert_close(*share, expected_share);
        }
        for (units, share) in [(-3.0, 1.0), (0.5, 0.5), (0.500_000_000_9, 0.5), (0.500_000_01, 0.2), (2.6, 0.0)] {
            assert_close(lucky.share_of_at_least(units), share);
        }
        for (share, units) in [(0.05, -3.0), (0.3, -1.5), (0.5, -1.0), (0.501, 0.5), (0.95, 2.5), (1.0, 2.5)] {
            assert_close(lucky.quantile(share).expect("exact"), units);
        }
    }

    #[test]
    fn without_a_decided_bet_no_units_are_certain() {
        let course = LuckyCourse::draw(&[Vec::new()], generator());
        assert_eq!(course.units, LuckyUnits { method: LuckMethod::Exact, units: vec![(0.0, 1.0)] });
        assert_eq!(course.quantiles, [[0.0; 5]]);
        assert_close(course.units.share_of_at_least(0.0), 1.0);
    }

    #[test]
    fn units_are_drawn_where_there_are_more_than_100_000_combinations() {
        let method = |counts: &[(i32, usize)]| {
            let bets: Vec<_> = counts.iter().flat_map(|(price, bets)| vec![bet(*price, 0.5); *bets]).collect();
            LuckyCourse::draw(&[bets], generator()).units.method()
        };
        // 100 · 1,000, then 101 · 1,000; 16 prices have 2¹⁶ combinations, and 17 twice as many.
        assert_eq!(method(&[(-110, 99), (100, 999)]), LuckMethod::Exact);
        assert_eq!(method(&[(-110, 100), (100, 999)]), LuckMethod::Draws);
        let singles = |prices: i32| (0..prices).map(|price| (110 + price, 1)).collect::<Vec<_>>();
        assert_eq!((method(&singles(16)), method(&singles(17))), (LuckMethod::Exact, LuckMethod::Draws));
        assert_eq!(LuckMethod::ALL.map(LuckMethod::word), ["exact", "draws"]);
    }

    /// At −110 and one half a bet has the mean −1/22 and the deviation 21/22.
    #[test]
    fn many_bets_at_one_price_are_about_normal() {
        let lucky = LuckyUnits::exact(&vec![bet(-110, 0.5); 5_500]).expect("one price");
        let (mean, deviation) = (-250.0, 5_500.0_f64.sqrt() * 21.0 / 22.0);
        assert!((lucky.quantile(0.5).expect("exact") - mean).abs() < 2.0);
        assert!((lucky.share_of_at_least(mean + deviation * 1.959_964) - 0.025).abs() < 1e-3);
        assert_close(lucky.units.iter().map(|(_, share)| share).sum(), 1.0);
    }

    #[test]
    fn quantiles_of_a_course_are_those_of_sorted_units() {
        let mut draws = SplitMix64::from_seed(3);
        let totals: Vec<f64> =
            (0..LUCKY_DRAWS).map(|_| f64::from(u16::try_from(draws.below(900)).expect("small"))).collect();
        let mut sorted = totals.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let expected = COURSE_SHARES.map(|share| quantile(&sorted, share).expect("draws"));
        assert_eq!(course_quantiles(&totals, &mut Vec::new()).map(f64::to_bits), expected.map(f64::to_bits));
    }

    /// After each stretch the units are those of all bets so far: 0 to 2, then 0 to 4 wins at even money.
    #[test]
    fn a_course_adds_up_over_its_stretches() {
        let stretch = vec![bet(100, 0.6); 2];
        let course = LuckyCourse::draw(&[stretch.clone(), Vec::new(), stretch], generator());
        let two = [-2.0, 0.0, 0.0, 2.0, 2.0];
        assert_eq!(course.quantiles, [two, two, [-2.0, 0.0, 0.0, 2.0, 4.0]]);
    }

    fn luck(p: f64, bets: &[FairBet]) -> Luck {
        let lucky = LuckyUnits::exact(bets).expect("few");
        Luck { p, bets: 3, units: 1.25, p_random_games: 0.5, lucky }
    }

    #[test]
    fn a_sentence_names_the_lucky_bettors_and_the_margin() {
        let fair = [bet(100, 0.5), bet(100, 0.5)];
        assert_eq!(
            luck(0.004_12, &fair).to_string(),
            "About 41 of 10,000 lucky bettors did at least as well: +1.25 units or more with the same 3 bets. \
             The median bettor has +0.00 units."
        );
        assert_eq!(
            luck(0.000_01, &[bet(-110, 0.5), bet(-110, 0.5)]).to_string(),
            "Fewer than 1 of 10,000 lucky bettors did at least as well: +1.25 units or more with the same 3 bets. \
             The median bettor lost 0.09 units: the market's margin costs 0.09 on average."
        );
        let drawn = Luck { lucky: LuckyUnits::drawn(vec![1.0; 10]), bets: 1, ..luck(0.05, &fair) };
        assert!(drawn.to_string().contains("more with the same 1 bet. The"), "{drawn}");
        assert!(drawn.to_string().starts_with("500 of 10,000 lucky bettors"), "{drawn}");
        for (p, beginning) in [(1.0, "All 10,000 lucky"), (0.702_5, "About 7,025 of 10,000 lucky")] {
            assert!(luck(p, &fair).to_string().starts_with(beginning), "{p}");
        }
    }

    /// 1 − 0.9³, and the quantiles at ∛½ = 0.794 and ∛0.95 = 0.983 of 0, 1 and 2 wins of 2.
    #[test]
    fn the_best_of_three_rules_matches_hand_calculation() {
        let fair = [bet(100, 0.5), bet(100, 0.5)];
        let search = LuckySearch::of(&luck(0.1, &fair), 3);
        assert_close(search.p_of_best, 0.271);
        assert_eq!((search.best_50, search.best_95), (Some(2.0), Some(2.0)));
        let one = LuckySearch::of(&luck(1.0, &fair), 1);
        assert_eq!((one.p_of_best, one.best_50, one.best_95), (1.0, Some(0.0), Some(2.0)));
        // A billionth of luck is not lost in 1 − (1 − p)ⁿ.
        assert!((LuckySearch::of(&luck(1e-18, &fair), 100).p_of_best - 1e-16).abs() < 1e-28);
    }

    #[test]
    fn a_quantile_of_draws_needs_ten_draws_above_it() {
        let drawn = |tried| {
            let lucky = LuckyUnits::drawn((0..10_000).map(f64::from).collect());
            LuckySearch::of(&Luck { lucky, ..luck(0.5, &[]) }, tried)
        };
        assert!(drawn(51).best_95.is_some() && drawn(52).best_95.is_none());
        assert!(drawn(692).best_50.is_some() && drawn(693).best_50.is_none());
        assert_close(drawn(1).best_50.expect("half"), 4_999.5);
    }

    /// Of three games with one bet on each side there are six draws, of which those with the home bet at the first game have
    /// one unit more.
    #[test]
    fn random_games_are_drawn_without_repetition_and_on_the_sides_of_the_rule() {
        let games = vec![[1.0, -1.0], [0.0, 0.0], [0.0, 0.0]];
        let share = |units| share_of_random_games(&games, [1, 1], units, generator());
        assert!((share(1.0) - 1.0 / 3.0).abs() < 0.05 && (share(0.0) - 2.0 / 3.0).abs() < 0.05);
        assert_close(share(-1.0), 1.0);
        assert_close(share(1.1), 0.0);
        // All three games: +1 if the first one is bet at home, as two of three are.
        let all = share_of_random_games(&games, [2, 1], 1.0, generator());
        assert!((all - 2.0 / 3.0).abs() < 0.05, "{all}");
    }

    fn any_bets() -> impl Strategy<Value = Vec<FairBet>> {
        let price = prop_oneof![Just(-110), Just(100), Just(-100), Just(150)];
        prop::collection::vec((price, 0.1..0.9_f64).prop_map(|(price, chance)| bet(price, chance)), 1..30)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Two ways to one share: within four standard errors.
        #[test]
        fn exact_shares_and_those_of_draws_agree(bets in any_bets(), place in 0.0..1.0_f64) {
            let exact = LuckyUnits::exact(&bets).expect("few combinations");
            let mut totals = vec![0.0; LUCKY_DRAWS];
            let mut generator = generator();
            for table in DrawTable::of_bets(&bets) {
                table.add_to(&mut totals, &mut generator);
            }
            let units = exact.quantile(place).expect("exact");
            let (share, drawn) = (exact.share_of_at_least(units), LuckyUnits::drawn(totals).share_of_at_least(units));
            let error = (share * (1.0 - share) / count(LUCKY_DRAWS)).sqrt();
            prop_assert!((share - drawn).abs() <= 4.0 * error + 1e-9, "{} {}", share, drawn);
        }

        /// The tables of draws have the mean and the variance of the bets.
        #[test]
        fn tables_of_draws_keep_mean_and_variance(bets in any_bets()) {
            let moments = |units: &[(f64, f64)]| {
                let mean: f64 = units.iter().map(|(units, share)| units * share).sum();
                (mean, units.iter().map(|(units, share)| (units - mean).powi(2) * share).sum::<f64>())
            };
            let (mean, variance) = moments(&LuckyUnits::exact(&bets).expect("few combinations").units);
            let of_bet = |bet: &FairBet| (bet.chance, bet.price.profit_per_unit() + 1.0);
            let means: f64 = bets.iter().map(of_bet).map(|(chance, odds)| chance * odds - 1.0).sum();
            let variances: f64 = bets.iter().map(of_bet).map(|(chance, odds)| chance * (1.0 - chance) * odds * odds).sum();
            prop_assert!((mean - means).abs() < 1e-9 && (variance - variances).abs() < 1e-9);
        }
    }
}
