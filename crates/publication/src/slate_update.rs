//! The changes by a release to the slate: to current predictions and odds, and to their record.

mod at_start;
mod closing;
mod dates;
mod forecast;
mod market_slate;
mod odds;
mod odds_report;
mod publish;
mod publishing;
mod shifted;
mod warning;
mod warnings;

pub use at_start::{AtStart, Returns};
pub use dates::a_date_of;
pub use odds_report::OddsReport;
pub use publish::publish_slate;
pub use publishing::{MarketReport, Publishing, SlateReport, live_season, slate_season};
pub use warning::Warning;
