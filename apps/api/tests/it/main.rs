//! The API in one process: what happens to every request, and the routes.

mod auth;
mod errors;
mod params;
mod paths;
mod request_id;
mod routes;
mod slates;
mod support;
