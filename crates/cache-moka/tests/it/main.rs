//! The caches in front of ports.

mod answers;
mod game_prices;
mod key_ring;
mod record_files;
mod season_views;
