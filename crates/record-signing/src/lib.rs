#![doc = include_str!("../README.md")]

pub mod attestation;
pub mod keys;
pub mod service;

pub use service::SetupError;
