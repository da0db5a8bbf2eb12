//! Converters of other sources: tables by a map of their columns, and a feed of The Odds API. They perform no I/O and open no
//! connection.

pub mod tables;
pub mod the_odds_api;
