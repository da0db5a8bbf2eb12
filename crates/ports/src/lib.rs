#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod attestation;
pub mod calls;
mod clock;
pub mod contents;
pub mod datasets;
mod error;
pub mod metering;
pub mod nodes;
pub mod prices;
pub mod publication;
mod random;
pub mod record;
pub mod results;
pub mod seasons;
pub mod signing;
pub mod tables;
pub mod webhooks;

pub use clock::{Clock, LEAD_TIMEOUT, Lead};
pub use error::{PortError, error_chain};
pub use random::{Random, random_bytes};
