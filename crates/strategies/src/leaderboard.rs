use std::borrow::Borrow;
use std::cmp::{Ordering, Reverse};

use sports_domain::{ModelType, Side};

use crate::strategy::StrategiesBySignals;
use crate::walk::outcome;
use crate::{Accounting, BettingRecord, Strategy, StrategyGame};

/// The minimum number of decisive bets of a ranked strategy.
pub const MIN_SAMPLE: u32 = 30;

/// A strategy and its record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeaderboardEntry {
    /// The strategy.
    pub rule: Strategy,
    /// The record of the strategy.
    pub record: BettingRecord,
    /// The rank, from 1; `None` for a strategy with too few bets.
    pub rank: Option<u32>,
}

impl LeaderboardEntry {
    /// Compares entries: ranked entries first, by ROI as shown, then by larger sample, then by id; after them the
    /// others by sample.
    fn ranking(&self, other: &Self, model_type: ModelType) -> Ordering {
        let ranked = |entry: &Self| entry.record.decisive() >= MIN_SAMPLE;
        let roi = |entry: &Self| entry.record.roi().unwrap_or(f64::NEG_INFINITY);
        // After the comparison of ranked and unranked, both entries are of the same kind.
        let by_roi = if ranked(self) { roi(other).total_cmp(&roi(self)) } else { Ordering::Equal };
        let id = |entry: &Self| entry.rule.id(model_type).to_string();
        let unranked = (!ranked(self)).cmp(&!ranked(other));
        unranked
            .then(by_roi)
            .then_with(|| Reverse(self.record.decisive()).cmp(&Reverse(other.record.decisive())))
            .then_with(|| id(self).cmp(&id(other)))
    }
}

/// Every strategy of a season in one market, in order of rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaderboard(Vec<LeaderboardEntry>);

impl Leaderboard {
    /// Creates the leaderboard of all sixteen strategies over a season's games of one market. Skips games of other markets.
    pub fn from_games<'f>(
        model_type: ModelType,
        accounting: Accounting,
        games: impl IntoIterator<Item: Borrow<StrategyGame<'f>>>,
    ) -> Self {
        let strategies = StrategiesBySignals::new();
        let mut records = Strategy::all().map(|_| BettingRecord::default());
        let games = games.into_iter().filter(|game| game.borrow().market().model_type() == model_type);
        for (place, game) in games.enumerate() {
            let game = game.borrow();
            for (side, strategies) in [Side::Positive, Side::Negative].into_iter().zip(strategies.betting_on(game)) {
                if strategies.is_empty() {
                    continue;
                }
                // The outcome of a bet on a side is the same for every strategy that makes the bet.
                if let Some(outcome) = outcome(side, accounting, place, game) {
                    for strategy in strategies {
                        records[*strategy].add(&outcome);
                    }
                }
            }
        }
        let entries = Strategy::all().into_iter().zip(records);
        let mut entries: Vec<_> = entries.map(|(rule, record)| LeaderboardEntry { rule, record, rank: None }).collect();
        entries.sort_by(|a, b| a.ranking(b, model_type));
        for (place, entry) in (1..).zip(&mut entries) {
            entry.rank = (entry.record.decisive() >= MIN_SAMPLE).then_some(place);
        }
        Self(entries)
    }

    /// Returns the entries, best first.
    pub fn entries(&self) -> &[LeaderboardEntry] {
        &self.0
    }

    /// Returns the entry of a strategy.
    pub fn entry(&self, rule: Strategy) -> Option<&LeaderboardEntry> {
        self.0.iter().find(|entry| entry.rule == rule)
    }
}
