#![doc = include_str!("../README.md")]

pub mod attestation;
mod client;
pub mod service;

pub use client::SetupError;
