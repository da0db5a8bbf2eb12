#![doc = include_str!("../README.md")]

pub mod answers;
pub mod api;
pub mod arguments;
pub mod auth;
mod browsers;
pub mod build;
pub mod caching;
pub mod cli;
pub mod codes;
pub mod connections;
#[cfg(feature = "demo")]
pub mod demo;
pub mod error;
mod examples;
pub mod failure;
pub mod figures;
pub mod format;
pub mod json;
mod limits;
pub mod metering;
pub mod modes;
pub mod openapi;
pub mod operation;
mod panic_guard;
pub mod params;
pub mod paths;
pub mod prices;
pub mod probes;
mod provided;
pub mod proxy_trust;
pub mod render_seasons;
mod request_id;
pub mod routes;
pub mod server;
mod shell;
pub mod telemetry;
pub mod wiring;
