//! Loops whose instructions `.ci/instructions` counts, each identified by its function in `counted`. Callgrind counts
//! only while one of those functions runs.

mod season;

use std::hint::black_box;

use sports_domain::ModelType;

/// Functions that are never inlined, so that each has a symbol.
mod counted {
    use sports_domain::ModelType;
    use sports_strategies::{Accounting, Leaderboard, Replay, Strategy, StrategyGame};

    use super::season::{RecordedGame, games};

    #[inline(never)]
    pub fn both_leaderboards(recorded: &[RecordedGame]) -> [Leaderboard; 2] {
        let games = games(ModelType::WonOnSpread, recorded);
        let leaderboard = |accounting| Leaderboard::from_games(ModelType::WonOnSpread, accounting, &games);
        Accounting::ALL.map(leaderboard)
    }

    #[inline(never)]
    pub fn one_replay(games: &[StrategyGame<'_>]) -> Replay {
        Replay::from_games(Strategy::all()[0], Accounting::RecordedV2, games)
    }
}

fn main() {
    let recorded = season::season(5_500);
    black_box(counted::both_leaderboards(black_box(&recorded)));
    let games = season::games(ModelType::WonOnSpread, &recorded);
    black_box(counted::one_replay(black_box(&games)));
}
