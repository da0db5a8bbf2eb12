#![doc = include_str!("../README.md")]

mod answers;
mod game_prices;
mod key_ring;
mod lookups;
mod season_views;
mod weighed;

pub use answers::KeptAnswers;
pub use game_prices::CachedGamePrices;
pub use key_ring::CachedKeyRing;
pub use lookups::Lookups;
pub use season_views::CachedSeasonViews;

use sports_ports::{PortError, in_one_line};

/// An error that several waiting readers get; its text is all that can be shared.
fn shared(error: &PortError) -> PortError {
    match error {
        PortError::Unavailable { port, source } => PortError::unavailable(port, in_one_line(&**source)),
        PortError::Corrupt { port, source } => PortError::corrupt(port, in_one_line(&**source)),
    }
}
