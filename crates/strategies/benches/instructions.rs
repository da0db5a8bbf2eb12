//! Loops whose instructions `.ci/instructions` counts, each identified by its function in `counted`. Callgrind counts
//! only while one of those functions runs.

mod season;

use std::hint::black_box;

use sports_domain::{GameKey, Market, ModelColumn, ModelSet, ModelType, Season, Sport, TeamSlug};
use sports_strategies::{Rule, RuleContext, RuleRequest, RuleRow, SeasonRows};

/// Functions that are never inlined, so that each has a symbol.
mod counted {
    use sports_domain::ModelType;
    use sports_strategies::{
        Accounting, Backtest, Leaderboard, Replay, RuleRequest, SeasonRows, Strategy, StrategyGame,
    };

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

    #[inline(never)]
    pub fn one_backtest(request: &RuleRequest, season: SeasonRows<'_>) -> Backtest {
        Backtest::new(&request.rule, request.tried, &[season])
    }
}

/// Returns the keys of games on the dates of a season.
fn keys(games: usize) -> Vec<GameKey> {
    let team = |name: &str| TeamSlug::normalise(name).expect("a team");
    let first = chrono::NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date");
    let key = |game: usize| GameKey {
        date: first + chrono::Days::new(u64::try_from(game / 37).expect("few")),
        time: None,
        away: team("duke"),
        home: team("kansas"),
        game_number: None,
    };
    (0..games).map(key).collect()
}

/// Returns a rule that bets every game with a pick and both prices.
fn rule() -> (Season, RuleRequest) {
    let season = Season::parse(Sport::Ncaab, "2023-24").expect("a season");
    let blend = ModelColumn::Blend.into();
    let context = RuleContext {
        market: Market::new(Sport::Ncaab, ModelType::WonOnSpread),
        models: &[blend],
        default_model: blend,
        seasons: &[season],
        default_season: season,
    };
    (season, Rule::parse(context, [("bet", "pick"), ("tried", "12")]).expect("a rule"))
}

fn main() {
    let recorded = season::season(5_500);
    black_box(counted::both_leaderboards(black_box(&recorded)));
    let games = season::games(ModelType::WonOnSpread, &recorded);
    black_box(counted::one_replay(black_box(&games)));
    let ((season, request), keys, models) = (rule(), keys(games.len()), ModelSet::default());
    let rows = keys.iter().zip(games).map(|(key, game)| RuleRow { key, game }).collect();
    let season = SeasonRows { season, snapshot: "a snapshot", models: &models, rows };
    black_box(counted::one_backtest(&request, black_box(season)));
}
