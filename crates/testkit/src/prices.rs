//! Prices of a prediction market: a fake, and the contract suite of every source.

pub mod contract;
mod fake;

pub use fake::PricesFake;
