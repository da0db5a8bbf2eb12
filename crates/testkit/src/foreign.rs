//! Real games as other sources write them, for tests of the converter: their columns, names and forms, written without any
//! code of the converter.

mod real;
mod sheet;

pub use real::{ForeignFile, RealRow, nflverse, real_rows, real_seasons};
pub use sheet::{sheet, wide};
