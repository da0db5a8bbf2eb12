//! What a slate's release changes: the predictions and odds on air, and the record of them.

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

/// A league's content on air, opened as far as a change needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LeagueRecord {
    /// Season archives.
    pub archives: BTreeMap<(ModelType, Season), SeasonArchive>,
    /// The predictions on air.
    pub predictions: BTreeMap<ModelType, Predictions>,
    /// The odds on air.
    pub odds: Option<Odds>,
    /// The first quotes of current games.
    pub openers: Openers,
}
