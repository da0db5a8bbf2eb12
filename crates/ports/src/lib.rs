#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod answers;
mod clock;
mod error;
pub mod prices;
pub mod publication;
pub mod seasons;
pub mod tables;

pub use clock::Clock;
pub use error::{PortError, in_one_line};
