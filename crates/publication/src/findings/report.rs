use std::fmt;

use sports_domain::{
    FinalScore, GameLines, ModelColumn, ModelId, ModelName, ModelType, OwnMatrix, Probability, Season, Side,
    TwoWayPrices,
};
use sports_grading::{MarketGame, Outcome, PostedLine, UngradedReason, Verdict};

use crate::{ArchivedGame, GameFacts, SeasonArchive};

/// The contents of the archive of one market of a season: counts of games, and shares that a person can judge.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketReport {
    pub season: Season,
    pub model_type: ModelType,
    /// The number of games, and of games with each kind of value, by the name of the value.
    pub counts: Vec<(&'static str, usize)>,
    /// Games whose final is exactly on the line.
    pub pushes: usize,
    /// Games that are not graded, by reason.
    pub ungraded: Vec<(UngradedReason, usize)>,
    /// The games of [`UngradedReason::NoPrediction`] that have forecasts, each of exactly 0.5.
    pub even: usize,
    /// The record of each model with a probability.
    pub models: Vec<ModelRecord>,
    /// The share that is usual for the market: home wins, overs, or favourites that covered, and its name.
    pub share: (&'static str, Option<f64>),
    /// The mean of the sum of both sides' implied probabilities, minus 1.
    pub mean_vig: Option<f64>,
}

/// The record of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelRecord {
    pub model: ModelName,
    /// Picks that won.
    pub wins: usize,
    /// Picks that lost.
    pub losses: usize,
    /// The Brier score over decided games with a line and a probability.
    pub brier: Option<f64>,
    /// The market's Brier score over those of the games that have prices of both sides.
    pub market_brier: Option<f64>,
}

impl MarketReport {
    /// Counts the contents of an archive.
    pub fn of(archive: &SeasonArchive) -> Self {
        let (season, model_type, games) = (archive.season(), archive.market().model_type, archive.games());
        let own = OwnMatrix::from_games(archive.models(), games.iter().map(|game| &game.forecast.own));
        let graded = games.iter().enumerate().map(|(row, game)| game.market_game_with(model_type, own.row(row)));
        let graded: Vec<_> = graded.collect();
        let verdicts: Vec<_> = graded.iter().map(MarketGame::verdict).collect();
        let count = |has: &dyn Fn(&GameFacts) -> bool| games.iter().filter(|game| has(&game.facts)).count();
        let of_market = |has: &dyn Fn(&MarketGame) -> bool| graded.iter().filter(|game| has(game)).count();
        let counts = vec![
            ("games", games.len()),
            ("times", count(&|game| game.key.time.is_some())),
            ("lines", of_market(&|game| game.line().is_some())),
            ("both_prices", of_market(&|game| vig(game.prices()).is_some())),
            ("openers", count(&|game| has_opener(model_type, &game.lines))),
            ("finals", count(&|game| game.score().is_some())),
            ("forecasts", of_market(&|game| !game.forecasts().is_empty())),
            ("graded", verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Graded(_))).count()),
        ];
        let named = |model| ModelRecord::of(archive.models().name(model), model, &graded);
        let models = archive.models().forecasts().filter_map(named);
        let no_side = Verdict::Ungraded(UngradedReason::NoPrediction);
        let even =
            graded.iter().zip(&verdicts).filter(|(game, verdict)| **verdict == no_side && !game.forecasts().is_empty());
        let ungraded_by = |reason| verdicts.iter().filter(|verdict| **verdict == Verdict::Ungraded(reason)).count();
        Self {
            season,
            model_type,
            counts,
            pushes: of_market(&|game| game.push() == Some(true)),
            even: even.count(),
            ungraded: UngradedReason::ALL.map(|reason| (reason, ungraded_by(reason))).to_vec(),
            models: models.collect(),
            share: share_of(model_type, games, &graded),
            mean_vig: mean(graded.iter().filter_map(|game| vig(game.prices()))),
        }
    }

    /// Returns a count by its name.
    pub fn count(&self, name: &str) -> usize {
        self.counts.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count)
    }
}

impl fmt::Display for MarketReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<_> =
            self.counts.iter().map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect();
        write!(f, "{} {}: {}, {} pushes", self.season, self.model_type, counts.join(", "), self.pushes)?;
        // A forecast of exactly 0.5 is there, and picks no side.
        let without = |reason: UngradedReason| if reason == UngradedReason::NoPrediction { self.even } else { 0 };
        let counts = self.ungraded.iter().map(|(reason, count)| (count - without(*reason), reason.code()));
        let ungraded = counts.chain([(self.even, "with no side at exactly 0.5")]).filter(|(count, _)| *count > 0);
        let ungraded: Vec<_> = ungraded.map(|(count, reason)| format!("{count} {reason}")).collect();
        if !ungraded.is_empty() {
            write!(f, "; not graded: {}", ungraded.join(", "))?;
        }
        for model in &self.models {
            write!(f, "\n  {model}")?;
        }
        let percent = |share: Option<f64>| share.map_or("unknown".to_owned(), |it| format!("{:.1} %", it * 100.0));
        write!(f, "\n  {} {}, mean vig {}", self.share.0, percent(self.share.1), percent(self.mean_vig))
    }
}

