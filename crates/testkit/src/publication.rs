//! The publication ports in memory, and the contract every adapter keeps.

pub mod contract;
mod fakes;

pub use fakes::{CodecFake, SlateCodecFake, StoreFake};
