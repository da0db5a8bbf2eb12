//! Metering of calls: a simple fake, and the contract suites of the ports.

pub mod contract;
mod fake;

pub use fake::MeterFake;
