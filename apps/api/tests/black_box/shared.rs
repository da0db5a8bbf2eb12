//! The tests of one machine that ask nothing of its files, once more on PostgreSQL, Redis and S3.
#![cfg(unix)]

mod access;
mod accounts;
mod agreement;
mod analytics;
mod auth;
mod datasets;
mod day;
mod declared;
mod folder;
mod invented;
mod limits;
mod markets;
mod movement;
mod names;
mod operations;
mod picks;
#[path = "shared/places.rs"]
mod places;
mod public;
mod results;
mod rows;
mod seasons;
mod service;
mod simulated;
mod slate_fixture;
mod verdicts;
