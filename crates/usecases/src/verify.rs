//! Verification of a log: every entry and every object that it names is present and unchanged.

mod archives;
mod difference;
mod live_rows;
mod record_files;
mod trees;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, Sport};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::identity::{Distance, Start};
use sports_publication::{Catalog, ClockSource, Exceptions, Generation, SlateArtifact};
use sports_transparency::TreeHash;

use self::archives::{VerifiedArchives, archives_of};
use self::trees::VerifiedTrees;
use crate::record::{Archives, Slates};

pub use self::difference::{Difference, SlatePart, VerifyError};
pub use self::record_files::{VerifiedFiles, verify_record_files};
pub use trees::{StatedLoss, StatedTrees};

/// The result of verifying an intact log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The number of entries; each names the hash of the previous one.
    pub entries: u64,
    /// The number of distinct objects; each hashes to its name.
    pub objects: usize,
    /// The hash of the newest entry. A copy kept elsewhere reveals later rewriting of history.
    pub head: Option<ObjectHash>,
    /// True if any entry was published with a time set by hand.
    pub simulated: bool,
    /// Games of one pairing within 12 hours of each other, which are probably one game; none in mlb.
    pub near_games: Vec<(GameKey, GameKey)>,
    /// The size and root of the tree; `None` if nothing was published.
    pub tree: Option<(u64, TreeHash)>,
    /// The trees and losses that the entries state.
    pub trees: StatedTrees,
    /// The entries whose releases overrode a check or replaced a season, oldest first.
    pub exceptions: Vec<(Generation, Exceptions)>,
}

/// Verifies a league's log from its first entry: the chain, every object, and every leaf of the tree.
///
/// Compared with an earlier head that was kept elsewhere, the chain reveals any rewriting of older entries. By itself
/// it cannot prove that the newest entries were not cut off, or that a publisher's clock was right.
///
/// # Errors
///
/// [`VerifyError`] with the first difference, or if the store cannot be read.
pub async fn verify(
    log: &dyn PublicationLog,
    archives: &Archives,
    slates: &Slates,
    sport: Sport,
) -> Result<Verified, VerifyError> {
    let numbers = linked(log, sport).await?;
    let entries = u64::try_from(numbers.len()).unwrap_or(u64::MAX);
    let (mut verified, mut verified_slates) = (VerifiedArchives::default(), HashSet::new());
    let mut trees = VerifiedTrees::default();
    let (mut head, mut newest): (Option<ObjectHash>, Option<Catalog>) = (None, None);
    let (mut simulated, mut exceptions) = (false, Vec::new());
    for generation in numbers {
        let entry = member(log, sport, generation).await?;
        verify_time(&entry.catalog, newest.as_ref().map(|before| (before.published_at, before.clock)))?;
        verified.verify_coverage(archives, &entry.catalog).await?;
        verify_slate(slates, &entry, &mut verified_slates).await?;
        verified.verify_models(slates, &entry.catalog).await?;
        trees.verify_entry(archives, slates, &mut verified, &entry).await?;
        head = Some(entry.digest);
        simulated |= entry.catalog.clock == ClockSource::Set;
        exceptions.extend(Some((generation, entry.catalog.exceptions.clone())).filter(|(_, made)| !made.is_empty()));
        newest = Some(entry.catalog);
    }
    let near_games = verify_newest(archives, newest.as_ref(), &mut verified, &mut trees).await?;
    let slate_objects = verified_slates.into_iter().map(|(_, object, _)| object);
    let objects: HashSet<_> = verified.objects().chain(slate_objects).chain(trees.objects()).collect();
    let tree = trees.newest().map(|tree| (tree.edge.size(), tree.edge.root()));
    let (objects, trees) = (objects.len(), trees.into_stated());
    Ok(Verified { entries, objects, head, simulated, near_games, tree, trees, exceptions })
}

/// Returns the numbers of a log after a check of all links, before anything that entries name is read: a rewritten entry is named
/// by the entry that does not continue it.
async fn linked(log: &dyn PublicationLog, sport: Sport) -> Result<Vec<Generation>, VerifyError> {
    let numbers = log.numbers(sport).await.map_err(VerifyError::Port)?;
    let (mut head, mut expected) = (None, Generation::FIRST);
    for generation in numbers.iter().copied() {
        let entry = member(log, sport, generation).await?;
        if generation != expected {
            return Err(Difference::MissingEntry(expected).into());
        }
        if entry.catalog.previous != head {
            let (named, found) = (name(entry.catalog.previous), name(head));
            return Err(Difference::BrokenChain { generation, named, found }.into());
        }
        (head, expected) = (Some(entry.digest), generation.next());
    }
    Ok(numbers)
}

