//! The settings of nodes: a registry in memory, and the contract of the port.

pub mod contract;
mod fake;

pub use fake::NodeRegistryFake;
