//! What the simulated world promises, over its files.

mod awkward;
mod calendar;
mod calibration;
mod determinism;
mod slates;
mod table;
