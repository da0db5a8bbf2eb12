#![doc = include_str!("../README.md")]

mod answers;
mod game_prices;
mod key_ring;
mod lookups;
mod season_views;

pub use answers::KeptAnswers;
pub use game_prices::CachedGamePrices;
pub use key_ring::CachedKeyRing;
pub use lookups::Lookups;
pub use season_views::CachedSeasonViews;

use std::sync::Arc;

use sports_ports::seasons::Weighed;
use sports_ports::{PortError, in_one_line};

/// An error that several waiting readers get; its text is all that can be shared.
fn shared(error: &PortError) -> PortError {
    match error {
        PortError::Unavailable { port, source } => PortError::unavailable(port, in_one_line(&**source)),
        PortError::Corrupt { port, source } => PortError::corrupt(port, in_one_line(&**source)),
    }
}

/// A value's weight as the cache counts it.
fn weigh<V: Weighed>(value: &Arc<V>) -> u32 {
    u32::try_from(value.weight()).unwrap_or(u32::MAX)
}
