//! The closing of games without a start.
//!
//! Such a game may begin from the earliest usual hour of its league on. Its date may be that of universal time, a day
//! late, so a game that a release of an earlier slate date lists may begin on the day before.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use sports_domain::{GameKey, eastern_instant};

use super::Publishing;
use crate::{Predictions, Reschedule};

/// Returns the games without a start that this or an earlier release listed ahead of their date, and those that were
/// postponed to it.
pub(super) fn listed_ahead(publishing: &Publishing<'_>) -> BTreeSet<GameKey> {
    let (release, moves) = (publishing.release, publishing.resolution.moves());
    let known = publishing.catalog.into_iter().flat_map(|catalog| &catalog.listed_ahead);
    let known = known.filter(|key| moves.iter().all(|made| made.made.from != **key));
    let listed = publishing.slate.slate_rows().map(|(_, key, _)| key).filter(|key| release.slate_date < key.date);
    let postponed = moves.iter().map(|made| &made.made);
    let postponed = postponed.filter(|Reschedule { from, to }| from.time.is_none() && from.date < to.date);
    let keys = known.chain(listed).chain(postponed.map(|made| &made.to));
    keys.filter(|key| key.time.is_none() && !key.has_started(publishing.now)).cloned().collect()
}

/// Returns true if a game had closed before the release: its start has passed or, without one, the hour from which it may
/// have begun.
pub(super) fn had_closed(publishing: &Publishing<'_>, key: &GameKey) -> bool {
    let is_ahead = publishing.catalog.is_some_and(|catalog| catalog.listed_ahead.contains(key));
    key.has_started(publishing.now) || (key.time.is_none() && may_have_begun(publishing, first_date(key, is_ahead)))
}

/// Returns the games of the slate without a start that have closed for good. `ahead` are those listed ahead of their date.
pub(super) fn closed<'p>(
    publishing: &'p Publishing<'_>,
    ahead: &BTreeSet<GameKey>,
) -> impl Iterator<Item = &'p GameKey> {
    let served = publishing.before.predictions.values().flat_map(Predictions::games).map(|game| &game.game.key);
    let keys = publishing.slate.slate_rows().map(|(_, key, _)| key).chain(served);
    let has_closed =
        |key: &&GameKey| key.time.is_none() && may_have_begun(publishing, first_date(key, ahead.contains(*key)));
    keys.filter(has_closed)
}

/// Returns the games without a start for which the release comes after the hour of its own slate date.
pub(super) fn closed_for_release<'p>(publishing: &'p Publishing<'_>) -> impl Iterator<Item = &'p GameKey> {
    let is_late = may_have_begun(publishing, publishing.release.slate_date);
    let keys = publishing.slate.slate_rows().map(|(_, key, _)| key).filter(|key| key.time.is_none());
    keys.filter(move |_| is_late)
}

/// Returns the first date on which a game without a start may begin.
fn first_date(key: &GameKey, is_ahead: bool) -> NaiveDate {
    let before = key.date.pred_opt().filter(|_| is_ahead);
    before.unwrap_or(key.date)
}

fn may_have_begun(publishing: &Publishing<'_>, date: NaiveDate) -> bool {
    eastern_instant(date, publishing.release.sport.earliest_start()) <= publishing.now
}
