//! The changes by a release to the slate: to current predictions and odds, and to their record.

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
