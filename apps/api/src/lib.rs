#![doc = include_str!("../README.md")]

pub mod answers;
pub mod api;
pub mod auth;
pub mod build;
pub mod caching;
pub mod cli;
pub mod codes;
pub mod demo;
pub mod error;
pub mod failure;
pub mod figures;
pub mod front;
pub mod json;
pub mod metering;
pub mod modes;
pub mod openapi;
pub mod params;
pub mod paths;
pub mod prices;
pub mod probes;
pub mod render;
pub mod routes;
pub mod server;
mod shell;
pub mod telemetry;
pub mod wiring;
