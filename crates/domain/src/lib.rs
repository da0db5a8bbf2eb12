#![doc = include_str!("../README.md")]

mod calendar;
mod clubs;
mod forecasts;
mod game_key;
mod game_type;
mod line_column;
mod lines;
mod market;
mod model_column;
mod price;
mod probability;
mod reach;
mod rounding;
mod score;
mod season;
mod side;
mod sport;
mod team;

pub use calendar::{eastern_date, eastern_instant, eastern_reading};
pub use clubs::{Club, ClubName};
pub use forecasts::Forecasts;
pub use game_key::GameKey;
pub use game_type::GameType;
pub use line_column::{LineColumn, LineValue};
pub use lines::{GameLines, HomeSpread, NotALine, Total};
pub use market::{Market, ModelType, UnknownModelType};
pub use model_column::{ModelColumn, UnknownModelColumn};
pub use price::{AmericanPrice, NotAPrice, TwoWayPrices};
pub use probability::{NO_DIFFERENCE, NotAProbability, Probability, expected_value};
pub use reach::{OutOfReach, within_reach};
pub use rounding::rounded;
pub use score::FinalScore;
pub use season::{NotASeason, Season};
pub use side::Side;
pub use sport::{Sport, UnknownSport};
pub use team::{NotATeam, TeamSlug, is_invisible};
