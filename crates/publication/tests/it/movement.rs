//! The movement of a season.

mod histories;
mod known;
mod long_season;
