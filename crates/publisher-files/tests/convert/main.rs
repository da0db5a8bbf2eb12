//! Conversions of whole files, and files that cannot be converted.

mod tables;
mod the_odds_api;
