#![doc = include_str!("../README.md")]

mod clock;
mod random;

pub use clock::SystemClock;
pub use random::SystemRandom;
