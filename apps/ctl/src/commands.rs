//! One module a command: ask a use case, say what came of it.

pub mod customer;
pub mod dataset;
pub mod entitlement;
pub mod key;
pub mod migrate;
pub mod publish;
pub mod releases;
pub mod template;
pub mod verify;
