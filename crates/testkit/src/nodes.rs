//! The settings of nodes: a registry in memory, and the contract suite of the port.

pub mod contract;
mod fake;

pub use fake::NodeRegistryFake;
