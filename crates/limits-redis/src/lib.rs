#![doc = include_str!("../README.md")]

mod address;
mod addresses;
mod calls;
mod counts;
mod keeper;
mod link;
mod meter;
mod scripts;
mod session;

pub use address::{NotARedisAddress, RedisAddress};
pub use addresses::RedisAddressLimit;
pub use link::{Link, OnFailure};
pub use meter::{RedisMeter, Setup};
pub use session::Seconds;
