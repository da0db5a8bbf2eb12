use std::cmp::max;

use chrono::NaiveDate;

use crate::{Catalog, CompletedRun, Release, Run};

/// The latest slate of a league and its known runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlateRuns {
    /// The latest slate date published.
    pub slate_date: NaiveDate,
    /// The run of that slate: the last completed run, else the last started run.
    pub run: Option<Run>,
    /// The last completed run, if it was for an earlier slate.
    pub earlier_run: Option<CompletedRun>,
}

impl SlateRuns {
    /// Computes the slate and runs after a release. A slate date never goes back, and a completed run is replaced only
    /// by another completed run of its date or a later date.
    pub fn after(release: &Release, current: Option<&Catalog>) -> Self {
        let slate_date = max(release.slate_date, current.map_or(release.slate_date, |current| current.slate_date));
        let incoming = release.run.clone().and_then(|run| CompletedRun::new(release.slate_date, run));
        let known = current.and_then(Catalog::completed_run);
        // The later date wins; on equal dates the incoming run.
        let completed = known.into_iter().chain(incoming).max_by_key(CompletedRun::slate_date);
        match completed {
            Some(completed) if completed.slate_date() == slate_date => {
                Self { slate_date, run: Some(completed.into_run()), earlier_run: None }
            }
            earlier_run => Self { slate_date, run: last_begun(release, current, slate_date), earlier_run },
        }
    }
}

fn last_begun(release: &Release, current: Option<&Catalog>, slate_date: NaiveDate) -> Option<Run> {
    let incoming = release.run.as_ref().filter(|_| release.slate_date == slate_date);
    let known = current.filter(|current| current.slate_date == slate_date).and_then(|current| current.run.as_ref());
    incoming.or(known).cloned()
}

impl Catalog {
    /// Returns the last completed run, of any slate.
    pub fn completed_run(&self) -> Option<CompletedRun> {
        let latest = self.run.clone().and_then(|run| CompletedRun::new(self.slate_date, run));
        latest.or_else(|| self.earlier_run.clone())
    }

    /// Returns the run by which the data of a date is judged: the last completed run if it was for that date or a later
    /// date, else the last known run.
    pub fn run_deciding(&self, date: NaiveDate) -> Option<&Run> {
        let earlier = self.earlier_run.as_ref().filter(|earlier| earlier.slate_date() >= date);
        earlier.map(CompletedRun::run).or(self.run.as_ref())
    }
}
