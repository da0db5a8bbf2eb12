//! What a season's figures cost for each row and model, beside a plain loop over plain columns that counts the same.
//! `cargo bench -p sports-performance`

mod season;

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use sports_domain::{AmericanPrice, HomeSpread, ModelColumn, Probability};
use sports_performance::{Curves, Grid, SeasonGame, summarise};

use season::{GAMES_OF_A_DAY, RecordedGame};

const GAMES: u16 = 5_500;
const MODELS: usize = ModelColumn::ALL.len();

/// The same season as a person would put it into arrays: a column each.
struct PlainSeason {
    days: Vec<u16>,
    probabilities: [Vec<f64>; MODELS],
    /// What the home team is ahead by, its spread included.
    beyond: Vec<f64>,
    profits: [Vec<f64>; 2],
}

impl PlainSeason {
    fn new(season: &[RecordedGame]) -> Self {
        let probability = |game: &RecordedGame, model| game.market().probability(model).map_or(0.5, Probability::get);
        let spread = |game: &RecordedGame| game.lines.spread.map_or(0.0, HomeSpread::home);
        let profit = |price: Option<AmericanPrice>| price.map_or(0.0, AmericanPrice::profit_per_unit);
        let games = || season.iter();
        Self {
            days: (0..GAMES).map(|number| number / GAMES_OF_A_DAY).collect(),
            probabilities: ModelColumn::ALL.map(|model| games().map(|game| probability(game, model)).collect()),
            beyond: games().map(|game| f64::from(game.score.home_margin()) + spread(game)).collect(),
            profits: [
                games().map(|game| profit(game.lines.spread_prices.positive)).collect(),
                games().map(|game| profit(game.lines.spread_prices.negative)).collect(),
            ],
        }
    }

    /// Whether the pick of one row won; `None` for a push and at one half.
    fn won(&self, model: usize, row: usize) -> Option<bool> {
        let (probability, beyond) = (self.probabilities[model][row], self.beyond[row]);
        if beyond == 0.0 || probability - 0.5 == 0.0 { None } else { Some((probability > 0.5) == (beyond > 0.0)) }
    }

    /// Wins and losses of each model.
    fn graded(&self) -> [[u32; 2]; MODELS] {
        let mut tallies = [[0; 2]; MODELS];
        for (model, tally) in tallies.iter_mut().enumerate() {
            for row in 0..self.beyond.len() {
                if let Some(won) = self.won(model, row) {
                    tally[usize::from(won)] += 1;
                }
            }
        }
        tallies
    }

    /// For each model and each of three windows: wins, losses, and what a unit on the better side of each game returned.
    fn summary(&self) -> [[([u32; 2], f64); 3]; MODELS] {
        let last = self.days.iter().copied().max().unwrap_or_default();
        let mut summaries = [[([0; 2], 0.0); 3]; MODELS];
        for (model, spans) in summaries.iter_mut().enumerate() {
            for (span, days) in spans.iter_mut().zip([u16::MAX, 28, 7]) {
                for row in (0..self.beyond.len()).filter(|row| last - self.days[*row] < days) {
                    if let Some(won) = self.won(model, row) {
                        span.0[usize::from(won)] += 1;
                    }
                    span.1 += self.returned(model, row);
                }
            }
        }
        summaries
    }

    fn returned(&self, model: usize, row: usize) -> f64 {
        let (home, beyond) = (self.probabilities[model][row], self.beyond[row]);
        let on_home = home * self.profits[0][row] - (1.0 - home);
        let on_away = (1.0 - home) * self.profits[1][row] - home;
        let side = usize::from(on_away > on_home);
        if beyond == 0.0 {
            0.0
        } else if (side == 0) == (beyond > 0.0) {
            self.profits[side][row]
        } else {
            -1.0
        }
    }

    /// For each model and day, wins and losses of the 28 days that end on it.
    fn rolling(&self) -> Vec<Vec<[u32; 2]>> {
        let curve = |model| {
            let mut days: BTreeMap<u16, [u32; 2]> = BTreeMap::new();
            for row in 0..self.beyond.len() {
                if let Some(won) = self.won(model, row) {
                    days.entry(self.days[row]).or_default()[usize::from(won)] += 1;
                }
            }
            let sum = |day: u16| {
                let window = days.range(day.saturating_sub(27)..=day);
                window.fold([0, 0], |sum, (_, day)| [sum[0] + day[0], sum[1] + day[1]])
            };
            days.keys().map(|day| sum(*day)).collect()
        };
        (0..MODELS).map(curve).collect()
    }
}

fn figures(criterion: &mut Criterion) {
    let recorded = season::season(GAMES);
    let plain = PlainSeason::new(&recorded);
    let games: Vec<_> = recorded.iter().map(|game| SeasonGame::new(&game.key, game.market())).collect();
    let rows = usize::from(GAMES);
    let mut group = per_row(criterion, "grading, a row and model", rows * MODELS);
    group.bench_function("ours", |bencher| {
        let mut verdicts = Vec::with_capacity(recorded.len());
        bencher.iter(|| {
            verdicts.clear();
            verdicts.extend(black_box(&recorded).iter().map(|game| game.market().verdict()));
            black_box(&mut verdicts);
        });
    });
    group.bench_function("plain loop", |bencher| bencher.iter(|| black_box(&plain).graded()));
    group.finish();

    let mut group = per_row(criterion, "summary with all windows, a row and model", rows * (MODELS + 1));
    group.bench_function("ours", |bencher| bencher.iter(|| summarise(black_box(&games))));
    group.bench_function("plain loop", |bencher| bencher.iter(|| black_box(&plain).summary()));
    group.finish();

    let mut group = per_row(criterion, "rolling, a row and model", rows * MODELS);
    group.bench_function("ours", |bencher| bencher.iter(|| Curves::from_games(black_box(&games))));
    group.bench_function("plain loop", |bencher| bencher.iter(|| black_box(&plain).rolling()));
    group.finish();

    let mut group = per_row(criterion, "density, a row", rows);
    group.bench_function("ours", |bencher| bencher.iter(|| Grid::from_games(black_box(&games))));
    group.finish();
}

fn per_row<'c>(criterion: &'c mut Criterion, name: &str, elements: usize) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements.try_into().expect("few")));
    group
}

criterion_group!(benches, figures);
criterion_main!(benches);
