use serde::{Serialize, Serializer};
use sports_domain::{ModelColumn, ModelName, ModelType, Probability};
use sports_slate::SlateGame;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::codes::{Code, ModelNameCode};
use crate::figures::model_probability;

/// Probabilities of one game by model: of the positive side, in the order of the model columns, then of declaration. A
/// model without a probability is left out.
#[derive(Debug)]
pub struct ModelProbabilities(Vec<(ModelName, Probability)>);

impl ModelProbabilities {
    /// Collects the probabilities of a game in one market.
    pub fn from_game(model_type: ModelType, game: &SlateGame, own: &[ModelName]) -> Self {
        Self(game.probabilities(model_type, own).collect())
    }

    /// Returns the probabilities of a game without any.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Returns a model's probability as it is served; `None` if the model has no probability.
    pub fn figure(&self, model: ModelName) -> Option<f64> {
        let (_, probability) = self.0.iter().find(|(of, _)| *of == model)?;
        Some(model_probability(model, *probability))
    }
}

/// Returns the models with a probability for at least one of these games.
pub fn models_used(model_type: ModelType, games: &[SlateGame], own: &[ModelName]) -> Vec<ModelNameCode> {
    sports_slate::models_used(model_type, games, own).into_iter().map(Code).collect()
}

impl Serialize for ModelProbabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().map(|(model, probability)| (Code(*model), model_probability(*model, *probability))),
        )
    }
}

impl PartialSchema for ModelProbabilities {
    fn schema() -> RefOr<Schema> {
        let probability = || ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0)).maximum(Some(1.0));
        let described = ObjectBuilder::new().description(Some(
            "Probabilities of one game by model: of the positive side (over, home), as the publisher gave \
             them. IMPLIED is the market's own no-vig probability, rounded to 12 decimals, halves away from zero, there \
             when both sides are priced. Models that the publisher declared come last. A model without a probability \
             is left out.",
        ));
        let described = described.additional_properties(Some(probability()));
        let models = ModelColumn::ALL.into_iter();
        models.fold(described, |object, model| object.property(model.name(), probability())).into()
    }
}

impl ToSchema for ModelProbabilities {}
