//! What a release changes of the slate: the current predictions and odds, and the record of them.

mod dates;
mod forecast;
mod identity;
mod known;
mod odds;
mod predictions;
mod publish;
mod reschedules;
mod returns;
mod shifted;
mod warnings;

pub use dates::a_date_of;
pub use odds::OddsReport;
pub use publish::{MarketReport, Publishing, SlateReport, live_season, publish_slate};
pub use returns::{AtStart, Return, Returns};
pub use warnings::Warning;

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
