//! What a season's leaderboards cost from scratch: signals read off lines and forecasts, then sixteen rules
//! walked over every game. `cargo bench -p sports-strategies`

mod season;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sports_domain::ModelType;
use sports_strategies::{Accounting, Leaderboard, Replay, Rule};

use season::{games, season};

const GAMES: u16 = 5_500;

fn leaderboards(criterion: &mut Criterion) {
    let recorded = season(GAMES);
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
