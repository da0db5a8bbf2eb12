//! The entries that the leaves state against the releases that the service lists.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SubsecRound as _, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{ClockSource, GameKey, LineColumn, ModelName, ModelType, Season};

use crate::audit::leaf_history::StatedLeaves;
use crate::{Leaf, LeafFact, Opening, RecordedEnding};

/// A release as the service lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRelease {
    /// The number of the entry.
    pub generation: u64,
    /// The name of the release, which live rows state.
    pub release_id: String,
    /// The publication instant.
    pub published_at: DateTime<Utc>,
    /// The origin of that instant.
    pub clock: ClockSource,
    /// The SHA-256 of the entry.
    pub sha256: ObjectHash,
    /// The SHA-256 of the entry before; `None` for the first one.
    pub previous: Option<ObjectHash>,
}

/// The list of releases as the service answers it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseList {
    /// The head that it states: the SHA-256 of the newest entry; `None` if nothing was published.
    pub head: Option<ObjectHash>,
    /// `true` if it states that the record is simulated.
    pub simulated: bool,
    /// The releases, newest first.
    pub releases: Vec<ListedRelease>,
}

impl ReleaseList {
    /// Returns a sentence for each statement of the list that contradicts its releases.
    fn contradictions(&self) -> Vec<String> {
        let disordered = self.releases.windows(2).filter(|pair| pair[1].generation >= pair[0].generation);
        let mut found: Vec<_> = disordered
            .map(|pair| format!("generation {} is listed behind generation {}", pair[1].generation, pair[0].generation))
            .collect();
        if self.head != self.releases.first().map(|newest| newest.sha256) {
            found.push("the head in the list of releases is not the SHA-256 of its first release".to_owned());
        }
        if self.simulated != self.releases.iter().any(|release| release.clock == ClockSource::Set) {
            let stated = if self.simulated { "simulated, and no release" } else { "not simulated, and a release" };
            found.push(format!("the list of releases states that the record is {stated} has a clock that was set"));
        }
        found
    }
}

/// Returns the names of the listed releases whose entries have their forecasts in the tree, by generation.
pub fn recorded_releases(leaves: &StatedLeaves, listed: &[ListedRelease]) -> BTreeMap<u64, String> {
    let recorded = listed.iter().filter(|listed| leaves.release(listed.generation).is_some());
    recorded.map(|listed| (listed.generation, listed.release_id.clone())).collect()
}

/// Returns the numbers up to the newest entry of the tree that neither a leaf nor the list of releases has.
pub fn skipped_generations(leaves: &StatedLeaves, listed: &[ListedRelease]) -> impl Iterator<Item = u64> {
    let stated = stated_entries(leaves).into_keys();
    let known: BTreeSet<_> = stated.chain(listed.iter().map(|listed| listed.generation)).collect();
    (1..=leaves.newest_generation().unwrap_or_default()).filter(move |generation| !known.contains(generation))
}

/// A statement of a leaf about an entry.
struct StatedEntry {
    published_at: DateTime<Utc>,
    clock: ClockSource,
    /// The hash of the entry before.
    continues: Option<ObjectHash>,
}

/// Compares the `release` leaves with the list of releases; returns a sentence for each contradiction, and for each leaf
/// that is not in the order of entries. Releases above the newest entry of the tree are left out.
pub fn audit_releases(leaves: &StatedLeaves, list: &ReleaseList) -> Vec<String> {
    let stated = stated_entries(leaves);
    let mut found = disordered(leaves.leaves());
    found.extend(list.contradictions());
    let Some(newest) = leaves.newest_generation() else { return found };
    let listed = list.releases.iter().filter(|listed| listed.generation <= newest);
    let listed: BTreeMap<_, _> = listed.map(|listed| (listed.generation, listed)).collect();
    let unlisted = stated.keys().filter(|generation| !listed.contains_key(generation));
    found.extend(
        unlisted.map(|generation| format!("generation {generation} has a leaf and is not listed as a release")),
    );
    let mut before: Option<&ListedRelease> = None;
    for (generation, release) in &listed {
        match stated.get(generation) {
            Some(entry) => found.extend(differences(entry, release, before)),
            None => found.push(format!("generation {generation} is listed as a release and has no leaf")),
        }
        before = Some(release);
    }
    found
}

