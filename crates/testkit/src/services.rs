//! Temporary servers for tests, and faults in the network between them and a program.
//!
//! A server listens on a free loopback port and ends with the test that started it, even if the test is killed. If its
//! program is not installed, the test prints a note and is skipped; with `REQUIRE_SERVICES` set, it fails.

mod certificates;
mod network;
mod postgres;
mod process;
mod redis;
#[cfg(feature = "s3")]
mod s3;
mod timestamps;
mod web;
mod witness;

pub use certificates::Certificates;
pub use network::{Condition, Network};
pub use postgres::Postgres;
pub use process::{Process, installed};
pub use redis::Redis;
#[cfg(feature = "s3")]
pub use s3::S3Server;
pub use timestamps::{TimestampBehaviour, TimestampStandIn};
pub use web::{WebAnswer, WebRequest, WebServer};
pub use witness::{WitnessBehaviour, WitnessStandIn};
