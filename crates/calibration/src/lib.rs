#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod bins;
mod calibration;
mod closing_value;
mod corp;
mod dated_mean;
mod dated_ratio;
mod forecast;
mod holm;
mod hull;
mod interval;
mod market;
mod perfect;
mod picks;
mod pooled;
mod quantile;
mod sample;
mod season;
mod split_mix;
mod student;
mod taken_forecast;
mod verdict;

pub use bins::{BINS, Bin, MurphyTerms, THIN};
pub use calibration::{Calibration, ModelForecasts, Scores, calibrate};
pub use closing_value::{ClosingValue, Excluded, Measure};
pub use corp::{Block, Corp};
pub use dated_mean::DatedMean;
pub use dated_ratio::{BOOTSTRAP_DRAWS, DatedRatio, DatedTerm, MIN_DATES};
pub use forecast::SettledForecast;
pub use interval::{Interval, mean_break_even, wilson};
pub use market::MarketComparison;
pub use perfect::{PERFECT_DRAWS, PerfectForecaster};
pub use picks::Picks;
pub use pooled::LOG_LOSS_CLIP;
pub use sample::{MIN_GAMES, SMALL, SampleSize};
pub use split_mix::SplitMix64;
pub use taken_forecast::{Close, Offer, TakenForecast};
pub use verdict::{MarketVerdict, SIGNIFICANCE};
