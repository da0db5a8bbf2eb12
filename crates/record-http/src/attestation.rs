//! Witnesses and timestamp servers over HTTP, as the ports `Witness` and `TimestampServer`.

mod client;
mod failure;
mod timestamp_server;
mod witness;

pub use client::SetupError;
pub use timestamp_server::HttpTimestampServer;
pub use witness::HttpWitness;
