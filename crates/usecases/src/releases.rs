//! Listing what was published.

use std::sync::Arc;

use sports_domain::{ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{Catalog, ClockSource, Generation};

use crate::record::{Chain, CurrentGenerations, LeagueGeneration, Link, NotReadYet, StrayReason, is_simulated};

/// A league's newest releases.
#[derive(Debug, Clone, PartialEq)]
pub struct Releases {
    /// Entries of the log, newest first.
    pub entries: Vec<LogEntry>,
    /// Whether the record has entries that were published at a time set by hand, listed here or not.
    pub simulated: bool,
}

/// The newest `limit` entries of a league's log, newest first.
///
/// # Errors
///
/// [`PortError`] when the log cannot be read; an entry missing from its middle is
/// [`PortError::Corrupt`].
pub async fn releases(log: &dyn PublicationLog, sport: Sport, limit: usize) -> Result<Releases, PortError> {
    let mut chain = Chain::listed(log, sport).await?;
    let (head, mut passed_over) = chain.head().await?;
    let newest = head.as_ref().map(|(entry, _)| &entry.catalog);
    if let Some((number, _)) = passed_over.iter().find(|(_, why)| why.may_be_lost_history(newest)) {
        return Err(hole(sport, *number));
    }
    // A log with something in it is no empty one.
    if head.is_none()
        && let Some((number, why)) = passed_over.pop()
    {
        return Err(match why {
            StrayReason::Unreadable(error) => error,
            StrayReason::Unlinked { .. } => hole(sport, number),
        });
    }
    let entries = linked(&mut chain, head, limit).await?;
    let listed = entries.iter().any(|entry| entry.catalog.clock == ClockSource::Set);
    let simulated = match entries.first() {
        Some(newest) if !listed => is_simulated(log, &newest.catalog).await?,
        _ => listed,
    };
    Ok(Releases { entries, simulated })
}

/// Follows the links from `head` down, over `limit` entries at most.
async fn linked(
    chain: &mut Chain<'_>,
    head: Option<(Arc<LogEntry>, Link)>,
    limit: usize,
) -> Result<Vec<LogEntry>, PortError> {
    let mut entries = Vec::new();
    let mut next = head;
    while let Some((entry, link)) = next.filter(|_| entries.len() < limit) {
        let before = match link {
            Link::Holds(before) | Link::Unknown(before) => before,
            Link::Rootless | Link::Broken if entries.len() + 1 < limit => {
                return Err(hole(chain.sport(), entry.catalog.generation));
            }
            Link::Rootless | Link::Broken => None,
        };
        next = match before {
            Some(before) => {
                let link = chain.link(&before.catalog).await?;
                Some((before, link))
            }
            None => None,
        };
        entries.push(Arc::unwrap_or_clone(entry));
    }
    Ok(entries)
}

fn hole(sport: Sport, number: Generation) -> PortError {
    let reason = format!("entry {number} of {sport} does not continue those before it, or some are missing");
    PortError::corrupt("the publication log", reason)
}

/// Answers questions about what was published lately, from the generations that are served.
pub struct RecentReleases(Arc<CurrentGenerations>);

/// A release and what it changed.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentRelease {
    /// Its entry of the log.
    pub entry: Arc<LogEntry>,
    /// Whether it brought odds.
    pub odds: bool,
    /// The markets that it brought predictions of.
    pub predictions: Vec<ModelType>,
    /// The seasons that it changed.
    pub seasons: Vec<SeasonChange>,
}

/// What a release changed in one season of one market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonChange {
    /// The market.
    pub model_type: ModelType,
    /// The season.
    pub season: Season,
    /// Games that it has since.
    pub games: usize,
    /// By how many games it grew.
    pub games_added: i64,
    /// By how many decided games it grew; less than zero where finals were taken back.
    pub decided_added: i64,
}

impl RecentReleases {
    /// How many are listed at most.
    pub const LISTED: usize = 20;

    /// Answers from the current generations.
    #[must_use]
    pub const fn new(generations: Arc<CurrentGenerations>) -> Self {
        Self(generations)
    }

    /// The current generation, which the list begins with; `None` for a league never published.
    ///
    /// # Errors
    ///
    /// [`NotReadYet`] before the league's log was read once.
    pub fn newest(&self, sport: Sport) -> Result<Option<Arc<LeagueGeneration>>, NotReadYet> {
        self.0.current(sport)
    }

    /// The release of this generation and those before it, newest first. The list ends early where an entry before is
    /// missing or does not belong to the record.
    ///
    /// # Errors
    ///
    /// [`PortError`] when the log cannot be read.
    pub async fn up_to(&self, newest: &LeagueGeneration) -> Result<Vec<RecentRelease>, PortError> {
        let mut chain = Chain::listed(self.0.log(), newest.catalog().sport).await?;
        let mut recent = Vec::new();
        let mut next = Some(Arc::new(newest.entry.clone()));
        while let Some(entry) = next.filter(|_| recent.len() < Self::LISTED) {
            let before = chain.before(&entry.catalog).await?;
            recent.push(RecentRelease::after(before.as_ref().map(|before| &before.catalog), entry));
            next = before;
        }
        Ok(recent)
    }
}

impl RecentRelease {
    fn after(before: Option<&Catalog>, entry: Arc<LogEntry>) -> Self {
        let catalog = &entry.catalog;
        let seasons = catalog.results.iter().filter(|(_, results)| results.artifact.release_id == catalog.release_id);
        let seasons = seasons.map(|((model_type, season), results)| {
            let known = before.and_then(|before| before.results.get(&(*model_type, *season)));
            let known = known.map(|results| results.coverage).unwrap_or_default();
            let coverage = results.coverage;
            SeasonChange {
                model_type: *model_type,
                season: *season,
                games: coverage.rows,
                games_added: added(known.rows, coverage.rows),
                decided_added: added(known.decided, coverage.decided),
            }
        });
        let predictions =
            catalog.predictions.iter().filter(|(_, entry)| entry.artifact.release_id == catalog.release_id);
        Self {
            odds: catalog.odds.as_ref().is_some_and(|odds| odds.release_id == catalog.release_id),
            predictions: predictions.map(|(model_type, _)| *model_type).collect(),
            seasons: seasons.collect(),
            entry,
        }
    }
}

fn added(before: usize, now: usize) -> i64 {
    i64::try_from(now).unwrap_or(i64::MAX) - i64::try_from(before).unwrap_or(i64::MAX)
}
