use sports_domain::{AmericanPrice, GameKey};
use sports_ports::PortError;
use sports_strategies::{Accounting, ExclusionReason, Leaderboard, Replay, ReplayedBet, Rule};

use super::question::{QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics, StrategyRecord};
use crate::record::off_thread;

/// A strategy's season, bet by bet.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonReplay {
    /// The season.
    pub season: PublishedSeason,
    /// How bets are priced and counted.
    pub accounting: Accounting,
    /// The strategy in the leaderboard.
    pub strategy: StrategyRecord,
    /// Its bets, oldest first.
    pub bets: Vec<PlacedBet>,
    /// Finished games with a signal that are no bets, oldest first; empty unless they are listed.
    pub excluded: Vec<ExcludedGame>,
}

/// A bet of a replay, on its game.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedBet {
    /// The game.
    pub game: GameKey,
    /// The total, or the points given to the strategy's side; `None` on a moneyline.
    pub line: Option<f64>,
    /// The bet, and the account after it.
    pub replayed: ReplayedBet,
}

/// A finished game with a signal that is no bet.
#[derive(Debug, Clone, PartialEq)]
pub struct ExcludedGame {
    /// The game.
    pub game: GameKey,
    /// The total, or the points given to the strategy's side; `None` on a moneyline.
    pub line: Option<f64>,
    /// The recorded price of that side.
    pub price: Option<AmericanPrice>,
    /// Why it is no bet.
    pub reason: ExclusionReason,
}

/// Whether a replay lists the games that are no bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExcludedGames {
    /// They are listed.
    Listed,
    /// They are left out.
    LeftOut,
}

#[derive(Debug)]
pub(super) struct ReplayQuestion {
    pub(super) season: PublishedSeason,
    pub(super) rule: Rule,
    pub(super) accounting: Accounting,
    pub(super) excluded: ExcludedGames,
}

impl QuestionKind for ReplayQuestion {
    type Answer = SeasonReplay;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<SeasonReplay, PortError> {
        let opened = figures.open(&self.season).await?;
        off_thread("the replay of a season", move || self.replayed(&opened)).await?
    }
}

impl ReplayQuestion {
    fn replayed(self, opened: &SeasonAnalytics) -> Result<SeasonReplay, PortError> {
        let Self { season, rule, accounting, excluded } = self;
        let (games, model_type) = (&opened.strategy_games, season.archive.market.model_type);
        let entry = Leaderboard::from_games(model_type, accounting, games).entry(rule).copied();
        let entry = entry.ok_or_else(|| PortError::corrupt("strategies", "the leaderboard lacks a rule"))?;
        let strategy = StrategyRecord::in_season(&season, accounting, opened, entry);
        let replay = Replay::from_games(rule, accounting, games);
        let bet = |replayed: &ReplayedBet| PlacedBet {
            game: opened.keys[replayed.bet.game].clone(),
            line: line(opened, rule, replayed.bet.game),
            replayed: *replayed,
        };
        let exclusions = replay.excluded.iter().filter(|_| excluded == ExcludedGames::Listed);
        let excluded = exclusions.map(|exclusion| ExcludedGame {
            game: opened.keys[exclusion.game].clone(),
            line: line(opened, rule, exclusion.game),
            price: games[exclusion.game].market().prices().on(rule.side()),
            reason: exclusion.reason,
        });
        let (bets, excluded) = (replay.bets.iter().map(bet).collect(), excluded.collect());
        Ok(SeasonReplay { season, accounting, strategy, bets, excluded })
    }
}

/// The line of a game as the rule's side sees it.
fn line(opened: &SeasonAnalytics, rule: Rule, game: usize) -> Option<f64> {
    opened.strategy_games[game].market().line()?.seen_from(rule.side())
}
