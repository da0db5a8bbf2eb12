#![doc = include_str!("../README.md")]

pub mod tables;
pub mod the_odds_api;
