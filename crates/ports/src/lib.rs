#![doc = include_str!("../README.md")]

pub mod accounts;
mod error;

pub use error::PortError;
