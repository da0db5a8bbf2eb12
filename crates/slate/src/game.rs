use sports_domain::{Forecasts, GameKey, GameLines, ModelColumn, ModelType, Probability};

/// One game of one market's predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct SlateGame {
    /// Which game.
    pub key: GameKey,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Current and opening lines.
    pub lines: GameLines,
    /// What the models say.
    pub forecasts: Forecasts,
}

impl SlateGame {
    /// A model's probability of the positive side in the market of `model_type`; IMPLIED is computed
    /// from both current prices, and absent without both.
    #[must_use]
    pub fn chance(&self, model_type: ModelType, model: ModelColumn) -> Option<Probability> {
        match model {
            ModelColumn::Implied => self.lines.prices(model_type).no_vig(),
            forecast => self.forecasts.get(forecast),
        }
    }

    /// Every probability there is, in the order models are listed.
    pub fn chances(&self, model_type: ModelType) -> impl Iterator<Item = (ModelColumn, Probability)> + '_ {
        ModelColumn::ALL.into_iter().filter_map(move |model| Some((model, self.chance(model_type, model)?)))
    }
}

/// The models that say something of at least one game, in the order models are listed.
#[must_use]
pub fn models_used(model_type: ModelType, games: &[SlateGame]) -> Vec<ModelColumn> {
    let speaks = |model: &ModelColumn| games.iter().any(|game| game.chance(model_type, *model).is_some());
    ModelColumn::ALL.into_iter().filter(speaks).collect()
}
