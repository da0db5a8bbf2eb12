//! Putting a release on air: all of it or none.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::publication::{Appended, LogEntry, ObjectKind, PublicationLog};
use sports_ports::seasons::SeasonRef;
use sports_ports::{Clock, PortError};
use sports_publication::{
    ArtifactRef, Catalog, Generation, MergeCounts, ObjectHash, Problem, Release, ReleaseId, ResultsEntry, Run,
    SeasonArchive, SeasonCoverage, SeasonHistory, merge_history,
};

use crate::archives::Archives;
use crate::chain::continues_the_log;

/// Publishes releases into one store.
#[derive(Clone)]
pub struct Publisher {
    log: Arc<dyn PublicationLog>,
    archives: Archives,
    clock: Arc<dyn Clock>,
}

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Check everything and say what would change.
    DryRun,
    /// Put it on air.
    Commit,
}

/// What publishing did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// How it ended.
    pub outcome: Outcome,
    /// What changes in each season archive the release tells of, by season and model type.
    pub seasons: Vec<SeasonChange>,
}

/// How publishing ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The release is on air.
    OnAir {
        /// Its number in the log.
        generation: Generation,
        /// Its name.
        release_id: ReleaseId,
        /// The hash of its log entry: the head of the chain, worth keeping.
        digest: ObjectHash,
    },
    /// Everything the release says is on air already.
    AlreadyOnAir {
        /// Since which entry at the latest.
        generation: Generation,
    },
    /// A dry run: nothing was written.
    WouldBe {
        /// The number it would get.
        generation: Generation,
    },
}

/// What a release changes in one season archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonChange {
    /// The season.
    pub season: Season,
    /// The market.
    pub model_type: ModelType,
    /// Games in the archive afterwards.
    pub rows: usize,
    /// What changed.
    pub counts: MergeCounts,
}

/// Why a release did not get on air.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The release does not fit the record.
    #[error("the release does not fit what is published")]
    Problems(Vec<Problem>),
    /// The store would let two publishers overwrite each other.
    #[error("the store does not honour put-if-absent, without which the publication log could be overwritten")]
    StoreOverwrites,
    /// The newest entry does not continue the one before it: nothing is built on an altered record.
    #[error(
        "the record of {sport} was altered: entry {generation} does not continue the entry before it; \
         `sportsctl verify {sport}` shows where"
    )]
    BrokenRecord {
        /// The league.
        sport: Sport,
        /// The newest entry.
        generation: Generation,
    },
    /// Others published again and again in between.
    #[error("{0} other releases got in between; publish again")]
    Overtaken(usize),
    /// The store.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// How many times to try the next number before giving up.
const ATTEMPTS: usize = 50;

/// How many objects are written at once.
const UPLOADS: usize = 8;

impl Publisher {
    /// A publisher into the store behind `log` and `archives`.
    #[must_use]
    pub fn new(log: Arc<dyn PublicationLog>, archives: Archives, clock: Arc<dyn Clock>) -> Self {
        Self { log, archives, clock }
    }

