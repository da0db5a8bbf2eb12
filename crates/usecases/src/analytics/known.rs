use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::FinalScore;
use sports_movement::{BeforeStart, KnownSeason};
use sports_ports::PortError;
use sports_publication::registry::Registry;

use super::movement_at::MovementAt;
use super::question::{Implied, QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;

/// The question of a season as it was known before play: the games that the predictions had. The archive adds the models and
/// the finals.
#[derive(Hash)]
pub(super) struct KnownQuestion {
    season: PublishedSeason,
    movement: MovementAt,
    before: BeforeStart,
    has_finals: bool,
    /// The registry of the entry that the movement ends with.
    registry: Implied<Arc<Registry>>,
    /// The numbers of games that were known and unknown: with the movement, the instants that have passed follow from them.
    games: (usize, usize),
    known: Implied<KnownSeason>,
}

impl KnownQuestion {
    /// Reads the games that had been known by an instant.
    pub(super) async fn new(
        season: PublishedSeason,
        movement: MovementAt,
        registry: Arc<Registry>,
        (before, has_finals): (BeforeStart, bool),
        now: DateTime<Utc>,
    ) -> Result<Self, PortError> {
        let (model_type, rows) = (season.archive.market.model_type, Arc::clone(movement.get()));
        let known = move || rows.known_season(model_type, before, now);
        let known = off_thread("a season as it was known", known).await?;
        let games = (known.games.len(), known.unknown);
        let (registry, known) = (Implied(registry), Implied(known));
        Ok(Self { season, movement, before, has_finals, registry, games, known })
    }

    /// Returns the number of games that were not known yet.
    pub(super) const fn unknown(&self) -> usize {
        self.games.1
    }
}

impl QuestionKind for KnownQuestion {
    type Answer = KnownSeason;

    const IS_EXPENSIVE: bool = true;
    const READS_LOG: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<KnownSeason, PortError> {
        Ok(figures.open(&self.season).await?.complete(self.known.0, &self.registry.0, self.has_finals))
    }
}

impl SeasonAnalytics {
    /// Completes a season as it was known with its models and, if requested, its finals.
    pub fn complete(&self, known: KnownSeason, registry: &Registry, has_finals: bool) -> KnownSeason {
        let known = known.with_models(self.models().own(), registry.own().map(|model| model.name));
        if !has_finals {
            return known;
        }
        let finals: HashMap<&str, FinalScore> = self.finals().collect();
        known.with_finals(|id| finals.get(id).copied())
    }
}
