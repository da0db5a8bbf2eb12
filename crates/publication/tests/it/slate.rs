//! Tests of the comparison of markets, of slate dates and of the status of data.

mod calendar;
mod comparison;
mod freshness_laws;
mod freshness_table;