    /// Merges a release into what is on air, stores what changed and appends one log entry.
    ///
    /// When another publisher is faster, everything is judged again on top of its entry. Interrupted
    /// at any point, the release is on air whole or not at all, and publishing it again completes.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; nothing is on air then.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let published_at = to_milliseconds(self.clock.now());
        let release_id = ReleaseId::new(release.slate_date, published_at, &release.content);
        for _ in 0..ATTEMPTS {
            let head = self.head(release, mode).await?;
            let plan = self.plan(release, head.as_ref()).await?;
            let seasons = plan.iter().map(SeasonPlan::change).collect();
            let generation = head.as_ref().map_or(Generation::FIRST, |head| head.catalog.generation.next());
            let standing = head.as_ref().map(|head| &head.catalog);
            let mut catalog = next_catalog(release, standing, &release_id, published_at);
            let unchanged = plan.iter().all(|plan| plan.unchanged);
            if let Some(standing) = standing.filter(|standing| unchanged && catalog.same_content(standing)) {
                let outcome = Outcome::AlreadyOnAir { generation: standing.generation };
                return Ok(Published { outcome, seasons });
            }
            if mode == Mode::DryRun {
                return Ok(Published { outcome: Outcome::WouldBe { generation }, seasons });
            }
            catalog.generation = generation;
            catalog.previous = head.as_ref().map(|head| head.digest);
            catalog.results.extend(self.store(&catalog, release, &plan).await?);
            if let Appended::Committed { digest } = self.log.append(&catalog).await? {
                return Ok(Published { outcome: Outcome::OnAir { generation, release_id, digest }, seasons });
            }
        }
        Err(PublishError::Overtaken(ATTEMPTS))
    }

    /// The newest entry; before a league's first, makes sure that the store can keep a log, which
    /// takes writing to it.
    async fn head(&self, release: &Release, mode: Mode) -> Result<Option<LogEntry>, PublishError> {
        let Some(newest) = self.log.newest(release.sport).await? else {
            return match mode {
                Mode::DryRun => Ok(None),
                Mode::Commit if self.log.honours_put_if_absent().await? => Ok(None),
                Mode::Commit => Err(PublishError::StoreOverwrites),
            };
        };
        let head = self.log.entry(release.sport, newest).await?;
        if let Some(head) = &head
            && !continues_the_log(&*self.log, head).await?
        {
            return Err(PublishError::BrokenRecord { sport: release.sport, generation: newest });
        }
        Ok(head)
    }

    /// Merges every season the release tells of, or says everything that does not fit.
    async fn plan(&self, release: &Release, head: Option<&LogEntry>) -> Result<Vec<SeasonPlan>, PublishError> {
        let run = release.run.as_ref().map(|run| run.id.as_str());
        let mut tasks = Vec::new();
        for history in &release.history {
            for model_type in history.touched() {
                tasks.push(self.merge(history, Market::new(release.sport, model_type), head, run));
            }
        }
        let merged: Vec<_> = stream::iter(tasks).buffered(UPLOADS).try_collect().await?;
        let mut plans = Vec::new();
        let mut problems: Vec<_> = release.history.iter().flat_map(SeasonHistory::contradictions).collect();
        for merge in merged {
            match merge {
                Ok(plan) => plans.push(plan),
                Err(found) => problems.extend(found),
            }
        }
        // A file that tells of all markets has its problems found once for each.
        problems.sort();
        problems.dedup();
        if problems.is_empty() { Ok(plans) } else { Err(PublishError::Problems(problems)) }
    }

    async fn merge(
        &self,
        history: &SeasonHistory,
        market: Market,
        head: Option<&LogEntry>,
        run: Option<&str>,
    ) -> Result<Result<SeasonPlan, Vec<Problem>>, PortError> {
        let entry = head.and_then(|head| head.catalog.results.get(&(market.model_type, history.season)));
        let standing = match entry {
            Some(entry) => {
                let season = SeasonRef { market, season: history.season, object: entry.artifact.object };
                Some(self.archives.read(&season).await?)
            }
            None => None,
        };
        Ok(merge_history(market, standing.as_ref(), history, run).map(|merged| SeasonPlan {
            unchanged: match &standing {
                Some(standing) => *standing == merged.archive,
                // Preseason games alone make no season.
                None => merged.archive.games().is_empty(),
            },
            archive: merged.archive,
            counts: merged.counts,
        }))
    }

    /// Writes the archives that changed and names them.
    async fn store(
        &self,
        catalog: &Catalog,
        release: &Release,
        plans: &[SeasonPlan],
    ) -> Result<BTreeMap<(ModelType, Season), ResultsEntry>, PortError> {
        let mut writes = Vec::new();
        for plan in plans {
            if !plan.unchanged {
                writes.push(self.write(catalog, release, plan));
            }
        }
        stream::iter(writes).buffered(UPLOADS).try_collect().await
    }

    async fn write(
        &self,
        catalog: &Catalog,
        release: &Release,
        plan: &SeasonPlan,
    ) -> Result<((ModelType, Season), ResultsEntry), PortError> {
        let market = plan.archive.market();
        let bytes = self.archives.codec.encode(&plan.archive)?;
        let size = bytes.len();
        let object = self.archives.objects.put(market.sport, ObjectKind::Parquet, bytes).await?;
        let artifact = ArtifactRef {
            object,
            bytes: size as u64,
            published_at: catalog.published_at,
            source_as_of: source_as_of(release.run.as_ref(), catalog.published_at),
            slate_date: release.slate_date,
            release_id: catalog.release_id.clone(),
        };
        let entry = ResultsEntry { artifact, coverage: SeasonCoverage::of(&plan.archive) };
        Ok(((market.model_type, plan.archive.season()), entry))
    }
}

/// One season archive as the release leaves it.
struct SeasonPlan {
    archive: SeasonArchive,
    counts: MergeCounts,
    unchanged: bool,
}

impl SeasonPlan {
    fn change(&self) -> SeasonChange {
        SeasonChange {
            season: self.archive.season(),
            model_type: self.archive.market().model_type,
            rows: self.archive.games().len(),
            counts: self.counts,
        }
    }
}

/// The catalog after a release, its changed archives still to be added. A release for an earlier
/// slate, such as an import of old seasons, does not turn the league's clock back.
fn next_catalog(
    release: &Release,
    standing: Option<&Catalog>,
    release_id: &ReleaseId,
    published_at: DateTime<Utc>,
) -> Catalog {
    let (slate_date, run) = match standing {
        Some(standing) if standing.slate_date > release.slate_date => (standing.slate_date, standing.run.clone()),
        Some(standing) if standing.slate_date == release.slate_date => {
            (standing.slate_date, release.run.clone().or_else(|| standing.run.clone()))
        }
        _ => (release.slate_date, release.run.clone()),
    };
    Catalog {
        sport: release.sport,
        generation: Generation::FIRST,
        previous: None,
        release_id: release_id.clone(),
        published_at,
        slate_date,
        run,
        results: standing.map(|standing| standing.results.clone()).unwrap_or_default(),
    }
}

fn source_as_of(run: Option<&Run>, published_at: DateTime<Utc>) -> DateTime<Utc> {
    run.and_then(|run| run.completed_at).unwrap_or(published_at)
}

/// The log keeps milliseconds.
fn to_milliseconds(instant: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(instant.timestamp_millis()).unwrap_or(instant)
}
