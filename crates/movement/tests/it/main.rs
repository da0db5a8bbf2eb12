//! The movement of a season.

mod known;
mod long_season;
mod movement;
