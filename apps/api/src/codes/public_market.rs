use std::str::FromStr;

use sports_domain::ModelType;

/// A market by the name it has in public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMarket(pub ModelType);

/// A word that is the public name of no market.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a market; known markets: {known}", known = PublicMarket::ALL.map(PublicMarket::name).join(", "))]
pub struct UnknownMarket(String);

impl PublicMarket {
    /// Every market.
    pub const ALL: [Self; 3] = [Self(ModelType::OverUnder), Self(ModelType::WonOnPoints), Self(ModelType::WonOnSpread)];

    /// Its public name.
    #[must_use]
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

    /// Reads a word in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let mut markets = Self::ALL.into_iter();
        markets.find(|market| market.name().eq_ignore_ascii_case(raw)).ok_or_else(|| UnknownMarket(raw.to_owned()))
    }
}
