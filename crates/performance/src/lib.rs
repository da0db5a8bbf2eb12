#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod bets;
mod density;
mod ensemble;
mod lanes;
mod model_coverage;
mod pick_counts;
mod rolling;
mod season_game;
mod staked;
mod summarised;
mod summary;
mod tally;
mod team_form;
mod tracking;
mod wagers;
mod window;

pub use bets::{picked_prices, staked_games};
pub use density::{BINS, Grid, GridCell, grids};
pub use ensemble::ENSEMBLE_MAJORITY;
pub use model_coverage::{ModelCoverage, model_coverage};
pub use rolling::{AverageCurve, AveragePoint, Curve, CurvePoint, Curves, historical_average};
pub use season_game::SeasonGame;
pub use staked::Staked;
pub use summarised::Summarised;
pub use summary::{ModelSummary, Span, summarise};
pub use tally::{SHARE_PLACES, Tally};
pub use team_form::{LAST_N, Streak, TeamForm, next_game_dates, team_form};
pub use tracking::{ForecastOf, Tracking};
pub use window::{FOUR_WEEKS, ONE_WEEK, Window};
