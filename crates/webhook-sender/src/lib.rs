#![doc = include_str!("../README.md")]

mod networks;
mod resolver;
mod sender;
mod signature;

pub use sender::{HttpSender, SetupError};
pub use signature::signature;
