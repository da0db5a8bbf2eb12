//! Proofs of forecasts: the opening of a row's commitment, and a signed tree that has its leaf.

mod candidates;
mod evidence;
mod kept;
mod opening;
mod recordings;
mod refusal;
mod row;

use std::sync::Arc;

use sports_domain::{Market, ModelType};
use sports_ports::PortError;
use sports_ports::answers::{Answers, Uncached};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::{Catalog, SeasonArchive};
use sports_transparency::ForecastProof;

use crate::game_histories::{GameName, seasons_of};
use crate::record::{CheckpointListing, TreeHead, TreeReader};

use candidates::Candidates;
use evidence::{Chosen, Evidence};
use opening::Found;
use recordings::Recordings;
use row::{ForecastRow, find_row};

pub use kept::{KeptProof, KeptProofs, RecentProof};
pub use opening::{LocatedOpening, Recording};
pub use refusal::NoProof;

/// The forecasts of one store's records that can be proven. `V` is a view of a season that has its archive.
pub struct ForecastProofs<V> {
    recordings: Recordings,
    seasons: Arc<dyn SeasonViews<V>>,
}

/// An error in making a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// There is no proof.
    #[error(transparent)]
    Refused(#[from] NoProof),
    /// The store cannot be read.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl<V: AsRef<SeasonArchive> + Send + Sync> ForecastProofs<V> {
    /// Creates the proofs of the trees in `reader` and the archives in `seasons`.
    pub fn new(reader: Arc<TreeReader>, seasons: Arc<dyn SeasonViews<V>>) -> Self {
        Self { recordings: Recordings { reader, kept: Arc::new(Uncached) }, seasons }
    }

    /// Keeps the entries that were read last, with their leaves, in memory.
    pub fn with_recordings_in(mut self, kept: Arc<dyn Answers<Recording>>) -> Self {
        self.recordings.kept = kept;
        self
    }

    /// Makes the proof of a game's standing forecast as of an entry. The names of the game are searched in their order.
    ///
    /// The checkpoint is the earliest one that has the leaf and is cosigned, else the earliest with a timestamp, else the
    /// earliest: a later one would prove less. With a `size`, it is the one of that size.
    ///
    /// # Errors
    ///
    /// [`ProofError`] if there is no proof, or the store cannot be read.
    pub async fn proof(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        names: &[GameName],
        size: Option<u64>,
    ) -> Result<ForecastProof, ProofError> {
        let head = TreeHead::of(newest);
        self.made((newest, head.as_ref()), model_type, names, size, None).await.map(|(proof, _)| proof)
    }

    /// Makes a proof as of an entry and its tree, from the checkpoints of a listing or else of the store; returns it with the
    /// files among which its checkpoint was chosen.
    async fn made(
        &self,
        (newest, head): (&Catalog, Option<&TreeHead>),
        model_type: ModelType,
        names: &[GameName],
        size: Option<u64>,
        listing: Option<&CheckpointListing>,
    ) -> Result<(ForecastProof, Candidates), ProofError> {
        let (view, place) = self.row(newest, model_type, names).await?;
        let row = ForecastRow::at(view.as_ref().as_ref(), place).ok_or(NoProof::NeverMade)?;
        let recording = self.recordings.of(newest, &row).await??;
        let LocatedOpening { index, opening } = match recording.opening(&*self.seasons, &row).await? {
            Found::Opened(opening) => opening,
            Found::Differs => return Err(recording.contradiction(&row).into()),
            Found::Absent => return Err(NoProof::Imported.into()),
        };
        // An entry that is newer than the caller's may have a leaf that the caller's tree has not.
        let head = head.filter(|head| index < head.size).ok_or(NoProof::NotSigned(newest.sport))?;
        let evidence = Evidence { reader: &self.recordings.reader, head, index, listing };
        let leaf = opening.entry.as_bytes();
        let Chosen { checkpoint, path, candidates } = match size {
            Some(size) => evidence.of_size(leaf, size).await??,
            None => evidence.earliest(leaf).await?.ok_or(NoProof::NotSigned(newest.sport))?,
        };
        Ok((ForecastProof { opening, index, path, checkpoint }, candidates))
    }

    /// Opens the commitments to the standing forecasts of a season as of an entry, in the order of its games. Rows that no
    /// entry with a tree recorded have none, nor have those that contradict their leaf.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn openings(&self, newest: &Catalog, archive: &SeasonArchive) -> Result<Vec<LocatedOpening>, PortError> {
        let mut openings = Vec::new();
        let mut known = Vec::new();
        for place in 0..archive.games().len() {
            let Some(row) = ForecastRow::at(archive, place) else { continue };
            let found = known.iter().position(|recording: &Arc<Recording>| recording.is_of(&row));
            let recording = match found {
                Some(found) => &known[found],
                None => match self.recordings.of(newest, &row).await? {
                    Ok(recording) => {
                        known.push(recording);
                        &known[known.len() - 1]
                    }
                    Err(_) => continue,
                },
            };
            // One row that contradicts its leaf must not hide the others: an audit names it, and `verify`, too.
            if let Found::Opened(opening) = recording.opening(&*self.seasons, &row).await? {
                openings.push(opening);
            }
        }
        Ok(openings)
    }

    /// Finds the archive that has a game, and the game's place in it.
    async fn row(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        names: &[GameName],
    ) -> Result<(Arc<V>, usize), ProofError> {
        for name in names {
            for season in seasons_of(name, newest) {
                let Some(results) = newest.results.get(&(model_type, season)) else { continue };
                let market = Market::new(newest.sport, model_type);
                let view = self.seasons.view(&SeasonRef::from_artifact(market, season, &results.artifact)).await?;
                if let Some(place) = find_row(view.as_ref().as_ref(), name).map_err(NoProof::from)? {
                    return Ok((view, place));
                }
            }
        }
        Err(NoProof::NeverMade.into())
    }
}
