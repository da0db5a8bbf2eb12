use chrono::{Datelike as _, NaiveDate};
use sports_calibration::UnitsBySide;
use sports_domain::{
    AmericanPrice, GameKey, ModelColumn, ModelId, ModelName, ModelSet, ModelType, NO_DIFFERENCE, Probability, Season,
    Side, TeamSlug, expected_value,
};

use crate::bet_kind::Signals;
use crate::rule::{Agreement, Filters, SideFilter, Stake};
use crate::threshold::{Quantity, Range};
use crate::walk::outcome;
use crate::{Accounting, Bet, BettingRecord, ExclusionReason, Finality, Rule, RuleOutcome, StrategyGame};

/// A row of a season as input of a rule. The game has the probabilities of every model; its edge does not matter.
#[derive(Debug, Clone, Copy)]
pub struct RuleRow<'g> {
    /// The key of the game.
    pub key: &'g GameKey,
    /// The game.
    pub game: StrategyGame<'g>,
}

/// The rows of a season that are of the source of a rule, in the order of results.
#[derive(Debug, Clone)]
pub struct SeasonRows<'g> {
    /// The season.
    pub season: Season,
    /// The name of its data, which seeds the interval of a rule over this season alone, as in the leaderboard.
    pub snapshot: &'g str,
    /// The models of its rows.
    pub models: &'g ModelSet,
    /// The rows.
    pub rows: Vec<RuleRow<'g>>,
}

/// A bet of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleBet {
    /// The season.
    pub season: Season,
    /// The Eastern date of the game.
    pub date: NaiveDate,
    /// The bet, with the index of its row in the season.
    pub bet: Bet,
    /// The side.
    pub side: Side,
    /// The total, or the points that the team of the side receives; `None` on a moneyline.
    pub line: Option<f64>,
    /// The model's probability of the side.
    pub probability: Option<Probability>,
    /// The no-vig probability of the side; `None` unless the market had both prices.
    pub market: Option<Probability>,
}

impl RuleBet {
    /// Returns the price as decimal odds: what a won unit brings back.
    pub fn decimal_odds(&self) -> f64 {
        1.0 + self.bet.price.profit_per_unit()
    }

    /// Returns the model's probability less the no-vig probability.
    pub fn edge(&self) -> Option<f64> {
        Some(self.probability?.get() - self.market?.get())
    }

    /// Returns the mean profit of a unit if the model is right.
    pub fn expected_value(&self) -> Option<f64> {
        Some(expected_value(self.probability?, self.bet.price))
    }

    /// Returns Kelly's share of the bank: expected value over profit; `None` without a probability.
    pub(crate) fn kelly_share(&self) -> Option<f64> {
        Some(self.expected_value()? / self.bet.price.profit_per_unit())
    }
}

/// The numbers of candidates without a bet, each by its first reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleExclusions {
    /// The final is not verified.
    pub unverified_finality: u32,
    /// The price of the side is missing, or a price that a filter needs.
    pub missing_price: u32,
    /// Kelly's stake is not above zero, or the model has no probability; 0 with flat stakes.
    pub no_stake: u32,
}

/// The bets of a rule over its seasons.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleBets {
    /// The bets, oldest first.
    pub bets: Vec<RuleBet>,
    /// The candidates without a bet.
    pub exclusions: RuleExclusions,
    /// The units of a bet on each side of the games in scope that have both prices, a posted line and a verified final.
    pub(crate) games: Vec<UnitsBySide>,
}

impl RuleBets {
    /// Returns the record of the bets, each of one unit.
    pub fn record(&self) -> BettingRecord {
        record(&self.bets)
    }
}

/// Returns the record of bets.
pub fn record<'b>(bets: impl IntoIterator<Item = &'b RuleBet>) -> BettingRecord {
    bets.into_iter().map(|bet| RuleOutcome::Bet(bet.bet)).collect()
}

/// The models of a rule in one season.
struct SeasonModels {
    model: Option<ModelId>,
    voters: Vec<ModelId>,
}

/// A game with the side that a rule names.
struct Named<'g> {
    row: &'g RuleRow<'g>,
    signals: Signals,
    side: Side,
    probability: Option<Probability>,
    market: Option<Probability>,
    price: Option<AmericanPrice>,
}

impl Rule {
    /// Applies the rule to the rows of its seasons, which must be in order of time.
    pub fn bets(&self, seasons: &[SeasonRows<'_>]) -> RuleBets {
        let mut all = RuleBets::default();
        for season in seasons {
            let id = |model: &ModelName| season.models.id(model.as_str());
            let voters = self.filters.agreement.iter().flat_map(Agreement::models);
            let models = SeasonModels { model: id(&self.model()), voters: voters.filter_map(id).collect() };
            for (place, row) in season.rows.iter().enumerate().filter(|(_, row)| self.span().contains(row.key.date)) {
                all.games.extend(units_by_side(&row.game));
                if let Some((named, is_priced)) = self.candidate(row, &models) {
                    self.place(&mut all, season.season, place, &named, is_priced);
                }
            }
        }
        all
    }

    /// Returns the side of a candidate, and true if no filter lacks a price.
    fn candidate<'g>(&self, row: &'g RuleRow<'g>, models: &SeasonModels) -> Option<(Named<'g>, bool)> {
        let market = row.game.market();
        let positive = models.model.and_then(|model| market.probability(model));
        let game = row.game.with_edge_of(positive);
        let signals = Signals {
            line_move: game.line_move(),
            is_unmoved: game.is_unmoved(),
            edge: game.edge(),
            pick: positive.and_then(|positive| Side::ahead(positive.get() - 0.5)),
        };
        let side = self.bet.side(signals)?;
        let of_side = |positive: Probability| if side == Side::Positive { positive } else { positive.complement() };
        let named = Named {
            row,
            signals,
            side,
            probability: positive.map(of_side),
            market: market.probability(ModelColumn::Implied).map(of_side),
            price: market.prices().on(side),
        };
        let mut is_priced = true;
        for passed in self.filters.verdicts(&named, models) {
            match passed {
                Some(false) => return None,
                None => is_priced = false,
                Some(true) => {}
            }
        }
        Some((named, is_priced))
    }

