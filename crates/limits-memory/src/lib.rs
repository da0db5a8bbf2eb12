#![doc = include_str!("../README.md")]

mod addresses;
mod counts;
mod meter;

pub use addresses::LocalAddressLimit;
pub use meter::LocalMeter;
