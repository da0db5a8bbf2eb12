use std::fmt;

use sports_domain::{ModelName, ModelType, Season};

use super::{Agreement, Filters, RowSource, Rule, Stake, parse};
use crate::threshold::{Quantity, Threshold};
use crate::{BetKind, LineMove};

impl fmt::Display for Rule {
    /// Writes the rule as an English sentence on one line, which ends with a full stop. Equal rules have equal sentences.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bet = match self.bet {
            BetKind::Value => "on the side that {} rates above the market",
            BetKind::FadeValue => "on the side that {} rates below the market",
            BetKind::Pick => "on the side that {} favours",
            BetKind::Fade => "on the side that {} does not favour",
            BetKind::Line => "on the side that the line moved to, with {} as the model,",
            BetKind::FadeLine => "on the side that the line moved away from, with {} as the model,",
        };
        match self.stake {
            Stake::Flat => write!(f, "Bet one unit ")?,
            Stake::Kelly { fraction, max_stake } => {
                write!(f, "Bet {} of Kelly's stake, at most {} of the bank, ", fraction.get(), max_stake.get())?;
            }
        }
        write!(f, "{} {}", bet.replace("{}", self.model.as_str()), self.scope())?;
        let conditions = self.conditions();
        if !conditions.is_empty() {
            write!(f, " where {}", listed(&conditions, "and"))?;
        }
        write!(f, ".")
    }
}

/// Joins clauses as a list of a sentence.
fn listed(clauses: &[String], word: &str) -> String {
    match clauses {
        [] => String::new(),
        [clause] => clause.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

impl Rule {
    /// Returns the phrase for the games: market, seasons, dates and rows.
    fn scope(&self) -> String {
        let lines = match self.market.model_type {
            ModelType::OverUnder => "totals",
            ModelType::WonOnPoints => "moneylines",
            ModelType::WonOnSpread => "spreads",
        };
        let seasons: Vec<_> = self.seasons.iter().map(Season::to_string).collect();
        let sport = self.market.sport.code().to_uppercase();
        let mut scope = format!("of {sport} {lines} in {}", listed(&seasons, "and"));
        let dates =
            [self.span.from().map(|from| format!(" from {from}")), self.span.to().map(|to| format!(" to {to}"))];
        scope.extend(dates.into_iter().flatten());
        scope += match self.source {
            RowSource::All => "",
            RowSource::Recorded => " with recorded forecasts",
            RowSource::Live => " with live forecasts",
            RowSource::WalkForward => " with walk-forward forecasts",
        };
        scope.extend(self.hours_before.map(|hours| format!(" as known {hours} h before the start")));
        scope
    }

    /// Returns a clause for each filter.
    fn conditions(&self) -> Vec<String> {
        let Filters { side, ranges: _, line_move, agreement, team, weekday, month } = &self.filters;
        let side = side.map(|side| format!("it is the {} side", self.side_word(side)));
        let line_move = line_move.map(|line_move| match line_move {
            LineMove::With => "the line moved to the side".to_owned(),
            LineMove::Against => "the line moved away from the side".to_owned(),
            LineMove::None => "the line has not moved".to_owned(),
        });
        let agreement = agreement.as_ref().map(|Agreement { least, models }| {
            let models: Vec<_> = models.iter().map(ModelName::to_string).collect();
            format!("at least {least} of {} favour the side", listed(&models, "and"))
        });
        let team = team.as_ref().map(|team| match self.market.model_type {
            ModelType::OverUnder => format!("{} play", team.as_str()),
            ModelType::WonOnPoints | ModelType::WonOnSpread => format!("the team is {}", team.as_str()),
        });
        let weekday = weekday.map(|day| format!("the day is a {}", parse::day_name(day)));
        let month = month.and_then(|month| {
            let month = chrono::Month::try_from(u8::try_from(month).ok()?).ok()?;
            Some(format!("the month is {}", month.name()))
        });
        let ranges = Quantity::ALL.into_iter().filter_map(|quantity| self.range_clause(quantity));
        let filters = side.into_iter().chain(ranges);
        filters.chain([line_move, agreement, team, weekday, month].into_iter().flatten()).collect()
    }

    fn range_clause(&self, quantity: Quantity) -> Option<String> {
        let is_price = quantity == Quantity::Price;
        let number = |end: Threshold| match (quantity, self.market.model_type) {
            (Quantity::Price, _) | (Quantity::Line, ModelType::WonOnSpread) => format!("{:+}", end.value()),
            _ => end.value().to_string(),
        };
        let name = match quantity {
            Quantity::Edge => "edge",
            Quantity::ExpectedValue => "expected value",
            Quantity::Probability => "probability",
            Quantity::Price => "price",
            Quantity::Line => "line",
        };
        let range = match self.range(quantity).ends().map(|end| end.map(number)) {
            [None, None] => return None,
            [Some(min), Some(max)] => format!("from {min} to {max}"),
            [Some(min), None] if is_price => format!("{min} or better"),
            [None, Some(max)] if is_price => format!("{max} or worse"),
            [Some(min), None] => format!("at least {min}"),
            [None, Some(max)] => format!("at most {max}"),
        };
        Some(format!("the {name} is {range}"))
    }
}
