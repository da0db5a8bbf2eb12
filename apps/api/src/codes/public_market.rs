use std::str::FromStr;

use sports_domain::ModelType;

/// A market by its public name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMarket(pub ModelType);

/// The error for a text that is not the public name of a market.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a market; known markets: {known}", known = PublicMarket::ALL.map(PublicMarket::name).join(", "))]
pub struct UnknownMarket(String);

impl PublicMarket {
    /// Every market.
    pub const ALL: [Self; 3] = [Self(ModelType::OverUnder), Self(ModelType::WonOnPoints), Self(ModelType::WonOnSpread)];

    /// Returns the market's public name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            ModelType::OverUnder => "over_under",
            ModelType::WonOnPoints => "moneyline",
            ModelType::WonOnSpread => "spread",
        }
    }
}

impl FromStr for PublicMarket {
    type Err = UnknownMarket;

    /// Parses a name in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let mut markets = Self::ALL.into_iter();
        markets.find(|market| market.name().eq_ignore_ascii_case(raw)).ok_or_else(|| UnknownMarket(raw.to_owned()))
    }
}
