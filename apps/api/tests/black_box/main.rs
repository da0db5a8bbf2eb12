//! The programs as their users meet them: `sportsctl` publishes real fixtures, `sports-api` serves them, and everything
//! is asked over HTTP.
#![cfg(unix)]

mod analytics;
mod auth;
mod data_status;
mod day;
mod demo;
mod folder;
mod generations;
mod health;
mod outage;
mod picks;
mod real_leagues;
mod results;
mod rows;
mod seasons;
mod service;
mod simulated;
mod slate_fixture;
mod verdicts;
