//! Tests that the simulated market is better calibrated than the models, and that no model has an edge on it.
//!
//! Everything is computed here from the rows of the files, by no crate of the workspace: the market's probability from the two
//! prices without their margin, the penalties from the finals, and what a unit earns from its price.

use std::collections::{BTreeMap, HashMap};

use sports_demo::simulation::World;
use sports_domain::Sport;

use crate::table::{Row, at, seasons};

/// The seed and the number of seasons of the demo's world, and some days on which it begins: the games of a season depend on its
/// label.
const SEED: u64 = 7;
const SEASONS: usize = 3;
const INSTANTS: [&str; 3] = ["2026-02-14T15:30:00Z", "2026-11-29T15:30:00Z", "2028-06-20T15:30:00Z"];

const MODELS: [&str; 10] = ["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ELO", "goalie_net"];

/// Each market, with the columns of the prices of its positive and its negative side.
const MARKETS: [(&str, [&str; 2]); 3] = [
    ("over_under", ["over_line", "under_line"]),
    ("won_on_points", ["home_money_line", "away_money_line"]),
    ("won_on_spread", ["home_point_spread_line", "away_point_spread_line"]),
];

/// The number of bets below which the site computes no p-value.
const LEAST_BETS: usize = 30;

/// A forecast of a game with a final and both prices.
struct Forecast {
    season: String,
    date: String,
    model: f64,
    /// The market's probability.
    market: f64,
    /// The earnings of one unit on the positive and on the negative side.
    earned: [f64; 2],
    /// The earnings that the model expects.
    expected: [f64; 2],
    /// The earnings of one unit at the opening prices, and those that the model expects; `None` without two of them.
    opening: Option<([f64; 2], [f64; 2])>,
    /// The outcome; `None` for a push.
    outcome: Option<bool>,
}

impl Forecast {
    fn of(row: &Row, game: &Row, market: &str, prices: [&str; 2], model: &str) -> Option<Self> {
        let model = row.number(model)?;
        let beyond = match market {
            "over_under" => game.points()? - game.number("over_under")?,
            "won_on_spread" => game.margin()? + game.number("home_point_spread")?,
            _ => game.margin()?,
        };
        let outcome = (beyond != 0.0).then_some(beyond > 0.0);
        let decimal = |price: f64| 1.0 + if price > 0.0 { price / 100.0 } else { -100.0 / price };
        let [positive, negative] = [decimal(game.number(prices[0])?), decimal(game.number(prices[1])?)];
        let earned = |odds: f64, side| outcome.map_or(0.0, |won| if won == side { odds - 1.0 } else { -1.0 });
        let bets = |positive: f64, negative: f64| {
            let expected = [model * positive - 1.0, (1.0 - model) * negative - 1.0];
            ([earned(positive, true), earned(negative, false)], expected)
        };
        // A feed without openers writes zero. Spreads and totals have no opening prices.
        let opener = |side: &str| game.number(&format!("open_{side}_money_line")).filter(|price| *price != 0.0);
        let opening = opener("home").zip(opener("away")).filter(|_| market == "won_on_points");
        let (earned, expected) = bets(positive, negative);
        Some(Self {
            season: game.text("season").to_owned(),
            date: game.text("date").to_owned(),
            model,
            market: (1.0 / positive) / (1.0 / positive + 1.0 / negative),
            earned,
            expected,
            opening: opening.map(|(home, away)| bets(decimal(home), decimal(away))),
            outcome,
        })
    }

    /// Returns the Brier score and the log loss of a probability; `None` for a push.
    fn penalties(&self, probability: f64) -> Option<[f64; 2]> {
        let right = if self.outcome? { probability } else { 1.0 - probability };
        Some([(1.0 - right).powi(2), -right.ln()])
    }
}

/// Returns the forecasts of each market and model of a league.
fn forecasts(world: &World, sport: Sport, instant: &str) -> BTreeMap<(&'static str, &'static str), Vec<Forecast>> {
    let files = world.history_release(sport, at(instant));
    let rows = |folder: &str| seasons(&files, folder).into_iter().flat_map(|(_, rows)| rows).collect::<Vec<_>>();
    let games: HashMap<_, _> = rows("games/").into_iter().map(|row| (row.key(), row)).collect();
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (market, prices) in MARKETS {
        for row in rows(&format!("probabilities/{market}/")) {
            for model in MODELS {
                let forecast = Forecast::of(&row, &games[&row.key()], market, prices, model);
                found.entry((market, model)).or_default().extend(forecast);
            }
        }
    }
    found
}

/// The sums of BLEND's and of the market's penalties over decided games.
#[derive(Default)]
struct Penalties {
    games: f64,
    blend: [f64; 2],
    market: [f64; 2],
}

impl Penalties {
    fn add(&mut self, forecasts: &[Forecast]) {
        for it in forecasts {
            let Some((blend, market)) = it.penalties(it.model).zip(it.penalties(it.market)) else { continue };
            self.games += 1.0;
            for kind in 0..2 {
                self.blend[kind] += blend[kind];
                self.market[kind] += market[kind];
            }
        }
    }
}

