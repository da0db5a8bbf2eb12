//! The caches in front of ports.

mod game_prices;
mod key_ring;
mod record_files;
mod results;
mod season_views;
