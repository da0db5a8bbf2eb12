//! Publishing of releases and finals: a change is published whole or not at all.

mod commit;
mod draft;
mod error;
mod models;
mod outcome;
mod release;
mod returns;
mod revised;
mod settle;
mod tree;

use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::publication::PublicationLog;
use sports_ports::signing::TreeLoss;
use sports_ports::{Clock, Random};
use sports_publication::registry::RegistryOnRecord;
use sports_publication::{ClockSource, Problem, Release};

use self::commit::Committer;
use self::draft::Stores;
use self::release::ReleaseRevision;
use self::revised::ReleaseReport;
use self::settle::SettleRevision;
use crate::record::{Archives, Slates};

pub use error::PublishError;
pub use outcome::{
    Mode, ModelsReport, PromotedColumn, PublishOutcome, Published, Requested, SeasonChange, Settled, Settlement,
};

/// Publishes releases into one store.
#[derive(Clone)]
pub struct Publisher {
    committer: Committer,
    requested: Requested,
}

impl Publisher {
    /// Creates a publisher for the store behind `log`, `archives` and `slates`. Entries are marked as timed by the
    /// system clock; their nonces come from `random`.
    pub fn new(
        log: Arc<dyn PublicationLog>,
        archives: Archives,
        slates: Slates,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        let source = ClockSource::System;
        let committer = Committer { log, stores: Stores { archives, slates }, clock, source, restart: None, random };
        Self { committer, requested: Requested::default() }
    }

    /// Returns the publisher with another clock source, which is recorded in every entry it appends.
    pub const fn timed_by(mut self, source: ClockSource) -> Self {
        self.committer.source = source;
        self
    }

    /// Returns the publisher with a loss, which its next entry states unless one has stated it: the record begins anew there.
    pub const fn restarting(mut self, loss: Option<TreeLoss>) -> Self {
        self.committer.restart = loss;
        self
    }

    /// Returns the publisher with requests beyond the usual rules, which the entries of its releases record.
    pub fn requesting(mut self, requested: Requested) -> Self {
        self.requested = requested;
        self
    }

    /// Merges a release into the published record, stores the changed content and appends one log entry.
    ///
    /// If another publisher appends first, the whole release is evaluated again on top of the new entry, including
    /// which games have started; unless that entry has another registry of models: then the release must be read
    /// again ([`PublishError::OtherModels`]). After an interruption at any point the release is published whole or not at all;
    /// publishing it again completes the operation.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the release cannot be published; the record is then unchanged.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let Self { committer, requested } = self;
        let revision = ReleaseRevision { release, log: &*committer.log, stores: &committer.stores, requested };
        let (outcome, report) = committer.commit(&revision, mode).await?;
        let ReleaseReport { seasons, slate, models, exceptions } = report;
        Ok(Published { outcome, seasons, slate, exceptions, models })
    }

    /// Returns the models of a league's newest entry, under which a release is read.
    ///
    /// # Errors
    ///
    /// [`PublishError::Port`] if the store cannot be read.
    pub async fn models(&self, sport: Sport) -> Result<RegistryOnRecord, PublishError> {
        Ok(models::on_record(&*self.committer.log, &self.committer.stores.slates, sport).await?)
    }

    /// Returns the problems of a release's games, without the problems of their values. Nothing is published.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the record cannot be read.
    pub async fn problems_of_games(&self, release: &Release) -> Result<Vec<Problem>, PublishError> {
        let existing = self.committer.newest(release.sport).await?;
        let requested = &Requested::default();
        let revision =
            ReleaseRevision { release, log: &*self.committer.log, stores: &self.committer.stores, requested };
        Ok(revision.problems_of_games(existing.as_ref(), self.committer.clock.now()).await?)
    }

    /// Adds finals to every archive that contains their games, in one log entry.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the finals cannot be published; the record is then unchanged.
    pub async fn settle(&self, settlement: &Settlement) -> Result<Settled, PublishError> {
        let revision = SettleRevision { settlement, stores: &self.committer.stores };
        let (outcome, report) = self.committer.commit(&revision, Mode::Commit).await?;
        Ok(Settled { outcome, report })
    }
}
