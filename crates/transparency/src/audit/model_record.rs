//! The record of each model from openings and finals alone.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use sports_calibration::{DatedRatio, DatedTerm, Interval, SplitMix64};
use sports_domain::{AmericanPrice, FinalScore, GameLines, ModelName, ModelType, Probability, Side};
use sports_grading::{Outcome, PostedLine};

use crate::TreeHash;

/// The record of a model in a market, over the committed forecasts of games with a final. A probability of exactly one half is no
/// pick.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRecord {
    pub model_type: ModelType,
    pub model: ModelName,
    /// The number of games with a final and a committed line.
    pub games: u32,
    /// Picks that won.
    pub wins: u32,
    /// Picks that lost.
    pub losses: u32,
    /// Picks whose stake is returned.
    pub pushes: u32,
    /// The number of picks with a committed price: one unit each.
    pub staked: u32,
    /// The net units of these.
    pub units: f64,
    /// Units by unit staked; `None` without a stake.
    pub roi: Option<f64>,
    /// The 95 percent bootstrap interval of this return over dates; `None` below two dates.
    pub roi_interval: Option<Interval>,
    /// Units by unit staked on picks that won or lost, as `picks.roi` of a calibration counts; `None` without such a stake.
    pub decided_roi: Option<f64>,
    /// The number of picks with a price whose line the odds then on record have with a price, too.
    pub quoted: u32,
    /// The number of these with a better price than the odds.
    pub better: u32,
    /// The mean squared error of the probabilities, without pushes; `None` without a decided game.
    pub brier: Option<f64>,
}

/// A forecast of a game with a final.
pub(crate) struct Settled {
    pub(crate) date: NaiveDate,
    pub(crate) market: ModelType,
    pub(crate) lines: GameLines,
    pub(crate) probabilities: Vec<(ModelName, Probability)>,
    /// The odds when it was published.
    pub(crate) odds: Option<GameLines>,
    pub(crate) score: FinalScore,
}

/// The forecasts of one model.
#[derive(Default)]
struct Settlements {
    picks: Vec<SettledPick>,
    errors: Vec<f64>,
    games: u32,
}

struct SettledPick {
    date: NaiveDate,
    /// `None` for a push.
    won: Option<bool>,
    price: Option<AmericanPrice>,
    /// The price in the odds for the same line.
    quoted: Option<AmericanPrice>,
}

/// Returns the records of all models, by market and name. The root seeds the intervals.
pub(crate) fn model_records(settled: &[Settled], root: TreeHash) -> Vec<ModelRecord> {
    let record = |((model_type, model), settlements): ((ModelType, ModelName), Settlements)| {
        settlements.record(model_type, model, SplitMix64::from_names(&[&root.to_string(), model.as_str(), "roi"]))
    };
    by_model(settled).into_iter().map(record).collect()
}

/// The picks of each model that won and that lost, by market.
pub type DecidedPicks = BTreeMap<(ModelType, ModelName), [u64; 2]>;

/// Counts the picks of each model that has one.
pub(crate) fn decided_picks(settled: &[Settled]) -> DecidedPicks {
    let count = |settlements: &Settlements, won: bool| settlements.count(Some(won)).into();
    let counted = by_model(settled).into_iter().map(|(of, picks)| (of, [count(&picks, true), count(&picks, false)]));
    counted.filter(|(_, picks)| *picks != [0, 0]).collect()
}

fn by_model(settled: &[Settled]) -> BTreeMap<(ModelType, ModelName), Settlements> {
    let mut by_model: BTreeMap<(ModelType, ModelName), Settlements> = BTreeMap::new();
    for Settled { date, market, lines, probabilities, odds, score } in settled {
        let Some(line) = PostedLine::from_lines(*market, lines) else { continue };
        let outcome = line.settle(*score);
        let same = odds.as_ref().filter(|odds| PostedLine::from_lines(*market, odds) == Some(line));
        for (model, probability) in probabilities {
            let price_in = |lines: &GameLines| lines.prices(*market).on(probability.favoured()?);
            let prices = [price_in(lines), same.and_then(price_in)];
            by_model.entry((*market, *model)).or_default().settle(*date, *probability, prices, outcome);
        }
    }
    by_model
}

impl Settlements {
    fn settle(
        &mut self,
        date: NaiveDate,
        probability: Probability,
        [price, quoted]: [Option<AmericanPrice>; 2],
        outcome: Outcome,
    ) {
        self.games += 1;
        let winner = if let Outcome::Decided(side) = outcome { Some(side) } else { None };
        if let Some(winner) = winner {
            let won = f64::from(u8::from(winner == Side::Positive));
            self.errors.push((probability.get() - won).powi(2));
        }
        if let Some(side) = probability.favoured() {
            self.picks.push(SettledPick { date, won: winner.map(|winner| winner == side), price, quoted });
        }
    }

    fn count(&self, won: Option<bool>) -> u32 {
        self.picks.iter().filter(|pick| pick.won == won).fold(0, |count, _| count + 1)
    }

    fn record(mut self, model_type: ModelType, model: ModelName, generator: SplitMix64) -> ModelRecord {
        let priced = self.picks.iter().filter_map(|pick| Some((pick, pick.price?)));
        let term = |(pick, price): (&SettledPick, AmericanPrice)| DatedTerm {
            date: pick.date,
            sum: pick.won.map_or(0.0, |won| if won { price.profit_per_unit() } else { -1.0 }),
            weight: 1.0,
        };
        let terms: Vec<_> = priced.map(term).collect();
        let staked = terms.iter().fold(0, |count, _| count + 1);
        let decided_stakes = self.picks.iter().filter(|pick| pick.price.is_some() && pick.won.is_some());
        let decided_stakes = decided_stakes.fold(0.0, |count, _| count + 1.0);
        let compared = self.picks.iter().filter_map(|pick| Some((pick.price?, pick.quoted?)));
        let gains = compared.map(|(price, quoted)| price.profit_per_unit() > quoted.profit_per_unit());
        let (quoted, better) = gains.fold((0, 0), |(all, better), gains| (all + 1, better + u32::from(gains)));
        let roi = DatedRatio::from_terms(terms);
        // Sums depend on the order of their terms.
        self.errors.sort_unstable_by(f64::total_cmp);
        let decided = self.errors.iter().fold(0.0, |count, _| count + 1.0);
        let units = roi.value().unwrap_or_default() * f64::from(staked);
        ModelRecord {
            model_type,
            model,
            games: self.games,
            wins: self.count(Some(true)),
            losses: self.count(Some(false)),
            pushes: self.count(None),
            staked,
            units,
            roi: roi.value(),
            decided_roi: (decided_stakes > 0.0).then(|| units / decided_stakes),
            roi_interval: roi.interval(generator),
            quoted,
            better,
            brier: (decided > 0.0).then(|| self.errors.iter().sum::<f64>() / decided),
        }
    }
}
