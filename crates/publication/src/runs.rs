use std::cmp::max;

use chrono::NaiveDate;

use crate::{Catalog, CompletedRun, Release, Run};

/// The latest slate of a league, and which runs are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlateRuns {
    /// The latest slate date published.
    pub slate_date: NaiveDate,
    /// The run of that slate: the last that completed, else the last that began.
    pub run: Option<Run>,
    /// The last completed run, where it was for an earlier slate.
    pub earlier_run: Option<CompletedRun>,
}

impl SlateRuns {
    /// The slate and runs after a release. A slate date never goes back, and a completed run is only
    /// followed by another completed one, of its date or a later one.
    #[must_use]
    pub fn after(release: &Release, current: Option<&Catalog>) -> Self {
        let slate_date = max(release.slate_date, current.map_or(release.slate_date, |current| current.slate_date));
        let incoming = release.run.clone().and_then(|run| CompletedRun::new(release.slate_date, run));
        let known = current.and_then(Catalog::completed_run);
        // The later date; of one date the incoming run.
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
    /// The last run that has completed, of whichever slate.
    #[must_use]
    pub fn completed_run(&self) -> Option<CompletedRun> {
        let latest = self.run.clone().and_then(|run| CompletedRun::new(self.slate_date, run));
        latest.or_else(|| self.earlier_run.clone())
    }

    /// The run that decides how the data of a date is judged: the last completed one where it was for that
    /// date or a later one, else the last one known.
    #[must_use]
    pub fn run_deciding(&self, date: NaiveDate) -> Option<&Run> {
        let earlier = self.earlier_run.as_ref().filter(|earlier| earlier.slate_date() >= date);
        earlier.map(CompletedRun::run).or(self.run.as_ref())
    }
}
