use std::fmt;
use std::str::FromStr;

use crate::{FormError, Side, Sport};

/// The bet that a model forecasts, and so one of a game's three betting markets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelType {
    /// The total: both teams together score more than the posted number.
    OverUnder,
    /// The moneyline: the home team wins.
    WonOnPoints,
    /// The spread (run line in baseball, puck line in hockey): the home team covers.
    WonOnSpread,
}

fn unknown_model_type(code: &str) -> FormError {
    let known = ModelType::ALL.map(ModelType::code).join(", ");
    FormError::new(format!("`{code}` is not a model type; known model types: {known}"))
}

impl ModelType {
    /// All three, in the service's order.
    pub const ALL: [Self; 3] = [Self::OverUnder, Self::WonOnPoints, Self::WonOnSpread];

    /// Returns the code used in paths and files, such as `won_on_spread`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OverUnder => "over_under",
            Self::WonOnPoints => "won_on_points",
            Self::WonOnSpread => "won_on_spread",
        }
    }

    /// Returns the market's usual name: `Over/Under`, `Moneyline` or `Point Spread`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OverUnder => "Over/Under",
            Self::WonOnPoints => "Moneyline",
            Self::WonOnSpread => "Point Spread",
        }
    }

    /// Returns the column that is 1 if the positive side won: `over`, `won_on_points` or `won_on_spread`.
    pub const fn outcome_column(self) -> &'static str {
        match self {
            Self::OverUnder => "over",
            Self::WonOnPoints => "won_on_points",
            Self::WonOnSpread => "won_on_spread",
        }
    }

    /// Returns the word for a side of this market: `over`, `under`, `home` or `away`.
    pub const fn side_word(self, side: Side) -> &'static str {
        match (self, side) {
            (Self::OverUnder, Side::Positive) => "over",
            (Self::OverUnder, Side::Negative) => "under",
            (Self::WonOnPoints | Self::WonOnSpread, Side::Positive) => "home",
            (Self::WonOnPoints | Self::WonOnSpread, Side::Negative) => "away",
        }
    }

    /// Returns the capitalised word for a side of this market: `Over`, `Under`, `Home` or `Away`.
    pub const fn side_title(self, side: Side) -> &'static str {
        match (self, side) {
            (Self::OverUnder, Side::Positive) => "Over",
            (Self::OverUnder, Side::Negative) => "Under",
            (Self::WonOnPoints | Self::WonOnSpread, Side::Positive) => "Home",
            (Self::WonOnPoints | Self::WonOnSpread, Side::Negative) => "Away",
        }
    }
}

impl fmt::Display for ModelType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for ModelType {
    type Err = FormError;

    /// Parses a code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|model_type| model_type.code().eq_ignore_ascii_case(raw))
            .ok_or_else(|| unknown_model_type(raw))
    }
}

/// The market of one model type in one league. Data is published and served by market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Market {
    /// The league.
    pub sport: Sport,
    /// The model type.
    pub model_type: ModelType,
}

impl Market {
    /// Returns the market of `model_type` in `sport`.
    pub const fn new(sport: Sport, model_type: ModelType) -> Self {
        Self { sport, model_type }
    }
}

impl fmt::Display for Market {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sport, self.model_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_types_are_those_of_the_specification() {
        let table = [
            ("over_under", "Over/Under", "over", "over", "under"),
            ("won_on_points", "Moneyline", "won_on_points", "home", "away"),
            ("won_on_spread", "Point Spread", "won_on_spread", "home", "away"),
        ];
        assert_eq!(table.len(), ModelType::ALL.len());
        for (code, name, outcome, positive, negative) in table {
            let model_type: ModelType = code.to_uppercase().parse().expect(code);
            assert_eq!((model_type.code(), model_type.name()), (code, name));
            assert_eq!(model_type.to_string(), code);
            assert_eq!(Market::new(Sport::Nfl, model_type).to_string(), format!("nfl {code}"));
            assert_eq!(model_type.outcome_column(), outcome);
            assert_eq!(model_type.side_word(Side::Positive), positive);
            assert_eq!(model_type.side_word(Side::Negative), negative);
            for side in [Side::Positive, Side::Negative] {
                assert_eq!(model_type.side_title(side).to_lowercase(), model_type.side_word(side));
            }
        }
    }

    #[test]
    fn an_unknown_model_type_names_the_known() {
        let error = "spread".parse::<ModelType>().expect_err("not a code");
        assert_eq!(
            error.to_string(),
            "`spread` is not a model type; known model types: over_under, won_on_points, won_on_spread"
        );
    }
}
