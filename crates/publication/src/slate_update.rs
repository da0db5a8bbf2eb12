//! What a release changes of the slate: the current predictions and odds, and the record of them.

mod closing;
mod dates;
mod forecast;
mod market_slate;
mod odds;
mod publish;
mod publishing;
mod shifted;
mod warning;
mod warnings;

pub use closing::{AtStart, Returns};
pub use dates::a_date_of;
pub use odds::OddsReport;
pub use publish::publish_slate;
pub use publishing::{MarketReport, Publishing, SlateReport, live_season, slate_season};
pub use warning::Warning;

pub use crate::LeagueRecord;
