//! Counts and limits that servers share, in Redis.

mod address;
mod addresses;
mod connection;
mod link;
mod meter;

pub use address::{NotARedisAddress, RedisAddress};
pub use addresses::RedisAddressLimit;
pub use connection::Seconds;
pub use link::Link;
pub use meter::RedisMeter;
