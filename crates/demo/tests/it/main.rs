//! Tests of the guarantees of the simulated world, over its files.

mod calendar;
mod calibration;
mod determinism;
mod edge_cases;
mod honesty;
mod releases;
mod slates;
mod table;
