//! The forms in which serde writes the games of a slate.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sports_domain::{Forecasts, GameKey, GameLines, ModelName, OwnForecasts, Probability};

use crate::slate::SlateGame;

/// The identity of a stored game, which every stored game has.
pub mod identity {
    use serde::ser::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Serializes an identity.
    pub fn serialize<S: Serializer>(id: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        id.as_deref().map_or_else(|| Err(S::Error::custom("a stored game has a game_id")), |id| to.serialize_str(id))
    }

    /// Deserializes an identity.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        String::deserialize(from).map(Some)
    }
}

/// A predicted game with the probabilities of all its models in one list, by name.
#[derive(Serialize, Deserialize)]
struct PredictedFields<'g> {
    #[serde(flatten)]
    key: Cow<'g, GameKey>,
    #[serde(with = "identity")]
    game_id: Option<String>,
    match_id: Option<String>,
    #[serde(default)]
    lines: GameLines,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    predictions: BTreeMap<ModelName, Probability>,
}

impl Serialize for SlateGame {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { key, game_id, match_id, lines, forecasts, own } = self;
        let standard = forecasts.iter().map(|(model, probability)| (model.into(), probability));
        let predictions = standard.chain(own.iter()).collect();
        let (game_id, match_id) = (game_id.clone(), match_id.clone());
        PredictedFields { key: Cow::Borrowed(key), game_id, match_id, lines: *lines, predictions }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for SlateGame {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let PredictedFields { key, game_id, match_id, lines, predictions } = PredictedFields::deserialize(from)?;
        let (mut forecasts, mut own) = (Forecasts::default(), OwnForecasts::default());
        for (name, probability) in predictions {
            match name.column() {
                Some(column) => forecasts = forecasts.with(column, probability),
                None => own.insert(name, probability),
            }
        }
        Ok(Self { key: key.into_owned(), game_id, match_id, lines, forecasts, own })
    }
}
