#![doc = include_str!("../README.md")]

mod file;
mod pages;
#[cfg(feature = "testing")]
pub mod testing;
mod thrift;

pub use file::{Batches, Limits, ParquetFile};
