//! The programs as their users meet them: `sportsctl` publishes real fixtures, `sports-api` serves them, and everything
//! is asked over HTTP.
#![cfg(unix)]

mod access;
mod accounts;
mod agreement;
mod analytics;
mod auth;
mod browser;
mod connections;
mod data_status;
mod datasets;
mod day;
mod declared;
#[cfg(feature = "demo")]
mod demo;
mod docs_page;
mod durability;
mod faults;
mod folder;
mod generations;
mod health;
mod invented;
mod limits;
mod logging;
mod markets;
mod metrics;
mod movement;
mod names;
mod operations;
mod outage;
mod picks;
mod places;
mod public;
mod real_leagues;
mod results;
mod rows;
mod seasons;
mod secrecy;
mod security_page;
mod service;
mod settings_page;
mod simulated;
mod slate_fixture;
mod traces;
mod verdicts;
mod walk;
