//! Loops whose instructions `.ci/instructions` counts, each by the name of its function in `counted`: it runs them under
//! callgrind, which counts while one of those functions runs and at no other time.

mod season;

use std::hint::black_box;

use sports_domain::ModelType;

/// Never inlined, so that each is a symbol of its own.
mod counted {
    use sports_domain::ModelType;
    use sports_strategies::{Accounting, Leaderboard, Replay, Rule, StrategyGame};

    use super::season::{RecordedGame, games};

    #[inline(never)]
    pub fn both_leaderboards(recorded: &[RecordedGame]) -> [Leaderboard; 2] {
        let games = games(ModelType::WonOnSpread, recorded);
        let leaderboard = |accounting| Leaderboard::from_games(ModelType::WonOnSpread, accounting, &games);
        Accounting::ALL.map(leaderboard)
    }

    #[inline(never)]
    pub fn one_replay(games: &[StrategyGame]) -> Replay {
        Replay::from_games(Rule::all()[0], Accounting::RecordedV2, games)
    }
}

fn main() {
    let recorded = season::season(5_500);
    black_box(counted::both_leaderboards(black_box(&recorded)));
    let games = season::games(ModelType::WonOnSpread, &recorded);
    black_box(counted::one_replay(black_box(&games)));
}
