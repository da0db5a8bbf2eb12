//! What the simulated world promises, over its files.

mod awkward;
mod calendar;
mod calibration;
mod determinism;
mod releases;
mod slates;
mod table;
