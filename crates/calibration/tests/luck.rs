//! The luck of rules in a market that is right: *p* is uniform.

use sports_calibration::{FairBet, Luck, LuckySearch, LuckyUnits, SplitMix64};
use sports_domain::AmericanPrice;

/// The number of simulated seasons.
const SEASONS: usize = 1_000;

/// The distance of Kolmogorov and Smirnov that 1,000 numbers exceed with a probability of 1 percent.
const LARGEST_DISTANCE: f64 = 0.0515;

/// Returns the distance of numbers from the uniform distribution.
fn distance(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let size = f64::from(u32::try_from(numbers.len()).expect("few"));
    let ends = numbers.iter().zip(0_u32..).flat_map(|(number, below)| {
        let below = f64::from(below);
        [number - below / size, (below + 1.0) / size - number]
    });
    ends.fold(0.0, f64::max)
}

/// A season of bets at four prices, each with its own chance.
fn season(generator: &mut SplitMix64) -> Vec<FairBet> {
    let prices = [-137, -118, 103, 129].map(|raw| AmericanPrice::new(raw).expect("a price"));
    let chance = |price: AmericanPrice, shift: usize| {
        price.break_even() - 0.03 + f64::from(u32::try_from(shift).expect("small")) / 1_000.0
    };
    let bets = (0..36).map(|bet| {
        let price = prices[bet % 4];
        FairBet { price, chance: chance(price, generator.below(30)) }
    });
    bets.collect()
}

/// Returns the luck of a rule whose bets win with the chances of the market.
fn luck(generator: &mut SplitMix64) -> Luck {
    let bets = season(generator);
    let won = |bet: &FairBet, generator: &mut SplitMix64| {
        let number = f64::from(u32::try_from(generator.below(1 << 31)).expect("31 bits")) / f64::from(1_u32 << 31);
        if number < bet.chance { bet.price.profit_per_unit() } else { -1.0 }
    };
    let units = bets.iter().map(|bet| won(bet, generator)).sum();
    let lucky = LuckyUnits::exact(&bets).expect("10,000 combinations");
    Luck { p: lucky.share_of_at_least(units), bets: 36, units, p_random_games: 1.0, lucky }
}

#[test]
fn p_is_uniform_where_the_market_is_right() {
    let mut generator = SplitMix64::from_names(&["seasons"]);
    let distance = distance((0..SEASONS).map(|_| luck(&mut generator).p).collect());
    assert!(distance < LARGEST_DISTANCE, "{distance}");
}

#[test]
fn p_of_the_best_of_seven_independent_rules_is_uniform() {
    let mut generator = SplitMix64::from_names(&["searches"]);
    let mut best = || {
        let rules = (0..7).map(|_| luck(&mut generator));
        rules.min_by(|one, other| one.p.total_cmp(&other.p)).expect("seven rules")
    };
    let distance = distance((0..SEASONS).map(|_| LuckySearch::of(&best(), 7).p_of_best).collect());
    assert!(distance < LARGEST_DISTANCE, "{distance}");
}
