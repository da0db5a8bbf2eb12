#![doc = include_str!("../README.md")]

mod calendar;
mod contest;
mod csv;
pub mod exchange;
mod files;
mod fixture;
mod forecaster;
mod game;
mod history;
mod league;
mod manifest;
mod oddities;
mod own_models;
mod pmf;
mod postseason;
mod prices;
mod quoting;
mod random;
mod schedule;
mod scoring;
mod season;
mod settlement;
mod slate;
mod strength;
mod teams;
mod world;

pub use files::ReleaseFiles;
pub use game::GameResult;
pub use settlement::Settlement;
pub use world::{Run, World};
