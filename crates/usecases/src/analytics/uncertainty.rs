use chrono::NaiveDate;
use sports_calibration::{DatedRatio, DatedTerm, Interval, SplitMix64};
use sports_ports::seasons::SeasonRef;

use crate::results::snapshot;

/// Where 95 percent of the returns of one-unit bets lie over dates drawn anew; each bet is its game's date and what it returned
/// beyond its unit. `whose` seeds the draws together with the season's snapshot, so equal seasons have equal intervals.
pub(super) fn roi_interval(
    season: &SeasonRef,
    whose: &str,
    bets: impl Iterator<Item = (NaiveDate, f64)>,
) -> Option<Interval> {
    let snapshot = snapshot(season.market, season.season, &season.object);
    let terms = bets.map(|(date, sum)| DatedTerm { date, sum, weight: 1.0 });
    DatedRatio::from_terms(terms).interval(SplitMix64::from_names(&[snapshot.as_str(), whose, "roi"]))
}
