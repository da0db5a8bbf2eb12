//! What a season's leaderboards cost from scratch: signals read off lines and forecasts, then sixteen rules
//! walked over every game. `cargo bench -p sports-strategies`

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Probability, Total,
    TwoWayPrices,
};
use sports_strategies::{Accounting, Finality, Leaderboard, Replay, Rule, StrategyGame};

const GAMES: u16 = 5_500;

/// One game before anything is made of it.
struct RecordedGame {
    lines: GameLines,
    score: FinalScore,
    forecasts: Forecasts,
}

/// A college basketball season with every price, lines that move both ways, and pushes.
fn season() -> Vec<RecordedGame> {
    let price = |raw: u16| AmericanPrice::new(-100 - i32::from(raw % 40)).ok();
    let prices = |number: u16| TwoWayPrices { positive: price(number * 7), negative: price(number * 11) };
    let halves = |number: u16, many: u16| f64::from(number % many) / 2.0;
    let recorded = |number: u16| RecordedGame {
        lines: GameLines {
            money: prices(number),
            open_money: prices(number / 3),
            spread: HomeSpread::new(halves(number, 31) - 8.0).ok(),
            open_spread: HomeSpread::new(halves(number, 29) - 7.0).ok(),
            spread_prices: prices(number / 2),
            total: Total::new(120.0 + halves(number, 61)).ok(),
            open_total: Total::new(120.0 + halves(number, 59)).ok(),
            total_prices: prices(number / 5),
        },
        score: FinalScore { away: 55 + number % 37, home: 55 + number % 41 },
        forecasts: Probability::new(f64::from(number % 997) / 997.0)
            .map_or(Forecasts::default(), |probability| Forecasts::default().with(ModelColumn::Blend, probability)),
    };
    (0..GAMES).map(recorded).collect()
}

fn games(model_type: ModelType, recorded: &[RecordedGame]) -> Vec<StrategyGame> {
    let game = |recorded: &RecordedGame| {
        StrategyGame::new(model_type, &recorded.lines, Some(recorded.score), recorded.forecasts, Finality::Verified)
    };
    recorded.iter().map(game).collect()
}

fn leaderboards(criterion: &mut Criterion) {
    let recorded = season();
    let mut group = criterion.benchmark_group("season of 5,500 games");
    group.throughput(Throughput::Elements(GAMES.into()));
    for model_type in ModelType::ALL {
        group.bench_function(format!("{model_type}: both leaderboards from scratch"), |bencher| {
            bencher.iter(|| {
                let games = games(model_type, black_box(&recorded));
                let of = |accounting| Leaderboard::from_games(model_type, accounting, &games);
                (of(Accounting::LegacyV1), of(Accounting::RecordedV2))
            });
        });
    }
    group.bench_function("signals only", |bencher| {
        bencher.iter(|| games(ModelType::WonOnSpread, black_box(&recorded)));
    });
    let read = games(ModelType::WonOnSpread, &recorded);
    group.bench_function("one replay", |bencher| {
        bencher.iter(|| Replay::from_games(Rule::all()[0], Accounting::RecordedV2, black_box(&read)));
    });
    group.finish();
}

criterion_group!(benches, leaderboards);
criterion_main!(benches);
