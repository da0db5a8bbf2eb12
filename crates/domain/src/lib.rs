#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod calendar;
mod clock_source;
mod clubs;
mod date_span;
mod digits;
mod forecasts;
mod game_key;
mod game_type;
mod line_column;
mod lines;
mod market;
mod model_column;
mod model_name;
mod model_set;
mod own_forecasts;
mod price;
mod probability;
mod reach;
mod rounding;
mod score;
mod season;
mod side;
mod sport;
mod spreadsheet;
mod team;
mod visible;

pub use calendar::{eastern_date, eastern_instant, eastern_reading, is_skipped_in_eastern};
pub use clock_source::ClockSource;
pub use clubs::{Club, ClubName};
pub use date_span::{BackwardSpan, DateSpan};
pub use digits::{date_digits, parse_date_digits, parse_time_digits, time_digits};
pub use forecasts::Forecasts;
pub use game_key::GameKey;
pub use game_type::GameType;
pub use line_column::{LineColumn, LineValue};
pub use lines::{GameLines, HomeSpread, NotALine, Total};
pub use market::{Market, ModelType, UnknownModelType};
pub use model_column::{ModelColumn, UnknownModelColumn};
pub use model_name::{ModelName, NotAModelName};
pub use model_set::{ModelId, ModelSet, NotAModelSet};
pub use own_forecasts::{OwnBlock, OwnForecasts, OwnMatrix};
pub use price::{AmericanPrice, NotAPrice, TwoWayPrices, expected_value};
pub use probability::{NotAProbability, Probability};
pub use reach::{OutOfReach, within_reach};
pub use rounding::rounded;
pub use score::FinalScore;
pub use season::{NotASeason, Season};
pub use side::{NO_DIFFERENCE, Side};
pub use sport::{Sport, UnknownSport};
pub use spreadsheet::{escaped_for_spreadsheets, without_spreadsheet_escape};
pub use team::{NotATeam, TeamSlug};
pub use visible::{
    HiddenCharacter, Label, NotALabel, check_visible, check_visible_lines, is_hidden, printable, printable_line,
    trim_blanks,
};
