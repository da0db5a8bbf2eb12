use std::fmt;
use std::str::FromStr;

use sports_domain::{AmericanPrice, ModelType};

use crate::{ExclusionReason, Finality, StrategyGame};

/// How bets are priced and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Accounting {
    /// Recorded moneylines, and −110 assumed for every spread and total. A push is no bet. Deprecated.
    LegacyV1,
    /// The prices on record. A push is a stake that comes back; a game without a price on the side that is
    /// bet, or without a verified final, is excluded and counted as such.
    RecordedV2,
}

/// The prices that a market's bets are settled at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceBasis {
    /// Those on record, in every market.
    Recorded,
    /// The moneylines on record.
    RecordedMoneyline,
    /// −110, whatever is on record.
    FlatMinus110,
}

impl PriceBasis {
    /// Every basis.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::RecordedMoneyline, Self::FlatMinus110];

    /// The code served as `price_basis`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::RecordedMoneyline => "recorded_moneyline",
            Self::FlatMinus110 => "flat_-110",
        }
    }
}

/// A word that names neither way of accounting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a way of accounting; there are legacy_v1 and recorded_v2")]
pub struct UnknownAccounting(pub String);

/// What legacy accounting assumes: 110 risked to win 100.
const ASSUMED: Result<AmericanPrice, sports_domain::NotAPrice> = AmericanPrice::new(-110);

impl Accounting {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::LegacyV1, Self::RecordedV2];

    /// The code used in queries, such as `recorded_v2`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::LegacyV1 => "legacy_v1",
            Self::RecordedV2 => "recorded_v2",
        }
    }

    /// Which prices a market's bets are settled at.
    #[must_use]
    pub const fn price_basis(self, model_type: ModelType) -> PriceBasis {
        match (self, model_type) {
            (Self::RecordedV2, _) => PriceBasis::Recorded,
            (Self::LegacyV1, ModelType::WonOnPoints) => PriceBasis::RecordedMoneyline,
            (Self::LegacyV1, ModelType::OverUnder | ModelType::WonOnSpread) => PriceBasis::FlatMinus110,
        }
    }

    /// Whether a push is a bet.
    pub(crate) const fn stakes_pushes(self) -> bool {
        matches!(self, Self::RecordedV2)
    }

    /// The price a bet is settled at, or why there is no bet: an unverified final is the reason even where the
    /// price is missing, too.
    pub(crate) fn price(
        self,
        game: &StrategyGame,
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
    type Err = UnknownAccounting;

    /// Reads a code in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|accounting| accounting.code().eq_ignore_ascii_case(raw))
            .ok_or_else(|| UnknownAccounting(raw.to_owned()))
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
