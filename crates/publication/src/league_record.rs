use std::collections::BTreeMap;

use sports_domain::{ModelType, Season};

use crate::{Odds, Openers, Predictions, SeasonArchive};

/// A league's published content, opened as far as a change needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LeagueRecord {
    /// Season archives.
    pub archives: BTreeMap<(ModelType, Season), SeasonArchive>,
    /// The predictions.
    pub predictions: BTreeMap<ModelType, Predictions>,
    /// The odds.
    pub odds: Option<Odds>,
    /// The first quotes of current games.
    pub openers: Openers,
}
