//! Datasets: files and links in memory, and the contracts of the ports. Their records are kept by
//! [`AccountsFake`](crate::accounts::AccountsFake).

pub mod contract;
mod fakes;

pub use fakes::{DatasetFilesFake, LinkSignerFake};
