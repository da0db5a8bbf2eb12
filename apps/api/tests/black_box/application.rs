//! Tests of answers, by the application in the process of the test: the store and the database are those that the real programs
//! publish to, and the wiring is that of `serve` (see [`crate::service::Site::app`]).

mod analytics;
mod as_of;
mod auth;
mod backtest;
pub mod clv;
mod corrections;
mod data_status;
mod declared;
mod games;
pub mod histories;
mod known;
mod league_settings;
mod markets;
mod movement;
pub mod moves;
mod names;
mod openers;
mod own_columns;
mod own_models;
mod own_names;
mod parameters;
mod picks;
mod recorded;
mod results;
mod seasons;
mod slate_fixture;
mod tables;
mod verdicts;
