#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod bins;
mod calibration;
mod closing_value;
mod corp;
mod dated_ratio;
mod falls;
mod forecast;
mod interval;
mod luck;
mod market;
mod perfect;
mod picks;
mod season;

pub use bins::{BINS, Bin, MurphyTerms, THIN};
pub use calibration::{Calibration, ModelForecasts, Scores, calibrate};
pub use closing_value::{ClosingValue, Excluded, Measure};
pub use corp::{Block, Corp, LOG_LOSS_CLIP};
pub use dated_ratio::{BOOTSTRAP_DRAWS, DatedMean, DatedRatio, DatedTerm, MIN_DATES, SplitMix64};
pub use falls::{largest_fall, share_of_larger_falls};
pub use forecast::{Close, Offer, SettledForecast, TakenForecast};
pub use interval::{Interval, MIN_GAMES, SMALL, SampleSize, mean_break_even, wilson};
pub use luck::{
    COURSE_SHARES, FairBet, LUCKY_DRAWS, Luck, LuckMethod, LuckyCourse, LuckySearch, LuckyUnits, RANDOM_GAMES_DRAWS,
    UnitsBySide, share_of_random_games,
};
pub use market::{MarketComparison, MarketVerdict, SIGNIFICANCE};
pub use perfect::{PERFECT_DRAWS, PerfectForecaster};
pub use picks::Picks;
