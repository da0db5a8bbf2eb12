//! A simulated world of six leagues that writes a publisher's release folders. The same seed gives the same world.
//!
//! ```rust
//! use sports_domain::Sport;
//! use sports_demo::simulation::{Run, World};
//!
//! let now = "2026-02-14T15:30:00Z".parse::<chrono::DateTime<chrono::Utc>>()?;
//! let world = World::new(7, now, 2);
//!
//! // Everything played so far, and today's predictions and odds.
//! let history = world.history_release(Sport::Mlb, now);
//! let today = world.day_release(Sport::Mlb, now, Run::First);
//! assert!(history.get("games/2025.csv").is_some() && today.get("odds.csv").is_some());
//!
//! // Two hours later the lines have moved; by the next morning there are finals.
//! let newer = world.odds_refresh(Sport::Mlb, now + chrono::Duration::hours(2)).expect("there are games today");
//! assert_ne!(newer.get("odds.csv"), today.get("odds.csv"));
//! let finals = world.finals(Sport::Mlb, now, now + chrono::Duration::hours(20));
//! assert!(finals.len() > 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The clubs are real; everything else is simulated: no score, line or probability is of a real game, and every game row has
//! `simulated` as its `quote_source`.
//!
//! - **Calendar.** Each league's calendar is shifted so that the Eastern day of `now` is mid-season and a busy day. A season's
//!   dates must still fit its label: baseball, whose label is one calendar year, has just begun early in January and is about to
//!   end late in December, and up to 4 January its current season has no preseason.
//! - **Games.** Teams differ in strength by season. Margins and totals of high-scoring sports are normally distributed (in
//!   football with peaks at threes and sevens), runs and goals are counted by team. The market prices a game with the same
//!   arithmetic from its own estimate; the true strength differs a little from it.
//! - **Models** stray from the market by errors of their own and know nothing that it does not, so the market is a little better
//!   calibrated and no model has an edge: whatever seems one is luck. In history they forecast wins from the opener, so that they have
//!   none on the opening price either.
//! - **Lines** move from opener to closing line in steps of two hours and do not change after the start. The last lines before
//!   the start are the closing lines of history.
//! - **Edge cases, at least once a season and early in it:** pick'ems, pushes, missing openers, openers of zero, missing and
//!   one-sided prices, a game without lines, one without forecasts, blends of exactly one half, favourites that change sides,
//!   cancelled and postponed games, preseason games, doubleheaders (mlb), a tie (nfl), a game entered with the even score at
//!   which it was suspended (mlb), an extreme price (college), and a typing error (nba): two favourites in one game. Past seasons
//!   miss a final (nba, ncaab), and those before the previous one start times (mlb, ncaaf), prices of spread and total (nba,
//!   ncaab) and the AI model. Clubs have the names of their season: Oakland's Athletics in 2024.
//! - **Own models**, in a world `with_own_models`: the publisher of hockey declares `ELO`, with two versions and without totals,
//!   and `goalie_net`, which has no probability for every fifth game and is retired on the day of `now`.
//! - **Edge cases of real data that are not simulated:** college games that a source does not list, neutral sites, shortened
//!   seasons.
//! - **Same bytes on every platform.** Random numbers come from a generator written out in `random.rs`, and arithmetic is limited
//!   to operations that every platform rounds in the same way.
//!
//! `tests/it/calibration.rs` checks how close its rates are to those of real seasons; `tests/real_rates.py` prints the real ones.
//!
//! ## The exchange
//!
//! `exchange` is a stand-in for the prediction market's exchange: a local server with the same format.
//!
//! `Exchange` generates plausible markets for games with given probabilities. Their prices change a little with time, and faults
//! can be switched on. The demo uses it unless its settings name the real exchange, and the tests of the source of prices read it.
//! `Server` sends any replies, well formed or not, to test the source of prices.

mod calendar;
mod contest;
pub mod exchange;
mod files;
mod forecaster;
mod history;
mod league;
mod oddities;
mod quoting;
mod random;
mod schedule;
mod scoring;
mod season;
mod slate;
mod teams;
mod world;

pub use files::ReleaseFiles;
pub use season::{GameResult, Settlement};
pub use world::{Run, World};
