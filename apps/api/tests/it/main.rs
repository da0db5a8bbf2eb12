//! The API in one process: what happens to every request, and the routes.

mod auth;
mod browsers;
mod errors;
mod metering;
mod params;
mod paths;
mod public;
mod request_id;
mod routes;
mod season_table;
mod slates;
mod support;
