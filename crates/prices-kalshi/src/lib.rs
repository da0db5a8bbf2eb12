#![doc = include_str!("../README.md")]

mod book;
mod breaker;
mod source;
mod ticker;

pub use breaker::CircuitBreaker;
pub use source::{Headers, KalshiPrices, SetupError, Unreachable};
pub use ticker::{MONTHS, club_code, series_ticker};
