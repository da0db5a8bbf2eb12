#![doc = include_str!("../README.md")]

mod clock;
pub mod permissions;
mod random;
pub mod regular_file;

pub use clock::SystemClock;
pub use random::SystemRandom;
