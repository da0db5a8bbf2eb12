#![doc = include_str!("../README.md")]

mod game_prices;
mod key_ring;
mod season_views;

pub use game_prices::CachedGamePrices;
pub use key_ring::CachedKeyRing;
pub use season_views::CachedSeasonViews;

use sports_ports::PortError;

/// An error that several waiting readers are told; its text is all that can be shared.
fn shared(error: &PortError) -> PortError {
    match error {
        PortError::Unavailable { port, source } => PortError::unavailable(port, source.to_string()),
        PortError::Corrupt { port, source } => PortError::corrupt(port, source.to_string()),
    }
}
