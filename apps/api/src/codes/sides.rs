use sports_domain::{ModelType, Side};

/// A side of one market, which has its own word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketSide {
    pub model_type: ModelType,
    pub side: Side,
}

impl MarketSide {
    /// Returns one value for each word.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let markets = [ModelType::OverUnder, ModelType::WonOnPoints].into_iter();
        markets.flat_map(|model_type| [Side::Positive, Side::Negative].map(|side| Self { model_type, side }))
    }

    /// Returns the side's word: `over`, `under`, `home` or `away`.
    pub const fn word(self) -> &'static str {
        self.model_type.side_word(self.side)
    }
}

/// The side of a pick; `None` without a pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PickedSide(pub Option<MarketSide>);

impl PickedSide {
    /// Returns one value for each word.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        MarketSide::all().map(Some).chain([None]).map(Self)
    }

    /// Returns the side's word, or `none`.
    pub fn word(self) -> &'static str {
        self.0.map_or("none", MarketSide::word)
    }
}
