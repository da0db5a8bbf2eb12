#![doc = include_str!("../README.md")]

mod calendar;
mod contest;
pub mod exchange;
mod files;
mod forecaster;
mod history;
mod league;
mod oddities;
mod quoting;
mod random;
mod schedule;
mod scoring;
mod season;
mod slate;
mod teams;
mod world;

pub use files::ReleaseFiles;
pub use season::{GameResult, Settlement};
pub use world::{Run, World};
