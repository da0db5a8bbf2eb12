//! The freshness of a league's data: evidence from the record, judged by the freshness rules.

mod history;

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sports_domain::{GameKey, ModelType, Sport, eastern_date};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::registry::LeagueSettings;
use sports_publication::slate::SlateCalendar;
use sports_publication::slate::freshness::{
    Assessment, Evidence, ODDS_CYCLE, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence, judge,
};
use sports_publication::{Catalog, PredictionsEntry, SeasonArchive, SlateActivity};

use crate::league_markets::markets_of;
use crate::live_season::archives_of;
use crate::moment::{LeagueMoment, Moments};
use crate::record::{Archives, CheckpointListings, Slates, newest_entry};
use crate::unsettled::UnsettledGames;

pub use history::StatusDay;

/// The duration for which the last known data is trusted while the store is unreachable.
const TRUSTED_FOR: TimeDelta = TimeDelta::seconds(30);

/// The assessment of published data.
#[derive(Clone)]
pub struct DataStatus {
    moments: Arc<Moments>,
    checkpoints: Arc<CheckpointListings>,
}

/// A league's status and the moment it is of.
pub struct LeagueStatus {
    /// The assessment of the freshness rules.
    pub verdict: Assessment,
    /// The moment; without data before the first release, or before the log was read.
    pub moment: LeagueMoment,
    unsettled: UnsettledGames,
}

impl LeagueStatus {
    fn new(evidence: &Evidence, moment: LeagueMoment, unsettled: UnsettledGames) -> Self {
        Self { verdict: judge(evidence, moment.now()), moment, unsettled }
    }

    /// Judges the data of a moment. The state of the store plays no part in it.
    ///
    /// # Errors
    ///
    /// [`PortError`] if a part of the generation cannot be read.
    pub async fn at(moment: LeagueMoment) -> Result<Self, PortError> {
        let unsettled = moment.unsettled().await?;
        let evidence = match moment.catalog() {
            None => Evidence::NeverPublished,
            Some(catalog) => {
                let models = moment.models().await?;
                let facts = LeagueFacts {
                    settings: models.registry().league(),
                    markets: moment.markets().await?,
                    unsettled: &unsettled,
                    to_come: games_to_come(&moment).await?,
                };
                Evidence::Published(Box::new(published(catalog, facts, moment.now())))
            }
        };
        Ok(Self::new(&evidence, moment, unsettled))
    }

    /// Returns the games of the live season that were scheduled before today and have neither a final nor a status of
    /// called off, oldest first.
    pub fn awaiting_settlement(&self) -> &[GameKey] {
        self.unsettled.awaiting(self.verdict.day().date)
    }
}

impl DataStatus {
    /// Creates an assessment of moments, whose times others state in checkpoints.
    pub const fn new(moments: Arc<Moments>, checkpoints: Arc<CheckpointListings>) -> Self {
        Self { moments, checkpoints }
    }

    /// Returns a league's status now.
    ///
    /// # Errors
    ///
    /// [`PortError`], which the data in memory does not cause.
    pub async fn league(&self, sport: Sport) -> Result<LeagueStatus, PortError> {
        let Ok(moment) = self.moments.now(sport) else {
            let moment = LeagueMoment::current(sport, None, self.moments.instant());
            return Ok(LeagueStatus::new(&Evidence::Unreadable, moment, UnsettledGames::default()));
        };
        // The absolute difference also covers a date that was set back since.
        let unreachable = self.moments.generations().unreachable_since(sport);
        if unreachable.is_some_and(|since| (moment.now() - since).abs() >= TRUSTED_FOR) {
            let unsettled = moment.unsettled().await?;
            return Ok(LeagueStatus::new(&Evidence::Unreadable, moment, unsettled));
        }
        LeagueStatus::at(moment).await
    }
}

/// A league's status, read from the store itself.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredStatus {
    /// The newest entry; `None` before the first release.
    pub newest: Option<LogEntry>,
    /// The assessment of the freshness rules.
    pub verdict: Assessment,
    /// The games that await settlement, oldest first.
    pub awaiting: Vec<GameKey>,
    /// True if a game of today has not started.
    pub games_left_today: bool,
}

/// Reads and judges a league's newest entry.
///
/// # Errors
///
/// [`PortError`] if the log or an object cannot be read.
pub async fn stored_status(
    log: &dyn PublicationLog,
    archives: &Archives,
    slates: &Slates,
    sport: Sport,
    now: DateTime<Utc>,
) -> Result<StoredStatus, PortError> {
    let Some(newest) = newest_entry(log, sport).await? else {
        let verdict = judge(&Evidence::NeverPublished, now);
        return Ok(StoredStatus { newest: None, verdict, awaiting: Vec::new(), games_left_today: false });
    };
    let catalog = &newest.catalog;
    let live = archives_of(archives, catalog, |(_, season)| catalog.live_season() == Some(season)).await?;
    let unsettled: UnsettledGames = live.values().flat_map(SeasonArchive::unsettled).cloned().collect();
    let mut keys = Vec::new();
    for entry in catalog.predictions.values() {
        let predictions = slates.predictions(sport, &entry.artifact).await?;
        keys.extend(predictions.games().iter().map(|game| game.game.key.clone()));
    }
    if let Some(odds) = &catalog.odds {
        keys.extend(slates.odds(sport, odds).await?.games().iter().map(|game| game.key.clone()));
    }
    let to_come = GamesToCome::of(keys.iter(), now);
    let games_left_today = to_come.left_today;
    let registry = slates.registry(catalog).await?;
    let settings = registry.league();
    let markets = markets_of(log, catalog, settings).await?;
    let facts = LeagueFacts { settings, markets, unsettled: &unsettled, to_come };
    let evidence = Evidence::Published(Box::new(published(catalog, facts, now)));
    let verdict = judge(&evidence, now);
    let awaiting = unsettled.awaiting(verdict.day().date).to_vec();
    Ok(StoredStatus { newest: Some(newest), verdict, awaiting, games_left_today })
}

