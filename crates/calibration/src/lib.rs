#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod bins;
mod calibration;
mod closing_value;
mod corp;
mod dated_ratio;
mod forecast;
mod interval;
mod market;
mod perfect;
mod picks;
mod season;

pub use bins::{BINS, Bin, MurphyTerms, THIN};
pub use calibration::{Calibration, ModelForecasts, Scores, calibrate};
pub use closing_value::{ClosingValue, Excluded, Measure};
pub use corp::{Block, Corp, LOG_LOSS_CLIP};
pub use dated_ratio::{BOOTSTRAP_DRAWS, DatedMean, DatedRatio, DatedTerm, MIN_DATES, SplitMix64};
pub use forecast::{Close, Offer, SettledForecast, TakenForecast};
pub use interval::{Interval, MIN_GAMES, SMALL, SampleSize, mean_break_even, wilson};
pub use market::{MarketComparison, MarketVerdict, SIGNIFICANCE};
pub use perfect::{PERFECT_DRAWS, PerfectForecaster};
pub use picks::Picks;
