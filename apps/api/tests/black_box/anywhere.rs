//! Tests that hold at every place of a site: on one machine, and on PostgreSQL, Redis and S3 (see [`crate::places`]).

mod access;
mod accounts;
mod analytics;
mod auth;
mod data_status;
mod day;
mod declared;
mod limits;
mod markets;
mod movement;
mod names;
mod parameters;
mod picks;
mod public;
mod record;
mod results;
mod seasons;
mod slate_fixture;
mod tables;
mod verdicts;