/// Returns the instant from which predictions of an entry are stale because its odds are newer; `None` while those of the
/// league's markets include the odds, or do not depend on them.
///
/// # Errors
///
/// [`PortError`] if the log or the registry cannot be read.
pub async fn predictions_go_stale(
    log: &dyn PublicationLog,
    slates: &Slates,
    catalog: &Catalog,
) -> Result<Option<DateTime<Utc>>, PortError> {
    let registry = slates.registry(catalog).await?;
    let markets = markets_of(log, catalog, registry.league()).await?;
    let dependent = |of: &ModelType| registry.league().odds_dependent && markets.contains(of);
    let entries = catalog.predictions.iter().filter(|(of, _)| dependent(of));
    Ok(entries.filter_map(|(_, entry)| entry.newer_odds_since).min().map(|since| since + ODDS_CYCLE))
}

/// The predicted and quoted games of an entry that are of today or later.
#[derive(Default)]
struct GamesToCome {
    dates: BTreeSet<NaiveDate>,
    /// True if a game of today has not started.
    left_today: bool,
}

impl GamesToCome {
    fn of<'k>(keys: impl IntoIterator<Item = &'k GameKey>, now: DateTime<Utc>) -> Self {
        let mut games = Self::default();
        games.add(keys, now);
        games
    }

    fn add<'k>(&mut self, keys: impl IntoIterator<Item = &'k GameKey>, now: DateTime<Utc>) {
        let today = eastern_date(now);
        for key in keys.into_iter().filter(|key| key.date >= today) {
            self.dates.insert(key.date);
            self.left_today |= key.date == today && !key.has_started(now);
        }
    }
}

/// Returns the games of a moment that are of its date or later.
async fn games_to_come(moment: &LeagueMoment) -> Result<GamesToCome, PortError> {
    let mut games = GamesToCome::default();
    for model_type in ModelType::ALL {
        let predictions = moment.predictions(model_type).await?;
        games.add(predictions.iter().flat_map(|of| of.games()).map(|game| &game.game.key), moment.now());
    }
    let odds = moment.odds().await?;
    games.add(odds.iter().flat_map(|odds| odds.games()).map(|game| &game.key), moment.now());
    Ok(games)
}

/// The facts about a league beside its catalog.
struct LeagueFacts<'l> {
    settings: &'l LeagueSettings,
    /// The markets that the league has.
    markets: BTreeSet<ModelType>,
    unsettled: &'l UnsettledGames,
    to_come: GamesToCome,
}

fn published(catalog: &Catalog, facts: LeagueFacts<'_>, now: DateTime<Utc>) -> PublishedEvidence {
    let LeagueFacts { settings, markets, unsettled, to_come } = facts;
    let calendar = SlateCalendar {
        slate_days: settings.slate_days,
        last_final: last_final(catalog, eastern_date(now)),
        games: unsettled.dates().chain(to_come.dates.iter().copied()).collect(),
    };
    PublishedEvidence {
        left_out: ModelType::ALL.into_iter().filter(|model_type| !markets.contains(model_type)).collect(),
        calendar,
        odds_independent: !settings.odds_dependent,
        completed_run: catalog.completed_run().map(|completed| RunEvidence {
            slate_date: completed.slate_date(),
            active_slate: completed.run().slate == SlateActivity::Active,
        }),
        run_begun_for: catalog.run.as_ref().map(|_| catalog.slate_date),
        odds: catalog
            .odds
            .as_ref()
            .map(|odds| OddsEvidence { slate_date: odds.slate_date, source_as_of: odds.source_as_of }),
        predictions: ModelType::ALL.map(|model_type| catalog.predictions.get(&model_type).map(predictions)),
        results: ModelType::ALL
            .map(|model_type| catalog.live_results(model_type).map(|(_, entry)| entry.artifact.slate_date)),
        oldest_unsettled: unsettled.oldest(),
        games_left_today: to_come.left_today,
    }
}

/// Returns the date of the last game on record that is over. In an archive without an open game the last game is over;
/// else it is the last one that was played against a line.
fn last_final(catalog: &Catalog, today: NaiveDate) -> Option<NaiveDate> {
    let last = catalog.results.values().filter_map(|entry| match entry.coverage.oldest_unsettled_date {
        None => entry.coverage.last_date,
        Some(_) => entry.coverage.last_played_with_line_date,
    });
    last.filter(|date| *date <= today).max()
}

const fn predictions(entry: &PredictionsEntry) -> PredictionsEvidence {
    PredictionsEvidence {
        slate_date: entry.artifact.slate_date,
        source_as_of: entry.artifact.source_as_of,
        newer_odds_since: entry.newer_odds_since,
    }
}
