#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod answers;
pub mod clock;
#[cfg(target_os = "linux")]
pub mod clocks;
pub mod datasets;
pub mod disks;
pub mod metering;
pub mod nodes;
pub mod prices;
pub mod programs;
pub mod publication;
pub mod random;
pub mod seasons;
#[cfg(feature = "services")]
pub mod services;
