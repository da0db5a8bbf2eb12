#![doc = include_str!("../README.md")]

pub mod attestation;
pub mod service;