#[test]
fn the_market_is_a_little_better_calibrated_than_blend() {
    for instant in INSTANTS {
        let world = World::new(SEED, at(instant), SEASONS);
        // A single market of a league has too few games to tell so small a difference from luck.
        let mut pools: BTreeMap<String, Penalties> = BTreeMap::new();
        for sport in Sport::ALL {
            for ((market, _), of_blend) in
                forecasts(&world, sport, instant).iter().filter(|((_, it), _)| *it == "BLEND")
            {
                for pool in [sport.to_string(), (*market).to_owned(), "all".to_owned()] {
                    pools.entry(pool).or_default().add(of_blend);
                }
            }
        }
        assert_eq!(pools.len(), Sport::ALL.len() + MARKETS.len() + 1);
        for (pool, Penalties { games, blend, market }) in pools {
            let [brier, log_loss] = [0, 1].map(|kind| (blend[kind] / games, market[kind] / games));
            println!("{instant} {pool}: Brier {brier:.5?}, log loss {log_loss:.5?} of {games} forecasts");
            for (kind, (blend, market)) in [("Brier", brier), ("log loss", log_loss)] {
                let worse = (blend - market) / market;
                assert!(worse > 0.0 && worse < 0.03, "{instant} {pool} {kind}: {blend} and {market}");
            }
        }
    }
}

/// Bets on the better side: each on the date of its game, with its earnings.
type Bets<'f> = Vec<(&'f str, f64)>;

/// Returns the mean of bets, and the one-sided p-value of an edge by the normal distribution. Bets of one date go together.
fn edge(bets: &Bets<'_>) -> (f64, f64) {
    let count = bets.iter().map(|_| 1.0).sum::<f64>();
    let mean = bets.iter().map(|(_, earned)| earned).sum::<f64>() / count;
    let mut dates: BTreeMap<&str, f64> = BTreeMap::new();
    for (date, earned) in bets {
        *dates.entry(date).or_default() += earned - mean;
    }
    let error = dates.values().map(|off| off * off).sum::<f64>().sqrt() / count;
    (mean, upper_tail(mean / error))
}

/// Returns the upper tail of the standard normal distribution (Abramowitz and Stegun, 26.2.17).
fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let factors = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let series = factors.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series
}

#[test]
fn the_upper_tail_is_that_of_a_table() {
    for (z, tail) in [(0.0, 0.5), (1.0, 0.158_655), (1.959_964, 0.025), (3.0, 0.001_350), (-1.0, 0.841_345)] {
        assert!((upper_tail(z) - tail).abs() < 1e-6, "{z}");
    }
}

/// Returns what a bet on the better side earns, if the model expects more than `least` of it.
fn bet((earned, expected): ([f64; 2], [f64; 2]), least: f64) -> Option<f64> {
    let side = usize::from(expected[1] > expected[0]);
    (expected[side] > least).then_some(earned[side])
}

/// Each model bets on every game, and on those alone from which it expects to earn, at closing and at opening prices; in all seasons,
/// and in the newest.
#[test]
fn no_edge_of_a_model_is_significant_after_holms_correction() {
    for instant in INSTANTS {
        let world = World::new(SEED, at(instant), SEASONS).with_own_models();
        let mut tests = Vec::new();
        for sport in Sport::ALL {
            for ((market, model), forecasts) in forecasts(&world, sport, instant) {
                let newest = forecasts.iter().map(|it| &it.season).max().cloned().unwrap_or_default();
                for (which, oldest) in [("all seasons", ""), ("the newest season", newest.as_str())] {
                    let newer = || forecasts.iter().filter(|it| *it.season >= *oldest);
                    let every = f64::NEG_INFINITY;
                    let closing = |least| {
                        newer()
                            .filter_map(|it| Some((it.date.as_str(), bet((it.earned, it.expected), least)?)))
                            .collect()
                    };
                    let opening =
                        |least| newer().filter_map(|it| Some((it.date.as_str(), bet(it.opening?, least)?))).collect();
                    let kinds: [(_, Bets<'_>); 5] = [
                        ("every game", closing(every)),
                        ("expected to earn", closing(0.0)),
                        ("every opener", opening(every)),
                        ("opener expected to earn", opening(0.0)),
                        ("opener expected to earn 3 %", opening(0.03)),
                    ];
                    for (kind, bets) in kinds {
                        if bets.len() >= LEAST_BETS {
                            let (mean, p) = edge(&bets);
                            tests.push((p, format!("{sport} {market} {model}, {kind}, {which}: {mean:+.4}")));
                        }
                    }
                }
            }
        }
        tests.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(tests.len() > 400, "{}", tests.len());
        // Holm: the smallest is multiplied by the number of all, the next by one less. The smallest decides.
        let count = tests.iter().map(|_| 1.0).sum::<f64>();
        let (p, name) = &tests[0];
        println!(
            "{instant}: the smallest of {count} p-values is {p:.4}, corrected {:.3}: {name}",
            (p * count).min(1.0)
        );
        assert!(p * count >= 0.05, "{instant} {name}: p {p}");
    }
}
