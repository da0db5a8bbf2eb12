//! The loop whose instructions `.ci/instructions` counts, by the name of its function in `counted`: it runs it under
//! callgrind, which counts while that function runs and at no other time.

mod season;

use std::hint::black_box;

/// Never inlined, so that it is a symbol of its own.
mod counted {
    use sports_calibration::{Calibration, ModelForecasts, calibrate};

    #[inline(never)]
    pub fn one_model_with_all_draws(models: &[ModelForecasts<'_>]) -> Vec<Calibration> {
        calibrate(models, "a snapshot")
    }
}

fn main() {
    let season = season::season(1_000);
    black_box(counted::one_model_with_all_draws(black_box(&season[..1])));
}
