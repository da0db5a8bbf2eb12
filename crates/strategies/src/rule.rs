mod parse;
mod sentence;

use std::iter;

use chrono::{NaiveDate, Weekday};
use sports_domain::{DateSpan, Market, ModelName, Season, Side, TeamSlug};

use crate::threshold::{Quantity, Range, Threshold};
use crate::{BetKind, LineMove, Parameter, Strategy};

pub use parse::{RuleContext, RuleError, RuleRequest, Tried};

/// The rows that a rule can bet, by their forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowSource {
    /// Every row, also a row without a forecast.
    #[default]
    All,
    /// Live forecasts that a release of this log made.
    Recorded,
    /// These and imported live ones.
    Live,
    /// Forecasts of a backtest.
    WalkForward,
}

impl RowSource {
    /// Every source, with the word of the parameter `forecast_source`.
    pub const WORDS: [(&str, Self); 4] =
        [("all", Self::All), ("recorded", Self::Recorded), ("live", Self::Live), ("walk_forward", Self::WalkForward)];

    /// Returns the word of the parameter `forecast_source`.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// The side on which a rule bets alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideFilter {
    /// The home team, the away team, the over or the under.
    Of(Side),
    /// The side to which the market gives more than one half: the dearer side.
    Favourite,
    /// The other one.
    Underdog,
}

/// A vote of models on the side of a bet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Agreement {
    least: usize,
    models: Vec<ModelName>,
}

impl Agreement {
    /// Creates a vote of models in the order of their names; `None` unless `least` is from 1 to their number, and each is named
    /// once.
    pub fn new(least: usize, mut models: Vec<ModelName>) -> Option<Self> {
        models.sort_unstable();
        let is_vote = (1..=models.len()).contains(&least) && models.windows(2).all(|pair| pair[0] != pair[1]);
        is_vote.then_some(Self { least, models })
    }

    /// Returns the least number of models that give the side more than one half.
    pub const fn least(&self) -> usize {
        self.least
    }

    /// Returns the models, by name.
    pub fn models(&self) -> &[ModelName] {
        &self.models
    }
}

/// The conditions of a bet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    pub(crate) side: Option<SideFilter>,
    pub(crate) ranges: [Range; Quantity::ALL.len()],
    pub(crate) line_move: Option<LineMove>,
    pub(crate) agreement: Option<Agreement>,
    pub(crate) team: Option<TeamSlug>,
    pub(crate) weekday: Option<Weekday>,
    /// From 1 to 12.
    pub(crate) month: Option<u32>,
}

/// A share of a bank: above 0, at most 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(f64);

impl Share {
    /// The default of `fraction`.
    pub const FRACTION: Self = Self(0.25);

    /// The default of `max_stake`.
    pub const MAX_STAKE: Self = Self(0.05);

    /// Checks a share; `None` for a number that is not above 0 and at most 1.
    pub fn new(share: f64) -> Option<Self> {
        (share > 0.0 && share <= 1.0).then_some(Self(share))
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The stake of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Stake {
    /// One unit.
    #[default]
    Flat,
    /// A share of a bank that starts at 1.
    Kelly {
        /// The share of Kelly's stake.
        fraction: Share,
        /// The largest share of the bank.
        max_stake: Share,
    },
}

/// A rule of one's own: the bets that it makes in the seasons of a market. It has no parameter that is not in its meaning, so two
/// requests with one meaning are equal.
///
/// [`Self::parse`] reads a rule; [`Self::bets`](Self::bets) applies it to rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    market: Market,
    model: ModelName,
    /// True if another model would have to be named.
    has_default_model: bool,
    /// In order of time; at least one.
    seasons: Vec<Season>,
    /// True if they are those of a request without seasons.
    has_default_seasons: bool,
    span: DateSpan,
    source: RowSource,
    hours_before: Option<f64>,
    pub(crate) bet: BetKind,
    pub(crate) filters: Filters,
    pub(crate) stake: Stake,
}

/// A rule that differs from another one in a threshold, by one step.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighbourRule {
    /// The parameter of the threshold.
    pub parameter: &'static str,
    /// Its value here, prices in American odds.
    pub value: f64,
    /// The rule.
    pub rule: Rule,
}

impl Rule {
    /// Returns the market.
    pub const fn market(&self) -> Market {
        self.market
    }

    /// Returns the model of edges, expected values and picks.
    pub const fn model(&self) -> ModelName {
        self.model
    }

    /// Returns the seasons in order of time.
    pub fn seasons(&self) -> &[Season] {
        &self.seasons
    }

    /// Returns the dates of the games.
    pub const fn span(&self) -> DateSpan {
        self.span
    }

    /// Returns the rows that the rule can bet, by their forecast.
    pub const fn source(&self) -> RowSource {
        self.source
    }

    /// Returns the hours before the start at which rows are those that were known then, from 0.25 to 168; `None` for the record.
    pub const fn hours_before(&self) -> Option<f64> {
        self.hours_before
    }

    /// Returns the team of the bets; `None` for all teams.
    pub const fn team(&self) -> Option<&TeamSlug> {
        self.filters.team.as_ref()
    }

    /// Returns the models whose probabilities decide: that of the rule, and those that vote.
    pub fn models(&self) -> impl Iterator<Item = ModelName> {
        iter::once(self.model).chain(self.filters.agreement.iter().flat_map(Agreement::models).copied())
    }

