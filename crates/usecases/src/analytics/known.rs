use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::FinalScore;
use sports_movement::{BeforeStart, KnownSeason};
use sports_ports::PortError;
use sports_publication::registry::Registry;

use super::movement_at::MovementAt;
use super::question::{QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics};
use crate::record::off_thread;

/// The question of a season as it was known before play: the games that the predictions had. The archive adds the models and
/// the finals.
pub(super) struct KnownQuestion {
    season: PublishedSeason,
    /// The identity of the movement of the season.
    movement: String,
    before: BeforeStart,
    has_finals: bool,
    /// The registry of the entry that the movement ends with.
    registry: Arc<Registry>,
    known: KnownSeason,
}

/// The dependencies of the table. The games and the instants that have passed follow from the movement and these numbers.
impl fmt::Debug for KnownQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { season, movement, before, has_finals, registry: _, known } = self;
        let (games, unknown) = (known.games.len(), known.unknown);
        write!(f, "Known {season:?} {movement} {before:?} {has_finals} {games} {unknown}")
    }
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
        let (model_type, identity) = (season.archive.market.model_type, format!("{movement:?}"));
        let movement = movement.into_inner();
        let known = move || movement.known_season(model_type, before, now);
        let known = off_thread("a season as it was known", known).await?;
        Ok(Self { season, movement: identity, before, has_finals, registry, known })
    }

    /// Returns the number of games that were not known yet.
    pub(super) const fn unknown(&self) -> usize {
        self.known.unknown
    }
}

impl QuestionKind for KnownQuestion {
    type Answer = KnownSeason;

    const IS_EXPENSIVE: bool = true;
    const READS_LOG: bool = true;

    async fn answer(self, figures: &SeasonFigures) -> Result<KnownSeason, PortError> {
        Ok(figures.open(&self.season).await?.complete(self.known, &self.registry, self.has_finals))
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
