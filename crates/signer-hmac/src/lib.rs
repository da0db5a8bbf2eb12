#![doc = include_str!("../README.md")]

mod link;
mod signer;

pub use signer::HmacSigner;
