//! Comparison of everything that is computed from graded games with implementations in another language that share no
//! code with this one: pandas for the figures, the package `odds-tools` for the odds.
#![cfg(unix)]

mod backtest;
mod calibration;
mod clv;
mod figures;
mod odds;
mod own_models;
mod python;
mod recorded;
mod site;
#[path = "../state/mod.rs"]
mod state;
mod tables;
