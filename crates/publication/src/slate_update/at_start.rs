use std::collections::BTreeMap;

use sports_domain::ModelType;
use sports_slate::OddsGame;

use crate::{ArchivedGame, PredictedGame};

/// A game as it was on record when it started, market by market.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtStart {
    pub rows: BTreeMap<ModelType, ArchivedGame>,
    /// Its served predictions.
    pub predictions: BTreeMap<ModelType, PredictedGame>,
    pub odds: Option<OddsGame>,
}

/// The games that get a start in the past by a release, by identity, each as it was on record at that start.
pub type Returns = BTreeMap<String, AtStart>;
