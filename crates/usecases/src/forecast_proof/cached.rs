//! Proofs in memory. A proof is made again when another checkpoint may take the place of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_domain::ModelType;
use sports_domain::content::ObjectHash;
use sports_ports::results::ResultCache;
use sports_ports::seasons::Weighed;
use sports_publication::{Catalog, SeasonArchive};
use sports_transparency::{Checkpoint, KeyName};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::evidence::Candidates;
use super::{ForecastProofs, NoProof, ProofError, StampedProof};
use crate::game_histories::GameName;
use crate::record::{CheckpointListing, CheckpointListings, TreeHead};

/// The proofs of forecasts as texts, those made last in memory. Their checkpoints are chosen from the files that were listed
/// last.
pub struct CachedProofs<V> {
    proofs: Arc<ForecastProofs<V>>,
    listings: Arc<CheckpointListings>,
    kept: Arc<dyn ResultCache<CachedProof>>,
}

/// A proof as a text, and the time in which it may be repeated.
pub struct RecentProof {
    made: Arc<MadeProof>,
    until: Instant,
}

impl RecentProof {
    /// Returns the proof.
    pub fn text(&self) -> &str {
        &self.made.text
    }

    /// Returns the origin and the size of the checkpoint.
    pub fn checkpoint(&self) -> (&KeyName, u64) {
        (&self.made.origin, self.made.size)
    }

    /// Returns the hashes of the timestamps of the checkpoint.
    pub fn timestamps(&self) -> &[ObjectHash] {
        &self.made.timestamps
    }

    /// Returns a check that is true as long as no request can have been answered from files that were listed later than those of
    /// this proof.
    pub fn repeatable(&self) -> impl Fn() -> bool + use<> {
        let until = self.until;
        move || Instant::now() < until
    }
}

/// The place of one proof in memory.
#[derive(Default)]
pub struct CachedProof {
    made: Mutex<Option<Arc<MadeProof>>>,
    weight: AtomicUsize,
}

struct MadeProof {
    text: String,
    origin: KeyName,
    size: u64,
    timestamps: Vec<ObjectHash>,
    candidates: Candidates,
}

impl Weighed for CachedProof {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.weight.load(Ordering::Relaxed)
    }
}

impl<V: AsRef<SeasonArchive> + Send + Sync> CachedProofs<V> {
    /// Creates the texts of these proofs, which `kept` has in memory. The listings are of the same store.
    pub const fn new(
        proofs: Arc<ForecastProofs<V>>,
        listings: Arc<CheckpointListings>,
        kept: Arc<dyn ResultCache<CachedProof>>,
    ) -> Self {
        Self { proofs, listings, kept }
    }

    /// Returns the proof of a game's standing forecast as of an entry, as [`ForecastProofs::proof`] makes it. A refusal is never
    /// kept.
    ///
    /// # Errors
    ///
    /// The errors of [`ForecastProofs::proof`].
    pub async fn proof(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        game: &GameName,
        size: Option<u64>,
    ) -> Result<RecentProof, ProofError> {
        let head = TreeHead::of(newest);
        let prove = async |listing: Option<&CheckpointListing>| {
            let names = std::slice::from_ref(game);
            let made = self.proofs.made(newest, head.as_ref(), model_type, names, size, listing).await?;
            let (StampedProof { proof, timestamps }, candidates) = made;
            let (text, Checkpoint { origin, size, .. }) = (proof.to_string(), proof.checkpoint.checkpoint().clone());
            Ok::<_, ProofError>(Arc::new(MadeProof { text, origin, size, timestamps, candidates }))
        };
        let Some(head) = head else { return prove(None).await.map(|made| RecentProof { made, until: Instant::now() }) };
        // The root identifies the entry and all entries before it.
        let name = format!("{} {} {} {model_type} {game:?} {size:?}", head.sport, head.generation, head.root);
        let place = self.kept.result(ObjectHash::from_bytes(name.as_bytes()), Box::pin(async { Ok(Arc::default()) }));
        let place = place.await?;
        let mut kept = place.made.lock().await;
        let (listing, end) = self.listings.with_end(head.sport).await?;
        if let Some(made) = kept.as_ref().filter(|made| made.candidates.are_those_of(&listing)) {
            return Ok(RecentProof { made: Arc::clone(made), until: end });
        }
        let (made, end) = match prove(Some(&listing)).await {
            // The checkpoint may have been signed since.
            Err(ProofError::Refused(NoProof::NotSigned(_) | NoProof::NoSuchSize { .. })) => {
                (prove(None).await?, Instant::now())
            }
            made => (made?, end),
        };
        let weight = made.text.len() + size_of_val(&*made.timestamps) + made.candidates.weight();
        place.weight.store(size_of::<MadeProof>() + weight, Ordering::Relaxed);
        *kept = Some(Arc::clone(&made));
        Ok(RecentProof { made, until: end })
    }
}
