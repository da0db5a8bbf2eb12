use sports_calibration::Interval;
use sports_domain::ModelName;
use sports_ports::PortError;
use sports_strategies::{Accounting, Leaderboard, LeaderboardEntry, RuleOutcome, StrategyGame, walk};

use super::question::{QuestionKind, SeasonFigures};
use super::uncertainty::roi_interval;
use super::{PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;

/// The strategies of a market and their records in a season.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonLeaderboard {
    pub season: PublishedSeason,
    /// The pricing and counting of bets.
    pub accounting: Accounting,
    /// The model of the edges.
    pub model: ModelName,
    /// The strategies in order of rank.
    pub strategies: Vec<StrategyRecord>,
}

/// The record of a strategy, with the uncertainty of its return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrategyRecord {
    /// The entry in the leaderboard.
    pub entry: LeaderboardEntry,
    /// The 95 percent interval of the return on stakes (1 is the sum of stakes), by resampling dates. `None` without
    /// recorded prices.
    pub roi: Option<Interval>,
}

impl StrategyRecord {
    /// Creates the record of an entry in a season's leaderboard.
    pub(super) fn in_season(
        season: &PublishedSeason,
        accounting: Accounting,
        opened: &SeasonAnalytics,
        games: &[StrategyGame<'_>],
        entry: LeaderboardEntry,
    ) -> Self {
        let roi = match accounting {
            // Returns at assumed prices carry no information.
            Accounting::LegacyV1 => None,
            Accounting::RecordedV2 => {
                let bets = walk(entry.rule, accounting, games).filter_map(|step| match step {
                    RuleOutcome::Bet(bet) => Some((opened.keys[bet.game].date, bet.profit())),
                    RuleOutcome::ExclusionReason(_) => None,
                });
                let id = entry.rule.id(season.archive.market.model_type).to_string();
                roi_interval(&season.archive, &id, bets)
            }
        };
        Self { entry, roi }
    }
}

#[derive(Hash)]
pub(super) struct LeaderboardQuestion {
    pub(super) season: PublishedSeason,
    pub(super) accounting: Accounting,
    pub(super) model: ModelName,
}

impl QuestionKind for LeaderboardQuestion {
    type Answer = SeasonLeaderboard;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonLeaderboard, PortError> {
        let Self { season, accounting, model } = self;
        let opened = figures.open(&season).await?;
        let strategies = move || {
            let model_type = season.archive.market.model_type;
            let games = opened.strategy_games_of(model);
            let leaderboard = Leaderboard::from_games(model_type, accounting, games.clone());
            // Only intervals read the games again, once for each rule.
            let games: Vec<_> = match accounting {
                Accounting::LegacyV1 => Vec::new(),
                Accounting::RecordedV2 => games.collect(),
            };
            let record =
                |entry: &LeaderboardEntry| StrategyRecord::in_season(&season, accounting, &opened, &games, *entry);
            leaderboard.entries().iter().map(record).collect()
        };
        let strategies = off_thread("the strategies of a season", strategies).await?;
        Ok(SeasonLeaderboard { season, accounting, model, strategies })
    }
}
