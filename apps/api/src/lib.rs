#![doc = include_str!("../README.md")]

pub mod answer;
pub mod api;
pub mod arguments;
pub mod auth;
pub mod build;
mod caching;
pub mod cli;
pub mod codes;
#[cfg(feature = "demo")]
pub mod demo;
mod deprecation;
pub mod error;
mod examples;
pub mod failure;
pub mod figures;
pub mod format;
pub mod healthcheck;
pub mod json;
pub mod modes;
pub mod moments;
mod near;
pub mod openapi;
pub mod operation;
pub mod page;
pub mod params;
mod past_requests;
pub mod paths;
pub mod prices;
pub mod render_seasons;
mod response_cache;
pub mod routes;
mod rows_schema;
pub mod server;
mod shell;
pub mod state;
mod wire;
pub mod wiring;