/// Returns an entry of the record.
async fn member(log: &dyn PublicationLog, sport: Sport, generation: Generation) -> Result<LogEntry, VerifyError> {
    match log.entry(sport, generation).await {
        Ok(entry) => Ok(entry.ok_or(Difference::MissingEntry(generation))?),
        Err(source @ PortError::Corrupt { .. }) => Err(Difference::UnreadableEntry { generation, source }.into()),
        Err(source @ PortError::Unavailable { .. }) => Err(VerifyError::Port(source)),
    }
}

/// Compares the live rows of the newest archives with their leaves; returns the neighbouring games of each pairing that are within
/// 12 hours of each other.
async fn verify_newest(
    archives: &Archives,
    newest: Option<&Catalog>,
    verified: &mut VerifiedArchives,
    trees: &mut VerifiedTrees,
) -> Result<Vec<(GameKey, GameKey)>, VerifyError> {
    let (mut differing, mut pairings) = (Vec::new(), BTreeMap::<_, BTreeSet<GameKey>>::new());
    for (season, _) in newest.into_iter().flat_map(archives_of) {
        let can_be_near = season.market.sport != Sport::Mlb;
        if !can_be_near && !verified.is_live(&season) {
            continue;
        }
        let generation = newest.map_or(Generation::FIRST, |newest| newest.generation);
        let archive = verified.stored(archives, &season, generation).await?;
        differing.extend(trees.forecasts.compare(&archive));
        let games = archive.games().iter().map(|game| &game.facts);
        for facts in games.filter(|facts| can_be_near && !facts.is_called_off()) {
            pairings.entry((facts.key.away.clone(), facts.key.home.clone())).or_default().insert(facts.key.clone());
        }
    }
    differing.extend(trees.forecasts.without_row());
    if !differing.is_empty() {
        differing.sort_unstable();
        return Err(Difference::LiveRows(differing).into());
    }
    let mut near = Vec::new();
    for games in pairings.into_values() {
        let games: Vec<_> = games.into_iter().collect();
        let pairs = games.windows(2).filter(|pair| Start::of(&pair[0]).distance(Start::of(&pair[1])) == Distance::Near);
        near.extend(pairs.map(|pair| (pair[0].clone(), pair[1].clone())));
    }
    Ok(near)
}

fn name(hash: Option<ObjectHash>) -> String {
    hash.map_or_else(|| "nothing".to_owned(), |hash| hash.to_string())
}

/// Checks that an entry is later than the entry it continues, and that no time set by hand follows a system time.
fn verify_time(catalog: &Catalog, before: Option<(DateTime<Utc>, ClockSource)>) -> Result<(), Difference> {
    let (generation, published_at) = (catalog.generation, catalog.published_at);
    match before {
        Some((before, _)) if published_at < before => {
            Err(Difference::TimeRunsBackward { generation, published_at, before })
        }
        Some((before, _)) if published_at == before => Err(Difference::TimeStandsStill { generation, published_at }),
        Some((_, ClockSource::System)) if catalog.clock == ClockSource::Set => {
            Err(Difference::SetAfterSystem(generation))
        }
        _ => Ok(()),
    }
}

async fn verify_slate(
    slates: &Slates,
    entry: &LogEntry,
    verified: &mut HashSet<(SlatePart, ObjectHash, u64)>,
) -> Result<(), VerifyError> {
    let (catalog, generation) = (&entry.catalog, entry.catalog.generation);
    let predictions = catalog.predictions.iter();
    let named = predictions.map(|(model_type, entry)| (SlatePart::Predictions(*model_type), &entry.artifact));
    let odds = catalog.odds.iter().map(|odds| (SlatePart::Odds, odds));
    let openers = catalog.openers.iter().map(|openers| (SlatePart::Openers, openers));
    let named = named.chain(odds).chain(openers).map(|(what, artifact)| (what, artifact.object, artifact.bytes));
    let models = catalog.models.iter().map(|models| (SlatePart::Models, models.object, models.bytes));
    for (what, object, bytes) in named.chain(models) {
        if !verified.insert((what, object, bytes)) {
            continue;
        }
        let expected: fn(&SlateArtifact) -> bool = match what {
            SlatePart::Odds => |read| matches!(read, SlateArtifact::Odds(_)),
            SlatePart::Openers => |read| matches!(read, SlateArtifact::Openers(_)),
            SlatePart::Predictions(_) => |read| matches!(read, SlateArtifact::Predictions(_)),
            SlatePart::Models => |read| matches!(read, SlateArtifact::Models(_)),
            SlatePart::Leaves => |read| matches!(read, SlateArtifact::Leaves(_)),
        };
        let read = slates.verified(catalog.sport, &object, bytes, expected).await;
        match read {
            Ok(()) => {}
            Err(source @ PortError::Corrupt { .. }) => {
                return Err(Difference::Slate { generation, what, source }.into());
            }
            Err(source @ PortError::Unavailable { .. }) => return Err(VerifyError::Port(source)),
        }
    }
    Ok(())
}
