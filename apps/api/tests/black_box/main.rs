//! The programs as their users meet them: `sportsctl` publishes real fixtures, `sports-api` serves them, and everything
//! is asked over HTTP.
#![cfg(unix)]

mod accounts;
mod auth;
mod datasets;
mod durability;
mod folder;
mod generations;
mod health;
mod limits;
mod outage;
mod real_leagues;
mod results;
mod rows;
mod seasons;
mod secrecy;
mod service;
mod verdicts;
mod walk;
