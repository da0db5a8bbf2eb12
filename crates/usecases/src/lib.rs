#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod analytics;
pub mod chosen_models;
pub mod correction_walks;
pub mod data_status;
pub mod datasets;
pub mod forecast_proof;
pub mod game_histories;
pub mod games;
pub mod key_uses;
pub mod known_season;
pub mod league_markets;
pub mod live_season;
pub mod markets;
pub mod models;
pub mod moment;
pub mod node_settings;
pub mod probes;
mod projections;
pub mod publish;
pub mod release_stream;
pub mod releases;
pub mod repair;
pub mod results;
pub mod season_tables;
pub mod season_walk;
pub mod signing;
pub mod slate_changes;
pub mod slate_moves;
pub mod today;
pub mod unsettled;
pub mod unused;
pub mod verify;
pub mod webhooks;

// Not a use case itself: reads the published record for all of them.
pub mod record;