impl ModelRecord {
    fn of(model: ModelName, id: ModelId, games: &[MarketGame]) -> Option<Self> {
        let with = games.iter().filter(|game| game.probability(id).is_some());
        let picked = || {
            with.clone().filter_map(|game| {
                let Some(Outcome::Decided(winner)) = game.outcome() else { return None };
                Some(game.probability(id)?.favoured()? == winner)
            })
        };
        with.clone().next()?;
        let wins = picked().filter(|won| *won).count();
        Some(Self {
            model,
            wins,
            losses: picked().count() - wins,
            brier: mean(with.clone().filter_map(|game| error(game, game.probability(id)?))),
            market_brier: mean(with.clone().filter_map(|game| error(game, game.probability(ModelColumn::Implied)?))),
        })
    }
}

impl fmt::Display for ModelRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = |brier: Option<f64>| brier.map_or("unknown".to_owned(), |brier| format!("{brier:.4}"));
        let (brier, market) = (score(self.brier), score(self.market_brier));
        write!(f, "{} {}-{}, Brier score {brier}, the market's {market}", self.model, self.wins, self.losses)
    }
}

/// Returns the squared error of a probability in a decided game with a line.
pub(crate) fn error(game: &MarketGame, probability: Probability) -> Option<f64> {
    let Some(Outcome::Decided(winner)) = game.outcome() else { return None };
    let happened = if winner == Side::Positive { 1.0 } else { 0.0 };
    Some((probability.get() - happened).powi(2))
}

/// Returns the sum of the implied probabilities of both sides, minus 1; `None` unless both have a price.
pub(crate) fn vig(prices: TwoWayPrices) -> Option<f64> {
    Some(prices.positive?.break_even() + prices.negative?.break_even() - 1.0)
}

/// Returns the mean; `None` without values.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count): (f64, usize), value| (sum + value, count + 1));
    (count > 0).then(|| sum * ratio(1, count))
}

const fn has_opener(model_type: ModelType, lines: &GameLines) -> bool {
    match model_type {
        ModelType::OverUnder => lines.open_total.is_some(),
        ModelType::WonOnPoints => lines.open_money.any(),
        ModelType::WonOnSpread => lines.open_spread.is_some(),
    }
}

fn share_of(model_type: ModelType, games: &[ArchivedGame], graded: &[MarketGame]) -> (&'static str, Option<f64>) {
    let decided = |game: &MarketGame| match game.outcome() {
        Some(Outcome::Decided(side)) => Some(side),
        Some(Outcome::Push) | None => None,
    };
    let won = |game: &ArchivedGame| game.facts.score().map(FinalScore::home_margin).filter(|margin| *margin != 0);
    match model_type {
        ModelType::OverUnder => {
            let overs = graded.iter().map(|game| Some(decided(game)? == Side::Positive));
            ("overs", Share::of(overs).ratio())
        }
        ModelType::WonOnPoints => {
            let wins = games.iter().map(|game| Some(won(game)? > 0));
            ("home wins", Share::of(wins).ratio())
        }
        ModelType::WonOnSpread => {
            let covered = graded.iter().map(|game| {
                let Some(PostedLine::Spread(spread)) = game.line() else { return None };
                Some(decided(game)? == Side::ahead(spread.away())?)
            });
            ("favourites covered", Share::of(covered).ratio())
        }
    }
}

/// The smallest number of games from which a share of a season is judged.
pub(crate) const FEWEST_GAMES: usize = 10;

/// The games with a property among the games where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    pub(crate) with: usize,
    pub(crate) known: usize,
}

impl Share {
    /// Counts the known values and those that are true.
    pub(crate) fn of(values: impl Iterator<Item = Option<bool>>) -> Self {
        values
            .flatten()
            .fold(Self::default(), |all, is_with| Self { with: all.with + usize::from(is_with), known: all.known + 1 })
    }

    /// Returns the share; `None` with too few games to judge.
    pub(crate) fn judged(self) -> Option<f64> {
        (self.known >= FEWEST_GAMES).then(|| ratio(self.with, self.known))
    }

    /// Returns the share; `None` without games.
    pub(crate) fn ratio(self) -> Option<f64> {
        (self.known > 0).then(|| ratio(self.with, self.known))
    }
}

/// Returns a quotient of counts.
#[expect(clippy::cast_precision_loss, reason = "counts of games are small")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Formats a share as a percentage with one decimal.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
