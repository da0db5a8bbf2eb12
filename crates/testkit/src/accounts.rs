//! Customers and keys: a fake in memory, and the contracts of both ports.

pub mod contract;
mod fake;
pub mod webhooks;

pub use fake::AccountsFake;
