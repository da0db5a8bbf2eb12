#![doc = include_str!("../README.md")]

pub mod attestation;
pub mod dns;
pub mod keys;
pub mod service;
pub mod token;

pub use service::SetupError;
