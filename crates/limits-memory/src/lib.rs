#![doc = include_str!("../README.md")]

mod addresses;
mod counts;
mod kept_counts;
mod meter;

pub use addresses::LocalAddressLimit;
pub use kept_counts::KeptCounts;
pub use meter::LocalMeter;
