//! The publication ports in memory, and the contract suites of every adapter.

pub mod contract;
mod fakes;

pub use fakes::{CodecFake, SlateCodecFake, StoreFake};
