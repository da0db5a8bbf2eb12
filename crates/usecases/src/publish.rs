//! Publishing a release: all of it or none.

mod commit;
mod draft;
mod error;
mod outcome;
mod release;
mod returns;
mod revised;
mod settle;

use std::sync::Arc;

use sports_ports::Clock;
use sports_ports::publication::PublicationLog;
use sports_publication::{ClockSource, Release};

use self::commit::Committer;
use self::draft::Stores;
use self::release::ReleaseRevision;
use self::revised::ReleaseReport;
use self::settle::SettleRevision;
use crate::record::{Archives, Slates};

pub use error::PublishError;
pub use outcome::{Mode, PublishOutcome, Published, SeasonChange, Settled, Settlement};

/// Publishes releases into one store.
#[derive(Clone)]
pub struct Publisher {
    committer: Committer,
}

impl Publisher {
    /// A publisher into the store behind `log`, `archives` and `slates`, by the machine's own `clock`.
    #[must_use]
    pub fn new(log: Arc<dyn PublicationLog>, archives: Archives, slates: Slates, clock: Arc<dyn Clock>) -> Self {
        let source = ClockSource::System;
        Self { committer: Committer { log, stores: Stores { archives, slates }, clock, source } }
    }

    /// The same publisher by a clock of this source, which every entry it appends names.
    #[must_use]
    pub const fn timed_by(mut self, source: ClockSource) -> Self {
        self.committer.source = source;
        self
    }

    /// Puts a release over what is published, stores what changed and appends one log entry.
    ///
    /// When another publisher is faster, everything is judged again on top of its entry, and so is
    /// which games have started. Interrupted at any point, the release is published whole or not at all,
    /// and publishing it again completes.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; nothing is published then.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let revision = ReleaseRevision { release, log: &*self.committer.log, stores: &self.committer.stores };
        let (outcome, ReleaseReport { seasons, slate }) = self.committer.commit(&revision, mode).await?;
        Ok(Published { outcome, seasons, slate })
    }

    /// Adds finals to every archive that has their games, in one log entry.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; nothing is published then.
    pub async fn settle(&self, settlement: &Settlement) -> Result<Settled, PublishError> {
        let revision = SettleRevision { settlement, stores: &self.committer.stores };
        let (outcome, report) = self.committer.commit(&revision, Mode::Commit).await?;
        Ok(Settled { outcome, report })
    }
}
