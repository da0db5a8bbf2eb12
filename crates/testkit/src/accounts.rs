//! Customers and keys: a fake that keeps them in memory, and the contract of both ports.

pub mod contract;
mod fake;

pub use fake::AccountsFake;
