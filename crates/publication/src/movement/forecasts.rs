use sports_domain::{ModelName, ModelType, Probability};

use crate::movement::game::{Forecast, GameMovement};
use crate::movement::publications::Published;
use crate::slate::SlateGame;

/// A published forecast of a game in one market, with the lines that were served with it.
#[derive(Debug, Clone, Copy)]
pub struct ForecastItem<'m> {
    pub(crate) game: &'m GameMovement,
    pub(crate) model_type: ModelType,
    /// The publication that began it.
    pub published: Published,
    /// `None` if the publication left the game out.
    pub(crate) forecast: Option<&'m Forecast>,
    /// True for the forecast that holds for the row of the archive.
    pub standing: bool,
}

impl ForecastItem<'_> {
    /// Returns true if the predictions had the game, with probabilities or without.
    pub const fn is_listed(&self) -> bool {
        self.forecast.is_some()
    }

    /// Returns true if the item has no probabilities: the forecast was withdrawn, or the game left out.
    pub fn is_empty(&self) -> bool {
        self.forecast.is_none_or(Forecast::is_empty)
    }

    /// Returns the game as the predictions had it: its key and id then, its lines and its probabilities. `None` if they left
    /// it out.
    pub fn slate_game(&self) -> Option<SlateGame> {
        self.forecast.map(|forecast| self.game.slate_game(forecast))
    }

    /// Returns a model's probability; of IMPLIED the one of the prices served with the forecast.
    pub fn probability(&self, model: impl Into<ModelName>) -> Option<Probability> {
        self.slate_game()?.probability(self.model_type, model)
    }

    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self.forecast, other.forecast) {
            (Some(one), Some(other)) => one.is_like(other),
            (one, other) => one.is_none_or(Forecast::is_empty) && other.is_none_or(Forecast::is_empty),
        }
    }
}
