#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc)]

mod calendar;
mod clubs;
#[cfg(feature = "content")]
pub mod content;
mod final_score;
mod forecasts;
mod form_error;
mod game_key;
mod line_bounds;
mod line_column;
mod lines;
mod market;
mod model_column;
mod near_names;
mod own_forecasts;
pub mod paging;
mod price;
mod probability;
mod rounding;
mod season;
#[cfg(feature = "serde")]
mod serialized;
mod side;
mod sport;
mod team;
mod usual_starts;
mod visible;
mod void_markets;

pub use calendar::{
    ClockSource, DateSpan, OutOfReach, date_digits, eastern_date, eastern_instant, eastern_reading,
    is_skipped_in_eastern, parse_date_digits, parse_time_digits, time_digits, within_reach,
};
pub use clubs::{Club, ClubName};
pub use final_score::FinalScore;
pub use forecasts::Forecasts;
pub use form_error::FormError;
pub use game_key::{GameKey, GameType};
pub use line_bounds::{LineBounds, LineKind};
pub use line_column::{LineColumn, LineValue};
pub use lines::{GameLines, HomeSpread, NotALine, Placeholder, Total};
pub use market::{Market, ModelType};
pub use model_column::{ModelColumn, ModelName, UnknownModelColumn};
pub use near_names::NearName;
pub use own_forecasts::{ModelId, ModelSet, NotAModelSet, OwnBlock, OwnForecasts, OwnMatrix};
pub use price::{AmericanPrice, NotAPrice, TwoWayPrices, expected_value};
pub use probability::{NotAProbability, Probability};
pub use rounding::rounded;
pub use season::Season;
#[cfg(feature = "serde")]
pub use serialized::{deserialize_reached, deserialize_reached_option};
pub use side::{NO_DIFFERENCE, Side};
pub use sport::Sport;
pub use team::{NotATeam, TeamSlug};
pub use visible::{
    HiddenCharacter, Label, NotALabel, check_visible, check_visible_lines, escaped_for_spreadsheets, is_hidden,
    printable, printable_line, trim_blanks, without_spreadsheet_escape,
};
pub use void_markets::VoidMarkets;
