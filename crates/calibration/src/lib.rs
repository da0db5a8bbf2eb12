#![doc = include_str!("../README.md")]

mod bins;
mod calibration;
mod corp;
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
mod verdict;

pub use bins::{BINS, Bin, MurphyTerms, THIN};
pub use calibration::{Calibration, ModelForecasts, Scores, calibrate};
pub use corp::{Block, Corp};
pub use dated_ratio::{BOOTSTRAP_DRAWS, DatedRatio, DatedTerm, MIN_DATES};
pub use forecast::SettledForecast;
pub use interval::{Interval, mean_break_even, wilson};
pub use market::{Difference, MarketComparison};
pub use perfect::{PERFECT_DRAWS, PerfectForecaster};
pub use picks::Picks;
pub use pooled::LOG_LOSS_CLIP;
pub use sample::{MIN_GAMES, SMALL, SampleSize};
pub use split_mix::SplitMix64;
pub use verdict::{MarketVerdict, SIGNIFICANCE};