fn stated_entries(leaves: &StatedLeaves) -> BTreeMap<u64, StatedEntry> {
    let stated = leaves.leaves().iter().filter_map(|leaf| match leaf.fact {
        LeafFact::Release { published_at, clock, continues } => {
            Some((leaf.generation, StatedEntry { published_at, clock, continues }))
        }
        _ => None,
    });
    stated.collect()
}

fn differences(entry: &StatedEntry, release: &ListedRelease, before: Option<&ListedRelease>) -> Vec<String> {
    let number = release.generation;
    let mut found = Vec::new();
    if release.previous != before.map(|before| before.sha256) {
        found.push(format!(
            "generation {number} is listed with another SHA-256 of the entry before than that entry has"
        ));
    }
    if entry.published_at != release.published_at.trunc_subsecs(3) || entry.clock != release.clock {
        found.push(format!("generation {number} has another time or clock in its leaf than in the list of releases"));
    }
    if entry.continues != before.map(|before| before.sha256) {
        let before = before.map_or_else(|| "nothing".to_owned(), |before| format!("generation {}", before.generation));
        found.push(format!("the leaf of generation {number} continues another entry than the listed one, {before}"));
    }
    found
}

/// Returns a sentence for each leaf that is not in the order of entries: each entry begins with its `release` leaf, and states a higher
/// number and a later time than the one before.
fn disordered(leaves: &[Leaf]) -> Vec<String> {
    let (mut found, mut entry) = (Vec::new(), None);
    for (index, leaf) in leaves.iter().enumerate() {
        let Leaf { generation, fact, .. } = leaf;
        match fact {
            LeafFact::Release { published_at, .. } => {
                if let Some((before, at)) = entry.filter(|(before, at)| generation <= before || published_at <= at) {
                    found.push(format!(
                        "leaf {index} begins entry {generation} of {published_at} behind entry {before} of {at}"
                    ));
                }
                entry = Some((*generation, *published_at));
            }
            _ if entry.is_some_and(|(of, _)| of == *generation) => {}
            _ => {
                let of = fact.game().map(|game| format!(" of {game}")).unwrap_or_default();
                let within = entry.map_or("no entry".to_owned(), |(of, _)| format!("entry {of}"));
                let kind = fact.kind();
                found.push(format!(
                    "leaf {index}, a {kind}{of}, states entry {generation} and is among the leaves of {within}"
                ));
            }
        }
    }
    found
}

/// A row of results as the service answers it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    pub model_type: ModelType,
    /// The season in whose results the row is.
    pub season: Season,
    pub game: GameKey,
    /// The release that a live row names; `None` for a row without a live forecast.
    pub live_run: Option<String>,
    /// True if it states that an entry of the log published its forecast before the start.
    pub is_recorded: bool,
    /// The lines and prices, by column.
    pub lines: BTreeMap<LineColumn, f64>,
    /// The probabilities by model, without IMPLIED.
    pub probabilities: BTreeMap<ModelName, f64>,
    /// The final or the status.
    pub ending: RecordedEnding,
    /// Its other statements.
    pub statements: RowStatements,
}

impl ResultRow {
    /// Returns the line or price in the column of this name.
    pub(crate) fn line(&self, name: &str) -> Option<f64> {
        self.lines.iter().find(|(column, _)| column.name() == name).map(|(_, number)| *number)
    }
}

/// The statements of a row of results about the origin of its forecast and about its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowStatements {
    /// The season that the row names.
    pub season: String,
    /// The publication of the forecast.
    pub published_at: Option<DateTime<Utc>>,
    /// The method behind the probabilities.
    pub probability_source: Option<String>,
    /// The outcome column of the market: `true` if the positive side won.
    pub positive_won: Option<bool>,
    /// `true` if the final is exactly on the line.
    pub push: Option<bool>,
    /// `true` if a model was graded.
    pub graded: bool,
    /// The reason for which none was.
    pub ungraded_reason: Option<String>,
}

/// An opening as the service answers it, of the leaf at an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedOpening {
    /// The index of the leaf.
    pub index: u64,
    pub opening: Opening,
}
