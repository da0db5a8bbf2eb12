//! Loops whose instructions `.ci/instructions` counts. It runs this program under callgrind, which counts only inside
//! the functions in `counted`.

mod season;

use std::hint::black_box;

use sports_performance::SeasonGame;

/// Functions that are never inlined, so that callgrind knows their symbols.
mod counted {
    use sports_domain::ModelSet;
    use sports_grading::Verdict;
    use sports_performance::{ModelSummary, SeasonGame, summarise};

    use super::season::RecordedGame;

    #[inline(never)]
    pub fn grading(games: &[RecordedGame]) -> Vec<Verdict> {
        games.iter().map(|game| game.market().verdict()).collect()
    }

    #[inline(never)]
    pub fn summary_with_all_windows(games: &[SeasonGame<'_>]) -> Vec<ModelSummary> {
        summarise(games, &ModelSet::default())
    }
}

fn main() {
    let recorded = season::season(5_500);
    let games: Vec<_> = recorded.iter().map(|game| SeasonGame::new(&game.key, game.market())).collect();
    black_box(counted::grading(black_box(&recorded)));
    black_box(counted::summary_with_all_windows(black_box(&games)));
}
