use sports_calibration::Interval;
use sports_domain::{AmericanPrice, GameKey, ModelName};
use sports_ports::PortError;
use sports_publication::CountedForecasts;
use sports_strategies::{
    Accounting, ExclusionReason, Leaderboard, LeaderboardEntry, Replay, ReplayedBet, RuleOutcome, Strategy,
    StrategyGame, walk,
};

use super::market_seasons::roi_interval;
use super::season_figures::{QuestionKind, SeasonFigures};
use super::{ForecastCounts, PublishedSeason, SeasonAnalytics};
use crate::chosen_models::MissingModel;
use crate::record::off_thread;

/// A strategy's season, bet by bet.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonReplay {
    pub season: PublishedSeason,
    /// The pricing and counting of bets.
    pub accounting: Accounting,
    /// The model of the edges.
    pub model: ModelName,
    /// The strategy's record in the leaderboard.
    pub strategy: StrategyRecord,
    /// The bets, oldest first.
    pub bets: Vec<PlacedBet>,
    /// Finished games with a signal but without a bet, oldest first; empty unless requested.
    pub excluded: Vec<ExcludedGame>,
    /// The season's games by the kind of their forecast.
    pub forecast_games: ForecastCounts,
    /// The note on a model without a value in the season.
    pub missing: Option<MissingModel>,
}

/// A bet of a replay, with its game.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedBet {
    pub game: GameKey,
    /// The identity of the game.
    pub game_id: String,
    /// The total, or the points given to the strategy's side; `None` on a moneyline.
    pub line: Option<f64>,
    /// The bet, and the account after it.
    pub replayed: ReplayedBet,
}

/// A finished game with a signal but without a bet.
#[derive(Debug, Clone, PartialEq)]
pub struct ExcludedGame {
    pub game: GameKey,
    /// The identity of the game.
    pub game_id: String,
    /// The total, or the points given to the strategy's side; `None` on a moneyline.
    pub line: Option<f64>,
    /// The recorded price of the strategy's side.
    pub price: Option<AmericanPrice>,
    /// The reason for which no bet is placed.
    pub reason: ExclusionReason,
}

/// The treatment of excluded games in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExcludedGames {
    /// Excluded games are listed.
    Listed,
    /// Excluded games are left out.
    LeftOut,
}

/// A strategy to replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayedRule {
    pub rule: Strategy,
    /// The pricing and counting of bets.
    pub accounting: Accounting,
    /// The excluded games that the answer lists.
    pub excluded: ExcludedGames,
    /// The model of the edges; `None` for the default model of the market.
    pub model: Option<ModelName>,
    /// The only forecasts whose games are bet on; `None` bets on all games.
    pub counted: Option<CountedForecasts>,
}

#[derive(Hash)]
pub(super) struct ReplayQuestion {
    pub(super) season: PublishedSeason,
    pub(super) rule: Strategy,
    pub(super) accounting: Accounting,
    pub(super) excluded: ExcludedGames,
    pub(super) model: ModelName,
    /// The models that the reader may not see.
    pub(super) hidden: Vec<ModelName>,
    pub(super) counted: Option<CountedForecasts>,
}

impl QuestionKind for ReplayQuestion {
    type Answer = SeasonReplay;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonReplay, PortError> {
        let (opened, games) = figures.open_counted(&self.season, self.counted).await?;
        off_thread("the replay of a season", move || self.replayed(&opened, games)).await?
    }
}

impl ReplayQuestion {
    fn replayed(self, opened: &SeasonAnalytics, forecast_games: ForecastCounts) -> Result<SeasonReplay, PortError> {
        let Self { season, rule, accounting, excluded, model, hidden, .. } = self;
        let (games, model_type) =
            (opened.strategy_games_of(model).collect::<Vec<_>>(), season.archive.market.model_type);
        let games = games.as_slice();
        let entry = Leaderboard::from_games(model_type, accounting, games).entry(rule).copied();
        let entry = entry.ok_or_else(|| PortError::corrupt("strategies", "the leaderboard lacks a rule"))?;
        let strategy = StrategyRecord::in_season(&season, accounting, opened, games, entry);
        let replay = Replay::from_games(rule, accounting, games);
        let bet = |replayed: &ReplayedBet| PlacedBet {
            game: opened.keys[replayed.bet.game].clone(),
            game_id: opened.ids[replayed.bet.game].to_string(),
            line: line(games, rule, replayed.bet.game),
            replayed: *replayed,
        };
        let exclusions = replay.excluded.iter().filter(|_| excluded == ExcludedGames::Listed);
        let excluded = exclusions.map(|exclusion| ExcludedGame {
            game: opened.keys[exclusion.game].clone(),
            game_id: opened.ids[exclusion.game].to_string(),
            line: line(games, rule, exclusion.game),
            price: games[exclusion.game].market().prices().on(rule.side()),
            reason: exclusion.reason,
        });
        let (bets, excluded) = (replay.bets.iter().map(bet).collect(), excluded.collect());
        let missing = MissingModel::among(model, opened.covered_models(), &hidden);
        Ok(SeasonReplay { season, accounting, model, strategy, bets, excluded, forecast_games, missing })
    }
}

/// Returns the line of a game from the side of the rule.
fn line(games: &[StrategyGame<'_>], rule: Strategy, game: usize) -> Option<f64> {
    games[game].market().line()?.seen_from(rule.side())
}

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
    /// The season's games by the kind of their forecast.
    pub forecast_games: ForecastCounts,
    /// The note on a model without a value in the season.
    pub missing: Option<MissingModel>,
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
    /// The models that the reader may not see.
    pub(super) hidden: Vec<ModelName>,
    /// The only forecasts whose games are bet on; `None` bets on all games.
    pub(super) counted: Option<CountedForecasts>,
}

impl QuestionKind for LeaderboardQuestion {
    type Answer = SeasonLeaderboard;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonLeaderboard, PortError> {
        let Self { season, accounting, model, hidden, counted } = self;
        let (opened, forecast_games) = figures.open_counted(&season, counted).await?;
        let missing = MissingModel::among(model, opened.covered_models(), &hidden);
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
        Ok(SeasonLeaderboard { season, accounting, model, strategies, forecast_games, missing })
    }
}
