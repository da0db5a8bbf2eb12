//! Metering of calls: the contract suites of the ports.

pub mod contract;
