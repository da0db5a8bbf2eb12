#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod density;
mod followed;
mod lanes;
mod rolling;
mod season_game;
mod summarised;
mod summary;
mod tally;
mod team_form;
mod tracking;
mod wagers;
mod window;

pub use density::{BINS, Grid, GridCell, grids};
pub use followed::{Favourite, Followed, FollowedGame, followed_games};
pub use rolling::{AverageCurve, AveragePoint, Curve, CurvePoint, Curves, historical_average};
pub use season_game::{ENSEMBLE_MAJORITY, SeasonGame};
pub use summarised::Summarised;
pub use summary::{ModelSummary, Span, summarise};
pub use tally::{SHARE_PLACES, Tally};
pub use team_form::{LAST_N, Streak, TeamForm, next_game_dates, team_form};
pub use tracking::{ForecastOf, ModelCoverage, Tracking, model_coverage};
pub use wagers::{Staked, picked_prices, staked_games};
pub use window::{FOUR_WEEKS, ONE_WEEK, Window};
