//! What the calibration of a season costs, all draws included. `cargo bench -p sports-calibration`

mod season;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sports_calibration::calibrate;

const GAMES: usize = 5_500;

fn seasons(criterion: &mut Criterion) {
    let season = season::season(GAMES);
    let mut group = criterion.benchmark_group("calibration");
    group.sample_size(20);
    group.bench_function("5,500 games and seven models", |bencher| {
        bencher.iter(|| calibrate(black_box(&season), "a snapshot"));
    });
    group.finish();
}

criterion_group!(benches, seasons);
criterion_main!(benches);
