//! The current slate as it is served: its upcoming games, the expected values and picks by a model, and the display of picks and
//! lines.
//!
//! ```rust
//! use sports_domain::{AmericanPrice, Probability, Sport, TeamSlug};
//! use sports_publication::slate::{ExpectedValues, Names, TeamNames};
//!
//! let red_sox = TeamSlug::normalise("boston_red_sox")?;
//! let names = Names { sport: Sport::Mlb, published: &TeamNames::default() };
//! assert_eq!(names.display(&red_sox), "Boston Red Sox");
//!
//! let prices = sports_domain::TwoWayPrices {
//!     positive: AmericanPrice::new(-120).ok(),
//!     negative: AmericanPrice::new(105).ok(),
//! };
//! let values = ExpectedValues::from_prices(Some(Probability::new(0.6)?), prices);
//! assert!((values.positive.expect("priced") - 0.1).abs() < 1e-12);
//! assert!((values.negative.expect("priced") - (0.4 * 1.05 - 0.6)).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Model outputs are research signals, not a validated betting selector; no edge is guaranteed.
//!
//! ## The status of data
//!
//! `freshness` assesses a league's data from what is published and the current time: pending, updating, fresh, an off-day,
//! partial, stale or unknown.
//!
//! ```rust
//! use sports_publication::slate::freshness::{Evidence, Status, judge};
//!
//! let before_the_deadline = "2024-11-24T14:00:00Z".parse()?; // 09:00 in New York
//! let assessment = judge(&Evidence::NeverPublished, before_the_deadline);
//! assert_eq!(assessment.status(), Status::Pending);
//! assert!(assessment.operational());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The day is the Eastern date, and its deadline is 10:15 Eastern. `operational` does not follow from the status: predictions
//! that are not rebuilt with newer odds in time make a league `stale`, but its slate is still served, and it stays operational.

mod calendar;
mod comparison;
pub mod freshness;
mod game;
mod odds;
mod pick;
#[cfg(feature = "serde")]
pub mod serialized;
mod team_names;

pub use calendar::{SlateCalendar, SlateDates};
pub use comparison::{MarketComparison, compare_markets, market_line};
pub use game::{SlateGame, models_used, upcoming_floor};
pub use odds::{OddsGame, QuotedGame, QuotedPrice, QuotedTeam, is_another};
pub use pick::{ExpectedValues, Pick};
pub use team_names::{Names, TeamName, TeamNames};
