//! Datasets: files and links in memory, and the contract suites of the ports.
//! [`AccountsFake`](crate::accounts::AccountsFake) holds their records.

pub mod contract;
mod fakes;

pub use fakes::{DatasetFilesFake, LinkSignerFake};
