//! Earlier generations of a league, read from the store on request.
//!
//! The work for them is queued, so that it does not slow down requests for the present. It is always queued outside of a cache: a
//! reader whose work runs never waits for other queued work.

mod generation;
mod part;

use std::sync::Arc;

use async_trait::async_trait;
use futures::channel::oneshot;
use futures::future::BoxFuture;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ledger::EntryFacts;
use sports_ports::answers::Answers;
use sports_ports::publication::LogEntry;
use sports_ports::{PortError, in_one_line};
use sports_publication::{EntryLeaves, Generation};

use super::{CurrentGenerations, LeagueGeneration, Preparation, leaves_of};
use crate::unsettled::UnsettledGames;

pub use generation::PastGeneration;
pub use part::PastPart;

/// The queue of work for earlier moments, which bounds how much of it is concurrent.
///
/// # Contract
///
/// - Some work runs at a time, and other work is queued. Work that is queued for too long is refused with
///   [`PortError::Unavailable`], and does not run.
#[async_trait]
pub trait WorkQueue: Send + Sync {
    /// Runs work when its turn comes.
    async fn run(&self, work: BoxFuture<'static, ()>) -> Result<(), PortError>;
}

/// A queue that runs work at once, for a program that works for one person.
pub struct Inline;

#[async_trait]
impl WorkQueue for Inline {
    async fn run(&self, work: BoxFuture<'static, ()>) -> Result<(), PortError> {
        work.await;
        Ok(())
    }
}

/// The earlier generations of all leagues.
pub struct PastRecord {
    generations: Arc<CurrentGenerations>,
    parts: Arc<dyn Answers<PastPart>>,
    preparation: Arc<dyn Preparation>,
    queue: Arc<dyn WorkQueue>,
}

impl PastRecord {
    /// Creates the record below the current generations. `parts` caches entries and slates, and `preparation` opens
    /// earlier archives.
    pub fn new(
        generations: Arc<CurrentGenerations>,
        parts: Arc<dyn Answers<PastPart>>,
        preparation: Arc<dyn Preparation>,
        queue: Arc<dyn WorkQueue>,
    ) -> Self {
        Self { generations, parts, preparation, queue }
    }

    /// Opens an earlier generation.
    pub(crate) async fn open(
        self: &Arc<Self>,
        sport: Sport,
        facts: &EntryFacts,
        current: Arc<LeagueGeneration>,
    ) -> Result<PastGeneration, PortError> {
        let (number, digest, generations) = (facts.generation, facts.digest, Arc::clone(&self.generations));
        let load = async move {
            let entry = generations.log().entry(sport, number).await?.filter(|entry| entry.digest == digest);
            let missing =
                || PortError::corrupt("the publication log", format!("entry {number} of {sport} is another one"));
            entry.ok_or_else(missing).map(PastPart::of_entry)
        };
        let part = self.part(digest, load).await?;
        Ok(PastGeneration::new(Arc::clone(self), part.as_entry()?.clone(), current))
    }

    /// Returns the leaves that an entry adds to the tree; `None` for an entry from before the tree.
    pub(crate) async fn leaves(
        self: &Arc<Self>,
        sport: Sport,
        generation: Generation,
    ) -> Result<Option<Arc<EntryLeaves>>, PortError> {
        let generations = Arc::clone(&self.generations);
        let load = async move {
            let read = leaves_of(&**generations.log(), generations.slates(), sport, generation).await;
            read.map(PastPart::of_leaves)
        };
        let part = self.part(name_of(&["leaves", sport.code(), &generation.to_string()]), load).await?;
        Ok(part.as_leaves()?.cloned())
    }

    /// Returns a part from memory, or loads it when its turn comes. Entries have the name of their digest.
    async fn part(
        self: &Arc<Self>,
        name: ObjectHash,
        load: impl Future<Output = Result<PastPart, PortError>> + Send + 'static,
    ) -> Result<Arc<PastPart>, PortError> {
        if let Some(part) = self.parts.kept(&name).await {
            return Ok(part);
        }
        let parts = Arc::clone(&self.parts);
        let loading = async move { parts.answer(name, Box::pin(async { load.await.map(Arc::new) })).await };
        Box::pin(self.run_queued(loading)).await
    }

    /// Returns the games of the live season of an earlier catalog without an ending.
    async fn unsettled(self: &Arc<Self>, entry: Arc<LogEntry>) -> Result<UnsettledGames, PortError> {
        let preparation = Arc::clone(&self.preparation);
        self.run_queued(async move { preparation.unsettled(&entry.catalog).await }).await
    }

    /// Runs work for an earlier moment when its turn comes. Data that cannot be read is unavailable: it may be repaired, and
    /// other moments can be answered.
    async fn run_queued<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, PortError> {
        run_queued(&*self.queue, work).await.map_err(unreadable)
    }

    /// Returns the generations that later entries became.
    pub(crate) const fn generations(&self) -> &Arc<CurrentGenerations> {
        &self.generations
    }

    /// Returns the queue of work for earlier moments.
    pub(crate) const fn queue(&self) -> &Arc<dyn WorkQueue> {
        &self.queue
    }
}

/// Returns the name of a part that is no entry.
fn name_of(parts: &[&str]) -> ObjectHash {
    ObjectHash::from_parts(parts.iter().map(|part| part.as_bytes()))
}

/// Runs work when its turn comes.
pub(crate) async fn run_queued<T: Send + 'static>(
    queue: &dyn WorkQueue,
    work: impl Future<Output = Result<T, PortError>> + Send + 'static,
) -> Result<T, PortError> {
    let (done, result) = oneshot::channel();
    let work = async move {
        // Without a receiver, the request has ended.
        drop(done.send(work.await));
    };
    queue.run(Box::pin(work)).await?;
    result.await.map_err(|ended| PortError::unavailable("an earlier moment", ended))?
}

/// Converts the error of damaged data to the error of unavailable data, and logs it.
pub fn unreadable(error: PortError) -> PortError {
    match error {
        PortError::Corrupt { port, source } => {
            let reason = in_one_line(&*source);
            tracing::error!(reason, "an earlier moment cannot be read: {reason}");
            PortError::Unavailable { port, source }
        }
        unavailable @ PortError::Unavailable { .. } => unavailable,
    }
}
