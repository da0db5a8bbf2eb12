//! The data status of past days: when each was complete, against its deadline, and by whose clock.

use std::collections::BTreeSet;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::eastern_instant;
use sports_ledger::EntryFacts;
use sports_ports::PortError;
use sports_publication::slate::freshness::{SlateDay, Status};

use super::{DataStatus, LeagueStatus};
use crate::moment::LeagueMoment;
use crate::record::{CommitmentTimes, EvidentTrees, TreeHead};

/// The number of moments that are read at once.
const AT_ONCE: usize = 4;

/// The time after a deadline at which it has passed.
const AFTER: TimeDelta = TimeDelta::seconds(1);

/// The data status of an Eastern day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusDay {
    pub date: NaiveDate,
    pub deadline: DateTime<Utc>,
    /// The first instant at which the data of the day was complete, or no slate was due; `None` if there was none.
    pub first_complete_at: Option<DateTime<Utc>>,
    /// True if others had the complete data before the deadline, false if they had it later; `None` without a word of others.
    pub proven: Option<bool>,
    /// Each status of the day from the instant on at which it began.
    pub states: Vec<(DateTime<Utc>, Status)>,
}

impl StatusDay {
    /// Returns `true` if the day was complete by its deadline.
    pub fn on_time(&self) -> bool {
        self.first_complete_at.is_some_and(|at| at <= self.deadline)
    }
}

impl DataStatus {
    /// Returns the last `count` days up to that of a moment, oldest first: those whose deadline has passed, and before which the league
    /// was published.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an entry or a checkpoint cannot be read.
    pub async fn days(&self, top: &LeagueMoment, count: u64) -> Result<Vec<StatusDay>, PortError> {
        let Some(newest) = top.entry().map(EntryFacts::from) else { return Ok(Vec::new()) };
        let today = SlateDay::at(top.now());
        let last = if today.overdue { today.date } else { today.date.pred_opt().unwrap_or(today.date) };
        let first = last.checked_sub_days(Days::new(count.saturating_sub(1))).unwrap_or(last);
        let from = midnight(first);
        let ledger = self.moments.generations().ledgers().of(top.sport());
        let entries = ledger.run(&newest, move |entry| entry.published_at <= from).await?.entries;
        let times = self.times(top, from).await?;
        let dates = first.iter_days().take_while(|date| *date <= last);
        let days = dates.map(|date| SlateDay::at(midnight(date)));
        let published = days.filter(|day| entries.first().is_some_and(|entry| entry.published_at < day.deadline));
        let reads: Vec<_> = published.map(|day| self.day(top, day, &entries, times.as_ref())).collect();
        stream::iter(reads).buffered(AT_ONCE).try_collect().await
    }

    /// Returns the times at which others had what was published since an instant; `None` before the tree.
    async fn times(&self, top: &LeagueMoment, from: DateTime<Utc>) -> Result<Option<CommitmentTimes>, PortError> {
        let Some(head) = top.catalog().and_then(TreeHead::of) else { return Ok(None) };
        let (trees, _) = EvidentTrees::listed(&self.checkpoints, head, (from, None), top.now()).await?;
        trees.read().await.map(Some)
    }

    async fn day(
        &self,
        top: &LeagueMoment,
        SlateDay { date, deadline, .. }: SlateDay,
        entries: &[EntryFacts],
        times: Option<&CommitmentTimes>,
    ) -> Result<StatusDay, PortError> {
        let (begin, end) = (midnight(date), midnight(date.succ_opt().unwrap_or(date)).min(top.now()));
        // A status changes with a publication, after the deadline, and after that of predictions with newer odds.
        let published = entries.iter().map(|entry| entry.published_at).filter(|at| (begin..end).contains(at));
        let mut instants: BTreeSet<_> = published.chain([begin, deadline + AFTER]).collect();
        let mut day = StatusDay { date, deadline, first_complete_at: None, proven: None, states: Vec::new() };
        while let Some(at) = instants.pop_first().filter(|at| *at < end) {
            let place = entries.partition_point(|entry| entry.published_at <= at);
            let Some(entry) = place.checked_sub(1).map(|place| &entries[place]) else { continue };
            let moment = self.moments.of_entry(top, entry).await?.seen_at(at);
            let verdict = LeagueStatus::at(moment).await?.verdict;
            let status = verdict.status();
            let refreshes = verdict.markets().iter().filter_map(|market| market.refresh_deadline);
            instants.extend(refreshes.map(|refresh| refresh + AFTER).filter(|after| *after > at));
            if day.states.last().is_none_or(|(_, last)| *last != status) {
                day.states.push((at, status));
            }
            if day.first_complete_at.is_none() && matches!(status, Status::Fresh | Status::OffDay) {
                day.first_complete_at = Some(at);
                day.proven = times.and_then(|times| times.of(entry.published_at)).map(|had| had < deadline);
            }
        }
        Ok(day)
    }
}

/// Returns the first instant of an Eastern date.
fn midnight(date: NaiveDate) -> DateTime<Utc> {
    eastern_instant(date, NaiveTime::MIN)
}
