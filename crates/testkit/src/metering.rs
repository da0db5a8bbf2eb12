//! Counting and limiting calls: a meter that keeps plain lists, and the contracts of the ports.

pub mod contract;
mod fake;

pub use fake::MeterFake;
