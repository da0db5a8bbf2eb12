//! The tests of one machine that do not use its files, repeated on PostgreSQL, Redis and S3.
#![cfg(unix)]

mod access;
mod accounts;
mod agreement;
mod analytics;
mod auth;
mod data_status;
mod day;
mod declared;
#[expect(dead_code, reason = "some of it looks at the files of one machine")]
mod folder;
mod invented;
mod limits;
mod markets;
mod movement;
mod names;
mod operations;
mod parameters;
mod picks;
#[path = "shared/places.rs"]
mod places;
mod public;
mod record;
mod results;
mod rows;
mod seasons;
#[expect(dead_code, reason = "some of it is for the tests of one machine")]
mod service;
mod signed;
mod simulated;
mod slate_fixture;
mod tables;
mod verdicts;
