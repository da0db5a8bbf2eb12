#![doc = include_str!("../README.md")]

mod book;
mod bounds;
mod breaker;
mod failure;
mod games;
mod page;
mod source;
mod teams;
mod ticker;

pub use breaker::CircuitBreaker;
pub use failure::Unreachable;
pub use source::{Headers, KalshiPrices, SetupError};
pub use teams::club_code;
pub use ticker::{MONTHS, series_ticker};