    /// Adds a candidate with a final: a bet, or an exclusion.
    fn place(&self, all: &mut RuleBets, season: Season, place: usize, named: &Named<'_>, is_priced: bool) {
        let game = &named.row.game;
        let bet = match outcome(named.side, Accounting::RecordedV2, place, game) {
            None => return,
            Some(RuleOutcome::Bet(bet)) if is_priced => bet,
            Some(RuleOutcome::ExclusionReason(exclusion))
                if exclusion.reason == ExclusionReason::UnverifiedFinality =>
            {
                all.exclusions.unverified_finality += 1;
                return;
            }
            Some(_) => {
                all.exclusions.missing_price += 1;
                return;
            }
        };
        let Named { side, probability, market, .. } = *named;
        let line = game.market().line().and_then(|line| line.seen_from(side));
        let bet = RuleBet { season, date: named.row.key.date, bet, side, line, probability, market };
        let has_stake = self.stake == Stake::Flat || bet.kelly_share().is_some_and(|share| share > NO_DIFFERENCE);
        if has_stake {
            all.bets.push(bet);
        } else {
            all.exclusions.no_stake += 1;
        }
    }
}

impl Filters {
    /// Returns the verdict of each filter; `None` if it needs a price that is missing.
    fn verdicts(&self, named: &Named<'_>, models: &SeasonModels) -> impl Iterator<Item = Option<bool>> {
        let Named { row, signals, side, .. } = named;
        let plain = [
            self.line_move.is_none_or(|line_move| line_move.is_of(*side, *signals)),
            self.agreement.as_ref().is_none_or(|agreement| named.votes(&models.voters) >= agreement.least()),
            self.team.as_ref().is_none_or(|team| named.teams().any(|named| named == team)),
            self.weekday.is_none_or(|day| row.key.date.weekday() == day),
            self.month.is_none_or(|month| row.key.date.month() == month),
        ];
        let side = self.side.map(|side| named.is_on(side));
        let ranges = Quantity::ALL.into_iter().zip(self.ranges).filter(|(_, range)| !range.is_open());
        let ranges = ranges.map(|(quantity, range)| named.is_inside(quantity, range));
        plain.into_iter().map(Some).chain(side).chain(ranges)
    }
}

impl Named<'_> {
    /// Returns true if a figure of the bet is in a range, and false if the game lacks more than a price; `None` if it lacks a price.
    fn is_inside(&self, quantity: Quantity, range: Range) -> Option<bool> {
        let figure = match (quantity, self.probability) {
            (Quantity::Price, _) => Some(1.0 + self.price?.profit_per_unit()),
            (Quantity::Line, _) => self.row.game.market().line().and_then(|line| line.seen_from(self.side)),
            (_, None) => None,
            (Quantity::Edge, Some(probability)) => Some(probability.get() - self.market?.get()),
            (Quantity::ExpectedValue, Some(probability)) => Some(expected_value(probability, self.price?)),
            (Quantity::Probability, Some(probability)) => Some(probability.get()),
        };
        Some(figure.is_some_and(|figure| range.contains(figure)))
    }

    /// Returns true if the bet is on a side; `None` if the market lacks a price.
    fn is_on(&self, side: SideFilter) -> Option<bool> {
        let ahead = || self.market.map(|market| Side::ahead(market.get() - 0.5));
        match side {
            SideFilter::Of(side) => Some(self.side == side),
            SideFilter::Favourite => ahead().map(|ahead| ahead == Some(Side::Positive)),
            SideFilter::Underdog => ahead().map(|ahead| ahead == Some(Side::Negative)),
        }
    }

    /// Returns the number of models that give the side more than one half.
    fn votes(&self, voters: &[ModelId]) -> usize {
        let vote = |model: &&ModelId| {
            let positive = self.row.game.market().probability(**model);
            positive.and_then(|positive| Side::ahead(positive.get() - 0.5)) == Some(self.side)
        };
        voters.iter().filter(vote).count()
    }

    /// Returns the teams of the bet: on totals both.
    fn teams(&self) -> impl Iterator<Item = &TeamSlug> {
        let GameKey { home, away, .. } = self.row.key;
        let teams = match (self.row.game.market().model_type(), self.side) {
            (ModelType::OverUnder, _) => [Some(home), Some(away)],
            (_, Side::Positive) => [Some(home), None],
            (_, Side::Negative) => [Some(away), None],
        };
        teams.into_iter().flatten()
    }
}

/// Returns the units of a bet on each side of a game; `None` unless it has both prices, a posted line and a verified final.
fn units_by_side(game: &StrategyGame<'_>) -> Option<UnitsBySide> {
    game.market().probability(ModelColumn::Implied).filter(|_| game.finality() == Finality::Verified)?;
    let units = |side| match outcome(side, Accounting::RecordedV2, 0, game)? {
        RuleOutcome::Bet(bet) => Some(bet.profit()),
        RuleOutcome::ExclusionReason(_) => None,
    };
    Some([units(Side::Positive)?, units(Side::Negative)?])
}
