use chrono::NaiveDate;
use sports_calibration::{DatedRatio, DatedTerm, Interval, SplitMix64};
use sports_ports::seasons::SeasonRef;

use crate::results::snapshot;

/// Returns the 95 percent interval of the return of one-unit bets, by resampling dates. Each bet is the date of its
/// game and its profit in units. `name` seeds the random draws together with the season's snapshot, so equal seasons
/// have equal intervals.
pub(super) fn roi_interval(
    season: &SeasonRef,
    name: &str,
    bets: impl Iterator<Item = (NaiveDate, f64)>,
) -> Option<Interval> {
    let snapshot = snapshot(season.market, season.season, &season.object);
    let terms = bets.map(|(date, sum)| DatedTerm { date, sum, weight: 1.0 });
    DatedRatio::from_terms(terms).interval(SplitMix64::from_names(&[snapshot.as_str(), name, "roi"]))
}
