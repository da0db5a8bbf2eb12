use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{FinalScore, ModelName, ModelType};
use sports_ports::PortError;
use sports_publication::movement::{BeforeStart, ForecastItem, GameHistory, KnownSeason, SeasonMovement};
use sports_publication::registry::Registry;
use sports_publication::{ForecastKind, Generation, ReleaseId};

use super::season_figures::{ForecastGame, Implied, QuestionKind, SeasonFigures};
use super::{PublishedSeason, SeasonAnalytics};
use crate::moment::LeagueMoment;
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
    /// The models that the reader may not see.
    hidden: Vec<ModelName>,
    /// The numbers of games that were known and unknown: with the movement, the instants that have passed follow from them.
    games: (usize, usize),
    known: Implied<KnownSeason>,
}

impl KnownQuestion {
    /// Reads the games that had been known by an instant.
    pub(super) async fn new(
        season: PublishedSeason,
        movement: MovementAt,
        moment: &LeagueMoment,
        (before, has_finals): (BeforeStart, bool),
    ) -> Result<Self, PortError> {
        let (model_type, rows) = (season.archive.market.model_type, Arc::clone(movement.get()));
        let (now, embargo) = (moment.now(), moment.embargo());
        let known = move || {
            let mut known = rows.known_season(model_type, before, now);
            known.games.retain(|game| embargo.is_none_or(|now| game.starts_at <= now));
            known
        };
        let known = off_thread("a season as it was known", known).await?;
        let games = (known.games.len(), known.unknown);
        let hidden = moment.hidden_models();
        let registry = Implied(Arc::clone(moment.models().await?.registry()));
        Ok(Self { season, movement, before, has_finals, registry, hidden, games, known: Implied(known) })
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
        Ok(figures.open(&self.season).await?.complete(self.known.0, &self.registry.0, &self.hidden, self.has_finals))
    }
}

impl SeasonAnalytics {
    /// Completes a season as it was known with its models but the hidden ones and, if requested, its finals.
    pub fn complete(
        &self,
        known: KnownSeason,
        registry: &Registry,
        hidden: &[ModelName],
        has_finals: bool,
    ) -> KnownSeason {
        let shown: Vec<_> = self.models().own().iter().copied().filter(|name| !hidden.contains(name)).collect();
        let known = known.with_models(&shown, registry.own().map(|model| model.name));
        if !has_finals {
            return known;
        }
        let finals: HashMap<&str, FinalScore> = self.finals().collect();
        known.with_finals(|id| finals.get(id).copied())
    }
}

/// The movement of a season as of a moment.
#[derive(Hash)]
pub(super) struct MovementAt {
    /// The number and the release of the entry; `None` for a league without releases.
    entry: Option<(Generation, ReleaseId)>,
    /// Follows from the entry that it ends with.
    movement: Implied<Arc<SeasonMovement>>,
}

impl MovementAt {
    pub(super) fn new(moment: &LeagueMoment, movement: Arc<SeasonMovement>) -> Self {
        let entry = moment.catalog().map(|catalog| (catalog.generation, catalog.release_id.clone()));
        Self { entry, movement: Implied(movement) }
    }

    pub(super) const fn get(&self) -> &Arc<SeasonMovement> {
        &self.movement.0
    }

    pub(super) fn into_inner(self) -> Arc<SeasonMovement> {
        self.movement.0
    }

    /// Returns the instant by which games of a market have started.
    pub(super) fn play_instant(&self, moment: &LeagueMoment, model_type: ModelType) -> PlayInstant {
        let now = moment.now();
        let rows = self.movement.0.rows().iter(model_type);
        PlayInstant { now: Implied(now), started: rows.filter(|(_, row)| row.key.has_started(now)).count() }
    }
}

/// The instant by which games have started. An answer depends on it by the number of those games.
#[derive(Hash)]
pub(super) struct PlayInstant {
    now: Implied<DateTime<Utc>>,
    started: usize,
}

impl PlayInstant {
    pub(super) const fn get(&self) -> DateTime<Utc> {
        self.now.0
    }
}

/// The forecasts of a game whose live row a release of this log made.
pub(super) struct RecordedGame<'m> {
    pub(super) history: GameHistory<'m>,
    /// The forecasts before the start, oldest first; one of them counts in the results.
    pub(super) forecasts: Vec<ForecastItem<'m>>,
}

impl<'m> RecordedGame<'m> {
    /// Returns the forecasts of a game; `None` if no entry of this log made the one in its row.
    pub(super) fn of(movement: &'m SeasonMovement, model_type: ModelType, game: &ForecastGame<'_>) -> Option<Self> {
        let history = movement.game(game.id).filter(|_| game.kind == ForecastKind::Recorded)?;
        let forecasts = history.forecasts(model_type);
        let is_recorded = forecasts.iter().any(|forecast| forecast.standing);
        is_recorded.then_some(Self { history, forecasts })
    }
}

/// The instant of the live forecasts that are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Horizon {
    /// The first forecast of each model.
    First,
    /// A day before the start.
    Day,
    /// Six hours before the start.
    SixHours,
    /// An hour before the start.
    Hour,
    /// The forecast that holds for the record.
    Standing,
}

impl Horizon {
    /// Every horizon, the earliest first.
    pub const ALL: [Self; 5] = [Self::First, Self::Day, Self::SixHours, Self::Hour, Self::Standing];

    /// Returns the word served as `horizon`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Day => "24h",
            Self::SixHours => "6h",
            Self::Hour => "1h",
            Self::Standing => "standing",
        }
    }

    /// Returns the horizon with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|horizon| horizon.word() == word)
    }

    /// Returns the time before the start; `None` for a horizon that is a forecast.
    pub(super) const fn before_start(self) -> Option<TimeDelta> {
        match self {
            Self::Day => Some(TimeDelta::hours(24)),
            Self::SixHours => Some(TimeDelta::hours(6)),
            Self::Hour => Some(TimeDelta::hours(1)),
            Self::First | Self::Standing => None,
        }
    }
}
