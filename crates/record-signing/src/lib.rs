#![doc = include_str!("../README.md")]

pub mod attestation;
mod client;
pub mod keys;
pub mod service;

pub use client::SetupError;
