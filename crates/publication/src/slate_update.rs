//! The changes by a release to the slate: to current predictions and odds, and to their record.

mod market_slate;
mod odds;
mod publish;
mod untimed;
mod warning;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelName, ModelType, Season};

use crate::identity::Resolution;
use crate::registry::{LeagueSettings, codes};
use crate::slate::OddsGame;
use crate::{ArchivedGame, Catalog, LeagueRecord, Place, PredictedGame, Problem, Release, ReleaseId, Reschedule};

pub use odds::OddsReport;
pub use publish::{a_date_of, publish_slate};
pub use warning::Warning;

/// A game as it was on record when it started, market by market.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtStart {
    pub rows: BTreeMap<ModelType, ArchivedGame>,
    /// Its served predictions.
    pub predictions: BTreeMap<ModelType, PredictedGame>,
    pub odds: Option<OddsGame>,
}

/// The games that get a start in the past by a release, by identity, each as it was on record at that start.
pub type Returns = BTreeMap<String, AtStart>;

/// A release and its publication instant, with everything needed to publish it.
#[derive(Debug, Clone, Copy)]
pub struct Publishing<'r> {
    /// The release as the publisher wrote it.
    pub release: &'r Release,
    /// The resolution of its listings.
    pub resolution: &'r Resolution<'r>,
    /// Its slate, translated to the resolved games.
    pub slate: &'r Release,
    /// The current catalog; `None` before the league's first release.
    pub catalog: Option<&'r Catalog>,
    /// The name of the new release.
    pub release_id: &'r ReleaseId,
    /// The record before the release, without its history, under the models after it.
    pub before: &'r LeagueRecord,
    /// Games that get a start in the past, as they were on record when that start passed.
    pub returns: &'r Returns,
    /// The publication instant; games with a later start have not started.
    pub now: DateTime<Utc>,
}

/// The changes by a release to the slate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlateReport {
    /// Games whose start was changed.
    pub moved: Vec<Reschedule>,
    /// True if the odds have no content that is not published already; false without odds.
    pub odds_repeated: bool,
    /// The changes by new odds; `None` without odds.
    pub odds: Option<OddsReport>,
    /// Upcoming games that had odds and have no odds anymore.
    pub unquoted: Vec<GameKey>,
    /// Games whose `match_id` in the odds differs from the record.
    pub misquoted: Vec<GameKey>,
    /// Games that went back to a start in the past and lost their forecasts since then.
    pub restored: Vec<Reschedule>,
    /// Closed games whose present start lies ahead or is not known.
    pub frozen: BTreeSet<GameKey>,
    /// Games without a start that this or an earlier release listed ahead of their date.
    pub listed_ahead: BTreeSet<GameKey>,
    /// The changes in every market for which the release has predictions.
    pub markets: BTreeMap<ModelType, MarketReport>,
    /// Findings that a person should review.
    pub warnings: Vec<Warning>,
}

/// The changes by a release to one market's predictions, game by game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarketReport {
    /// True if the release has no content that is not published already, so that nothing is recorded.
    pub repeated: bool,
    /// Games on record for the first time.
    pub new: Vec<GameKey>,
    /// Games on record before whose lines or probabilities changed.
    pub changed: Vec<GameKey>,
    /// Held games, which keep their previous predictions.
    pub held: BTreeSet<GameKey>,
    /// Upcoming games that the release no longer lists: their rows stay on record, and they are no longer served.
    pub dropped: Vec<GameKey>,
    /// Models that had a probability for a game that is still to come, and have none in the release.
    pub unforecast: Vec<ModelName>,
    /// Games that have started and keep the forecast and prices of their start.
    pub frozen: Vec<GameKey>,
    /// Games that had started before their first forecast, which is neither served nor recorded.
    pub unrecorded: Vec<GameKey>,
}

/// Returns the season whose archives record a release's slate: the release's season, else the season of the published
/// predictions.
pub fn live_season(release: &Release, catalog: Option<&Catalog>) -> Option<Season> {
    release.season.or_else(|| catalog.and_then(Catalog::live_season))
}

/// Returns the season of a release's slate: the live season, else the season around the slate date.
pub fn slate_season(release: &Release, catalog: Option<&Catalog>) -> Season {
    live_season(release, catalog).unwrap_or_else(|| Season::around(release.sport, release.slate_date))
}

/// Returns a problem for each file of predictions of a market that the league does not have.
pub fn refused_markets(release: &Release, settings: &LeagueSettings) -> Vec<Problem> {
    let Some(markets) = &settings.markets else { return Vec::new() };
    let left_out = release.predictions.keys().filter(|model_type| !markets.contains(model_type));
    let problem = |model_type: &ModelType| {
        let place = Place { file: format!("predictions/{model_type}").into(), row: None };
        let (sport, names) = (release.sport, codes(markets).join(", "));
        let expected = format!(
            "no such file: `markets` of {sport} names {names}; to publish {model_type}, add it to `markets` in release.json"
        );
        Problem::at(place, expected)
    };
    left_out.map(problem).collect()
}
