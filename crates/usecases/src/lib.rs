#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod archives;
pub mod chain;
pub mod datasets;
pub mod on_air;
pub mod publish;
pub mod releases;
pub mod results;
pub mod verify;
