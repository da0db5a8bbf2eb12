use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::ModelType;
use sports_movement::{ForecastItem, GameHistory, SeasonMovement};
use sports_publication::{Generation, ReleaseId};

use super::question::Implied;
use crate::moment::LeagueMoment;

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
    pub(super) fn of(movement: &'m SeasonMovement, model_type: ModelType, game_id: &str) -> Option<Self> {
        let history = movement.game(game_id)?;
        let forecasts = history.forecasts(model_type);
        let is_recorded = forecasts.iter().any(|forecast| forecast.standing);
        is_recorded.then_some(Self { history, forecasts })
    }
}
