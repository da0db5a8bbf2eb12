#![doc = include_str!("../README.md")]

mod addresses;
mod commits;
mod counts;
mod memory;
mod shared;

pub use addresses::LocalAddressLimit;
pub use commits::Commits;
pub use memory::LocalMeter;
pub use shared::{Link, NotARedisAddress, RedisAddress, RedisAddressLimit, RedisMeter, Seconds};
