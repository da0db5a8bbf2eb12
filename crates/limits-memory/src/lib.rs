#![doc = include_str!("../README.md")]

mod addresses;
mod counts;
mod crash_file;
mod meter;

pub use addresses::LocalAddressLimit;
pub use crash_file::CrashFile;
pub use meter::LocalMeter;
