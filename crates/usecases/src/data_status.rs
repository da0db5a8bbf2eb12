//! The freshness of a league's data: evidence from the record, judged by the freshness rules.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameKey, ModelType, Sport, eastern_date};
use sports_freshness::{
    Assessment, Evidence, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence, judge,
};
use sports_ports::Clock;
use sports_publication::{PredictionsEntry, SlateActivity};

use crate::record::{CurrentGenerations, LeagueGeneration};

/// The duration for which the last known data is trusted while the store is unreachable.
const TRUSTED_FOR: TimeDelta = TimeDelta::seconds(30);

/// The assessment of published data.
#[derive(Clone)]
pub struct DataStatus {
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
}

/// A league's status and the generation it is based on.
pub struct LeagueStatus {
    /// The assessment of the freshness rules.
    pub verdict: Assessment,
    /// The current generation; `None` before the first release, or before the log was read.
    pub league: Option<Arc<LeagueGeneration>>,
}

impl LeagueStatus {
    /// Returns the games of the live season that were scheduled before today and have neither a final nor a status of
    /// called off, oldest first.
    #[must_use]
    pub fn awaiting_settlement(&self) -> &[GameKey] {
        self.league.as_ref().map_or(&[], |league| league.unsettled.awaiting(self.verdict.day().date))
    }
}

impl DataStatus {
    /// Creates an assessment of the current generations by this clock.
    #[must_use]
    pub fn new(generations: Arc<CurrentGenerations>, clock: Arc<dyn Clock>) -> Self {
        Self { generations, clock }
    }

    /// Returns a league's status now.
    #[must_use]
    pub fn league(&self, sport: Sport) -> LeagueStatus {
        let now = self.clock.now();
        let current = self.generations.current(sport);
        // The absolute difference also covers a date that was set back since.
        let lost = self.generations.unreachable_since(sport).is_some_and(|since| (now - since).abs() >= TRUSTED_FOR);
        let evidence = match &current {
            _ if lost => Evidence::Unreadable,
            Err(_) => Evidence::Unreadable,
            Ok(None) => Evidence::NeverPublished,
            Ok(Some(league)) => Evidence::Published(Box::new(published(league, now))),
        };
        LeagueStatus { verdict: judge(&evidence, now), league: current.ok().flatten() }
    }
}

fn published(league: &LeagueGeneration, now: DateTime<Utc>) -> PublishedEvidence {
    let catalog = league.catalog();
    PublishedEvidence {
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
        oldest_unsettled: league.unsettled.oldest(),
        games_left_today: games_left_today(league, now),
    }
}

const fn predictions(entry: &PredictionsEntry) -> PredictionsEvidence {
    PredictionsEvidence {
        slate_date: entry.artifact.slate_date,
        source_as_of: entry.artifact.source_as_of,
        newer_odds_since: entry.newer_odds_since,
    }
}

fn games_left_today(league: &LeagueGeneration, now: DateTime<Utc>) -> bool {
    let today = eastern_date(now);
    let predicted = league.predictions.values().flat_map(|predictions| predictions.games()).map(|game| &game.game.key);
    let priced = league.odds.iter().flat_map(|odds| odds.games()).map(|game| &game.key);
    predicted.chain(priced).any(|key| key.date == today && !key.has_started(now))
}
