//! The API in one process: the handling of every request, and the routes.

mod auth;
mod browsers;
mod errors;
mod metering;
mod params;
mod paths;
mod public;
mod rendered_seasons;
mod request_id;
mod routes;
mod season_table;
mod slates;
mod support;
