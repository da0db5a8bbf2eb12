use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType, Season};

use super::closing::Returns;
use super::odds::OddsReport;
use super::warning::Warning;
use crate::identity::Resolution;
use crate::{Catalog, LeagueRecord, Release, ReleaseId, Reschedule};

/// A release and the moment it is published in.
#[derive(Debug, Clone, Copy)]
pub struct Publishing<'r> {
    /// The release as the publisher wrote it.
    pub release: &'r Release,
    /// The games of its listings.
    pub resolution: &'r Resolution<'r>,
    /// Its slate in terms of these games.
    pub slate: &'r Release,
    /// What is published; `None` before the league's first release.
    pub catalog: Option<&'r Catalog>,
    /// The name the release gets.
    pub release_id: &'r ReleaseId,
    /// The record before the release, without its history.
    pub before: &'r LeagueRecord,
    /// What the record had of games that are given a start which has passed, when that start passed.
    pub returns: &'r Returns,
    /// When it is published: games that start later have not begun.
    pub now: DateTime<Utc>,
}

/// What a release changes of the slate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlateReport {
    /// Games whose start was changed.
    pub moved: Vec<Reschedule>,
    /// Whether the odds contain nothing that was not published already; false without odds.
    pub odds_repeated: bool,
    /// What new odds change; `None` without odds.
    pub odds: Option<OddsReport>,
    /// Games still to come that had odds and have none any more.
    pub unquoted: Vec<GameKey>,
    /// Games that the odds have under another `match_id` than the record.
    pub misquoted: Vec<GameKey>,
    /// Games that went back to a passed start and lost what was forecast for them since.
    pub restored: Vec<Reschedule>,
    /// Games that have closed, though the start that they have now lies ahead.
    pub frozen: BTreeSet<GameKey>,
    /// Every market the release has predictions of.
    pub markets: BTreeMap<ModelType, MarketReport>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// What a release changes of one market's predictions, game by game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarketReport {
    /// The release contains nothing that was not published already: nothing is recorded anew.
    pub repeated: bool,
    /// Games on record for the first time.
    pub new: Vec<GameKey>,
    /// Games on record before, with other lines or probabilities now.
    pub changed: Vec<GameKey>,
    /// Games that keep their previous predictions because the publisher says so.
    pub held: BTreeSet<GameKey>,
    /// Games still to come that the release no longer lists: their rows stay on record, and they are not served.
    pub dropped: Vec<GameKey>,
    /// Games that have started, and keep the forecast and prices they started with.
    pub frozen: Vec<GameKey>,
    /// Games that had started before their first forecast arrived: it is neither served nor recorded.
    pub unrecorded: Vec<GameKey>,
}

/// The season whose archives a release's slate is recorded in: its own, else that of the published
/// predictions.
#[must_use]
pub fn live_season(release: &Release, catalog: Option<&Catalog>) -> Option<Season> {
    release.season.or_else(|| catalog.and_then(Catalog::live_season))
}

/// The season that a release's slate is of: the live one or, before there is any, the one that its slate date falls
/// into.
#[must_use]
pub fn slate_season(release: &Release, catalog: Option<&Catalog>) -> Season {
    live_season(release, catalog).unwrap_or_else(|| Season::around(release.sport, release.slate_date))
}
