use std::fmt;
use std::str::FromStr;

use sports_domain::{AmericanPrice, FormError, ModelType};

use crate::{ExclusionReason, Finality, StrategyGame};

/// The pricing and counting of bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Accounting {
    /// Recorded moneylines, and an assumed price of −110 for every spread and total. A push is no bet. Deprecated.
    LegacyV1,
    /// The recorded prices. A push returns the stake; a game without a price on the side bet, or without a verified
    /// final, is excluded and counted as excluded.
    RecordedV2,
}

/// The source of the prices at which a market's bets are settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceBasis {
    /// The recorded prices, in every market.
    Recorded,
    /// The recorded moneylines.
    RecordedMoneyline,
    /// A price of −110 for every bet.
    FlatMinus110,
}

impl PriceBasis {
    /// Every basis.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::RecordedMoneyline, Self::FlatMinus110];

    /// Returns the code served as `price_basis`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::RecordedMoneyline => "recorded_moneyline",
            Self::FlatMinus110 => "flat_-110",
        }
    }
}

fn unknown_accounting(code: &str) -> FormError {
    FormError::new(format!("`{code}` is not a way of accounting; there are legacy_v1 and recorded_v2"))
}

/// The price assumed by legacy accounting: 110 risked to win 100.
const ASSUMED: Result<AmericanPrice, sports_domain::NotAPrice> = AmericanPrice::new(-110);

impl Accounting {
    /// Both accountings.
    pub const ALL: [Self; 2] = [Self::LegacyV1, Self::RecordedV2];

    /// Returns the code used in queries, such as `recorded_v2`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LegacyV1 => "legacy_v1",
            Self::RecordedV2 => "recorded_v2",
        }
    }

    /// Returns the source of the prices at which a market's bets are settled.
    pub const fn price_basis(self, model_type: ModelType) -> PriceBasis {
        match (self, model_type) {
            (Self::RecordedV2, _) => PriceBasis::Recorded,
            (Self::LegacyV1, ModelType::WonOnPoints) => PriceBasis::RecordedMoneyline,
            (Self::LegacyV1, ModelType::OverUnder | ModelType::WonOnSpread) => PriceBasis::FlatMinus110,
        }
    }

    /// Returns true if a push counts as a bet.
    pub(crate) const fn stakes_pushes(self) -> bool {
        matches!(self, Self::RecordedV2)
    }

    /// Returns the price at which a bet is settled, or the reason for its exclusion; an unverified final takes
    /// precedence over a missing price.
    pub(crate) fn price(
        self,
        game: &StrategyGame<'_>,
        recorded: Option<AmericanPrice>,
    ) -> Result<AmericanPrice, ExclusionReason> {
        let recorded = recorded.ok_or(ExclusionReason::MissingPrice);
        match (self, game.market().model_type()) {
            (Self::RecordedV2, _) if game.finality() == Finality::Unverified => {
                Err(ExclusionReason::UnverifiedFinality)
            }
            (Self::RecordedV2, _) | (Self::LegacyV1, ModelType::WonOnPoints) => recorded,
            (Self::LegacyV1, ModelType::OverUnder | ModelType::WonOnSpread) => {
                ASSUMED.map_err(|_| ExclusionReason::MissingPrice)
            }
        }
    }
}

impl fmt::Display for Accounting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Accounting {
    type Err = FormError;

    /// Parses a code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|accounting| accounting.code().eq_ignore_ascii_case(raw))
            .ok_or_else(|| unknown_accounting(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accountings_and_their_prices_are_those_of_the_specification() {
        let table = [
            (Accounting::LegacyV1, "legacy_v1", ["flat_-110", "recorded_moneyline", "flat_-110"]),
            (Accounting::RecordedV2, "recorded_v2", ["recorded"; 3]),
        ];
        for (accounting, code, bases) in table {
            assert_eq!((accounting.code(), accounting.to_string().as_str()), (code, code));
            assert_eq!(ModelType::ALL.map(|model_type| accounting.price_basis(model_type).code()), bases);
        }
    }

    #[test]
    fn codes_read_back_and_others_are_refused() {
        for accounting in Accounting::ALL {
            assert_eq!(accounting.code().to_uppercase().parse(), Ok(accounting));
        }
        let refused = "v2".parse::<Accounting>().expect_err("no such accounting");
        assert_eq!(refused.to_string(), "`v2` is not a way of accounting; there are legacy_v1 and recorded_v2");
    }
}
