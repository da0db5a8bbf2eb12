//! Loops whose instructions `.ci/instructions` counts. It runs this program under callgrind, which counts only
//! inside the functions in `counted`.

mod season;

use std::hint::black_box;

/// Functions that are never inlined, so that callgrind knows their symbols.
mod counted {
    use sports_calibration::{Calibration, ModelForecasts, calibrate};

    #[inline(never)]
    pub fn seven_models(models: &[ModelForecasts<'_>]) -> Vec<Calibration> {
        // The assertion keeps functions with equal code apart.
        assert_eq!(models.len(), 7);
        calibrate(models, "a snapshot")
    }

    #[inline(never)]
    pub fn forty_models(models: &[ModelForecasts<'_>]) -> Vec<Calibration> {
        assert_eq!(models.len(), 40);
        calibrate(models, "a snapshot")
    }
}

fn main() {
    let seven = season::season(100);
    black_box(counted::seven_models(black_box(&seven)));
    let forty: Vec<_> = seven.iter().cycle().take(40).cloned().collect();
    black_box(counted::forty_models(black_box(&forty)));
}
