//! Conversions of feeds that are made by hand.

mod conversion;
mod refusals;
mod scores;
mod support;
