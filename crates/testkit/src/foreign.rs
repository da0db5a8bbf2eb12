//! Real games as other sources write them, for tests of the converter: their columns, names and forms, written without any
//! code of the converter.

mod nflverse;
mod real;
mod sheet;
mod wide;

pub use nflverse::nflverse;
pub use real::{ForeignFile, RealRow, real_rows, real_seasons};
pub use sheet::sheet;
pub use wide::wide;
