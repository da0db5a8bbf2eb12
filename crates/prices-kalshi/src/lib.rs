#![doc = include_str!("../README.md")]

mod book;
mod breaker;
mod failure;
mod games;
mod page;
mod source;
#[cfg(feature = "stub")]
pub mod stub;
mod teams;
mod ticker;

pub use breaker::CircuitBreaker;
pub use failure::Unreachable;
pub use source::{KalshiPrices, SetupError};

/// What logs and errors call the other side.
const PORT: &str = "the prediction market";