    /// Returns the range of a quantity.
    const fn range(&self, quantity: Quantity) -> Range {
        self.filters.ranges[quantity as usize]
    }

    /// Returns the strategy that makes the bets of this rule; `None` for a rule that no strategy is.
    pub fn strategy(&self) -> Option<Strategy> {
        let plain = |strategy: &Strategy| {
            let (bet, line_move) = strategy.as_bet();
            let side = Some(SideFilter::Of(strategy.side()));
            let filters = Filters { side, line_move, ..Filters::default() };
            let others = self.span == DateSpan::default() && self.stake == Stake::Flat && self.hours_before.is_none();
            others && self.bet == bet && self.filters == filters
        };
        Strategy::all().into_iter().find(plain)
    }

    /// Returns the normal form: the parameters that are not at their default, in one order, with numbers in their shortest form.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.parameters_of_meaning();
        parameters.retain(|parameter| match parameter.name {
            "model" => !self.has_default_model,
            "season" => !self.has_default_seasons,
            _ => true,
        });
        parameters
    }

    /// Returns the identity, equal for two requests with one meaning: the market, the model, the labels of the seasons, and the
    /// parameters that are not at their default. It seeds the draws of luck.
    pub fn identity(&self) -> String {
        let Market { sport, model_type } = self.market;
        let parameters =
            self.parameters_of_meaning().into_iter().map(|Parameter { name, value }| format!("&{name}={value}"));
        format!("sport={sport}&model_type={model_type}{}", parameters.collect::<String>())
    }

    /// Returns model and seasons, and the parameters that are not at their default.
    fn parameters_of_meaning(&self) -> Vec<Parameter> {
        let Filters { side, ranges: _, line_move, agreement, team, weekday, month } = &self.filters;
        let mut list = Vec::new();
        let mut add = |name, value: Option<String>| list.extend(value.map(|value| Parameter { name, value }));
        let seasons: Vec<_> = self.seasons.iter().map(Season::to_string).collect();
        let (bet, source) = (self.bet, self.source);
        add("model", Some(self.model.to_string()));
        add("season", Some(seasons.join(",")));
        add("from", self.span.from().as_ref().map(NaiveDate::to_string));
        add("to", self.span.to().as_ref().map(NaiveDate::to_string));
        add("forecast_source", (source != RowSource::All).then(|| source.word().to_owned()));
        add("hours_before", self.hours_before.as_ref().map(f64::to_string));
        add("bet", (bet != BetKind::Value).then(|| bet.word().to_owned()));
        add("side", side.map(|side| self.side_word(side).to_owned()));
        for quantity in Quantity::ALL {
            for (name, end) in quantity.names().into_iter().zip(self.range(quantity).ends()) {
                add(name, end.map(|end| end.value().to_string()));
            }
        }
        add("line_move", line_move.map(|line_move| line_move.word().to_owned()));
        if let Some(Agreement { least, models }) = agreement {
            let models: Vec<_> = models.iter().map(ModelName::as_str).collect();
            add("agree", Some(least.to_string()));
            add("models", Some(models.join(",")));
        }
        add("team", team.as_ref().map(|team| team.as_str().to_owned()));
        add("weekday", weekday.map(|day| parse::weekday(day).to_owned()));
        add("month", month.map(|month| month.to_string()));
        if let Stake::Kelly { fraction, max_stake } = self.stake {
            let unless = |default, share: Share| (share != default).then(|| share.get().to_string());
            add("stake", Some("kelly".to_owned()));
            add("fraction", unless(Share::FRACTION, fraction));
            add("max_stake", unless(Share::MAX_STAKE, max_stake));
        }
        list
    }

    /// Returns the word of the parameter `side`.
    fn side_word(&self, side: SideFilter) -> &'static str {
        match side {
            SideFilter::Of(side) => self.market.model_type.side_word(side),
            SideFilter::Favourite => "favourite",
            SideFilter::Underdog => "underdog",
        }
    }

    /// Returns the rules with one threshold a step down, and a step up. A step to a rule that would be refused is left out.
    pub fn neighbours(&self) -> Vec<NeighbourRule> {
        let ends = Quantity::ALL.into_iter().flat_map(|quantity| [(quantity, 0), (quantity, 1)]);
        let thresholds = ends.flat_map(|(quantity, end)| self.with_moved_end(quantity, end));
        let agreement = self.filters.agreement.iter().flat_map(|Agreement { least, models }| {
            let moved = [least - 1, least + 1].map(|least| Agreement::new(least, models.clone()));
            moved.into_iter().flatten()
        });
        let agreements = agreement.map(|agreement| {
            let value = u32::try_from(agreement.least).map_or(f64::NAN, f64::from);
            let filters = Filters { agreement: Some(agreement), ..self.filters.clone() };
            NeighbourRule { parameter: "agree", value, rule: Self { filters, ..self.clone() } }
        });
        thresholds.chain(agreements).collect()
    }

    fn with_moved_end(&self, quantity: Quantity, end: usize) -> impl Iterator<Item = NeighbourRule> + '_ {
        let (parameter, ends) = (quantity.names()[end], self.range(quantity).ends());
        let moved = ends[end].into_iter().flat_map(Threshold::neighbours).flatten();
        moved.filter_map(move |threshold| {
            let mut ends = ends;
            ends[end] = Some(threshold);
            let mut rule = self.clone();
            rule.filters.ranges[quantity as usize] = Range::new(ends)?;
            Some(NeighbourRule { parameter, value: threshold.value(), rule })
        })
    }
}
