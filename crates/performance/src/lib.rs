#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod density;
mod rolling;
mod season_game;
mod summary;
mod team_form;
mod tracking;
mod wagers;

pub use density::{BINS, Grid, GridCell, grids};
pub use rolling::{
    AverageCurve, AveragePoint, Curve, CurvePoint, Curves, FOUR_WEEKS, ONE_WEEK, Window, historical_average,
};
pub use season_game::{ENSEMBLE_MAJORITY, SeasonGame};
pub use summary::{ModelSummary, SHARE_PLACES, Span, Summarised, Tally, summarise};
pub use team_form::{LAST_N, Streak, TeamForm, next_game_dates, team_form};
pub use tracking::{ForecastOf, ModelCoverage, Tracking, model_coverage};
pub use wagers::{Staked, picked_prices, staked_games};
