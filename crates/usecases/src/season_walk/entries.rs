//! The facts of an entry that the movement of a season follows from.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{ModelType, Season};
use sports_ports::publication::LogEntry;
use sports_publication::{ArtifactRef, Catalog, Generation, ReleaseId};

/// The number of entries read concurrently, and in one turn.
pub(super) const AT_ONCE: usize = 16;

/// An entry without its archives.
#[derive(Debug, Clone)]
pub(super) struct SlateEntry {
    pub(super) generation: Generation,
    pub(super) published_at: DateTime<Utc>,
    pub(super) facts: SlateFacts,
}

/// The parts of an entry about its slate.
#[derive(Debug, Clone)]
pub(super) struct SlateFacts {
    pub(super) release_id: ReleaseId,
    /// The season that is current in the entry.
    pub(super) season: Season,
    pub(super) odds: Option<ArtifactRef>,
    pub(super) predictions: BTreeMap<ModelType, ArtifactRef>,
}

/// The parts of published slates that an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NeededParts {
    Odds,
    /// The predictions of one market.
    Predictions(ModelType),
    /// The odds and the predictions of one market.
    OddsAndPredictions(ModelType),
}

impl NeededParts {
    /// Removes all other parts from an entry.
    pub(super) fn keep(self, facts: &mut SlateFacts) {
        let (keeps_odds, market) = match self {
            Self::Odds => (true, None),
            Self::Predictions(of) => (false, Some(of)),
            Self::OddsAndPredictions(of) => (true, Some(of)),
        };
        facts.odds.take_if(|_| !keeps_odds);
        facts.predictions.retain(|of, _| Some(*of) == market);
    }
}

impl From<LogEntry> for SlateEntry {
    fn from(LogEntry { catalog, .. }: LogEntry) -> Self {
        let (generation, published_at, season) = (catalog.generation, catalog.published_at, season_of_odds(&catalog));
        let predictions = catalog.predictions.into_iter().map(|(of, entry)| (of, entry.artifact)).collect();
        let facts = SlateFacts { release_id: catalog.release_id, season, odds: catalog.odds, predictions };
        Self { generation, published_at, facts }
    }
}

/// Returns the season that the odds of an entry are of.
pub fn season_of_odds(catalog: &Catalog) -> Season {
    catalog.live_season().unwrap_or_else(|| Season::around(catalog.sport, catalog.slate_date))
}

/// Returns the seasons of which an entry has results, odds or predictions, oldest first. Odds alone can be of the season after
/// that of the predictions.
pub fn known_seasons(catalog: &Catalog) -> BTreeSet<Season> {
    let of_slate = [season_of_odds(catalog), Season::around(catalog.sport, catalog.slate_date)];
    catalog.results.keys().map(|(_, season)| *season).chain(of_slate).collect()
}
