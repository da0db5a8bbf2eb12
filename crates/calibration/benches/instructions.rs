//! The loop whose instructions `.ci/instructions` counts. It runs this program under callgrind, which counts only
//! inside the function in `counted`.

mod season;

use std::hint::black_box;

/// Functions that are never inlined, so that callgrind knows their symbols.
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
