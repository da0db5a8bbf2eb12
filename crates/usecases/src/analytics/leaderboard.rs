use sports_ports::PortError;
use sports_strategies::{Accounting, Leaderboard};

use super::PublishedSeason;
use super::question::{QuestionKind, SeasonFigures};

/// The strategies of a market and how they did in a season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonLeaderboard {
    /// The season.
    pub season: PublishedSeason,
    /// How bets are priced and counted.
    pub accounting: Accounting,
    /// The strategies in order of rank.
    pub leaderboard: Leaderboard,
}

#[derive(Debug)]
pub(super) struct LeaderboardQuestion {
    pub(super) season: PublishedSeason,
    pub(super) accounting: Accounting,
}

impl QuestionKind for LeaderboardQuestion {
    type Answer = SeasonLeaderboard;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonLeaderboard, PortError> {
        let Self { season, accounting } = self;
        let opened = figures.open(&season).await?;
        let model_type = season.archive.market.model_type;
        let leaderboard = Leaderboard::from_games(model_type, accounting, &opened.strategy_games);
        Ok(SeasonLeaderboard { season, accounting, leaderboard })
    }
}
