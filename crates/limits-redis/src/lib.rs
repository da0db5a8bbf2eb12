#![doc = include_str!("../README.md")]

mod address;
mod addresses;
mod call;
mod counts;
mod fallback;
mod link;
mod meter;
mod meter_state;
mod scripts;
mod session;
mod supervisor;

pub use address::{NotARedisAddress, RedisAddress};
pub use addresses::RedisAddressLimit;
pub use link::{Link, OnFailure};
pub use meter::RedisMeter;
pub use meter_state::Setup;
pub use session::Seconds;
