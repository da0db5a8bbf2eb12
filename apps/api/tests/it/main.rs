//! The API in one process: the handling of every request, and the routes.

mod accounts_model;
mod auth;
mod browsers;
mod errors;
mod formats;
mod metering;
mod params;
mod paths;
mod public;
mod rendered_seasons;
mod request_id;
mod routes;
mod season_table;
mod slates;
#[path = "../state/mod.rs"]
mod state;
mod support;
