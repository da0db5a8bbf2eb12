#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod analytics;
pub mod archives;
pub mod chain;
pub mod on_air;
pub mod publish;
pub mod releases;
pub mod results;
pub mod verify;
