use std::collections::BTreeMap;

use sports_domain::{ModelType, Season};

use crate::{Odds, Openers, Predictions, SeasonArchive};

/// Season archives by model type and season.
pub type SeasonArchives = BTreeMap<(ModelType, Season), SeasonArchive>;

/// A league's published content, opened as far as a change needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LeagueRecord {
    pub archives: SeasonArchives,
    pub predictions: BTreeMap<ModelType, Predictions>,
    pub odds: Option<Odds>,
    /// The first quotes of current games.
    pub openers: Openers,
}
