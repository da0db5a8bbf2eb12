//! Loops whose instructions `.ci/instructions` counts. It runs this program under callgrind, which counts only inside
//! the functions in `counted`.

mod season;

use std::hint::black_box;

use sports_performance::SeasonGame;

/// Functions that are never inlined, so that callgrind knows their symbols.
mod counted {
    use sports_domain::{ModelColumn, ModelSet};
    use sports_grading::Verdict;
    use sports_performance::{Curves, Grid, ModelSummary, SeasonGame, grids, summarise};

    use super::season::RecordedGame;

    #[inline(never)]
    pub fn grading(games: &[RecordedGame]) -> Vec<Verdict> {
        games.iter().map(|game| game.market().verdict()).collect()
    }

    #[inline(never)]
    pub fn summary_with_all_windows(games: &[SeasonGame<'_>]) -> Vec<ModelSummary> {
        summarise(games, &ModelSet::default())
    }

    #[inline(never)]
    pub fn rolling(games: &[SeasonGame<'_>]) -> Curves {
        Curves::from_games(games, &ModelSet::default())
    }

    #[inline(never)]
    pub fn density(games: &[SeasonGame<'_>]) -> Grid {
        Grid::from_games(games, ModelColumn::Blend)
    }

    /// The grids that are kept with a season.
    #[inline(never)]
    pub fn density_of_each_model(games: &[SeasonGame<'_>]) -> Vec<Grid> {
        grids(games, &ModelSet::default())
    }

    /// The figures of the specification's eight models and 8, 16 and 32 own ones.
    macro_rules! with_own_models {
        ($($grading:ident $summary:ident $rolling:ident $own:literal,)+) => {$(
            #[inline(never)]
            pub fn $grading(games: &[RecordedGame]) -> Vec<Verdict> {
                games.iter().map(|game| game.market_with($own).verdict()).collect()
            }

            #[inline(never)]
            pub fn $summary(games: &[SeasonGame<'_>], models: &ModelSet) -> Vec<ModelSummary> {
                // The assertion keeps functions with equal code apart.
                assert_eq!(models.own().len(), $own);
                summarise(games, models)
            }

            #[inline(never)]
            pub fn $rolling(games: &[SeasonGame<'_>], models: &ModelSet) -> Curves {
                assert_eq!(models.own().len(), $own);
                Curves::from_games(games, models)
            }
        )+};
    }

    with_own_models! {
        grading_of_16_models summary_of_16_models rolling_of_16_models 8,
        grading_of_24_models summary_of_24_models rolling_of_24_models 16,
        grading_of_40_models summary_of_40_models rolling_of_40_models 32,
    }
}

macro_rules! count_with_own_models {
    ($recorded:expr, $($grading:ident $summary:ident $rolling:ident $own:literal,)+) => {$(
        let names = (0..$own).map(|index| format!("m{index}").parse().expect("a name"));
        let models = sports_domain::ModelSet::new(names).expect("at most 32 names");
        let games: Vec<_> = $recorded.iter().map(|game| SeasonGame::new(&game.key, game.market_with($own))).collect();
        black_box(counted::$grading(black_box(&$recorded)));
        black_box(counted::$summary(black_box(&games), black_box(&models)));
        black_box(counted::$rolling(black_box(&games), black_box(&models)));
    )+};
}

fn main() {
    let recorded = season::season(5_500);
    let games: Vec<_> = recorded.iter().map(|game| SeasonGame::new(&game.key, game.market())).collect();
    black_box(counted::grading(black_box(&recorded)));
    black_box(counted::summary_with_all_windows(black_box(&games)));
    black_box(counted::rolling(black_box(&games)));
    black_box(counted::density(black_box(&games)));
    black_box(counted::density_of_each_model(black_box(&games)));
    count_with_own_models! { recorded,
        grading_of_16_models summary_of_16_models rolling_of_16_models 8,
        grading_of_24_models summary_of_24_models rolling_of_24_models 16,
        grading_of_40_models summary_of_40_models rolling_of_40_models 32,
    }
}
