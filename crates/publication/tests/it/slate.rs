//! Tests of the comparison of markets and of the status of data.

mod comparison;
mod freshness_laws;
mod freshness_table;
