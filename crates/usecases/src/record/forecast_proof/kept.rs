//! Proofs in memory. A proof is made again when another checkpoint may take the place of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use sports_content::ObjectHash;
use sports_domain::ModelType;
use sports_ports::answers::Answers;
use sports_ports::seasons::Weighed;
use sports_publication::{Catalog, SeasonArchive};
use tokio::time::Instant;

use super::candidates::Candidates;
use super::{ForecastProofs, ProofError};
use crate::game_histories::GameName;
use crate::record::TreeHead;
use crate::record::recent::Recent;

/// The proofs of forecasts as texts, those made last in memory. The files among which a checkpoint is chosen are listed at most
/// once a second for each proof.
pub struct KeptProofs<V> {
    proofs: Arc<ForecastProofs<V>>,
    kept: Arc<dyn Answers<KeptProof>>,
    /// The number of places in memory so far, those that were dropped included.
    places: Arc<AtomicU64>,
}

/// A proof as a text, and the time in which it may be repeated.
pub struct RecentProof {
    /// The proof.
    pub text: Arc<str>,
    until: Instant,
    places: Arc<AtomicU64>,
    places_before: u64,
}

impl RecentProof {
    /// Returns a check that is true as long as no request can have been answered from files that were listed later than those of
    /// this proof: for a second, unless any proof gets another place in memory.
    pub fn repeatable(&self) -> impl Fn() -> bool + use<> {
        let (until, places, before) = (self.until, Arc::clone(&self.places), self.places_before);
        move || Instant::now() < until && places.load(Ordering::SeqCst) == before
    }
}

/// The place of one proof in memory.
#[derive(Default)]
pub struct KeptProof {
    made: Recent<Arc<MadeProof>>,
    weight: AtomicUsize,
}

struct MadeProof {
    text: Arc<str>,
    candidates: Candidates,
}

impl Weighed for KeptProof {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.weight.load(Ordering::Relaxed)
    }
}

impl<V: AsRef<SeasonArchive> + Send + Sync> KeptProofs<V> {
    /// Creates the texts of these proofs, which `kept` has in memory.
    #[must_use]
    pub fn new(proofs: Arc<ForecastProofs<V>>, kept: Arc<dyn Answers<KeptProof>>) -> Self {
        Self { proofs, kept, places: Arc::default() }
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
        let prove = || async {
            let names = std::slice::from_ref(game);
            let (proof, candidates) = self.proofs.made((newest, head.as_ref()), model_type, names, size).await?;
            Ok::<_, ProofError>(Arc::new(MadeProof { text: proof.to_string().into(), candidates }))
        };
        let places_before = self.places.load(Ordering::SeqCst);
        let recent = |(made, until): (Arc<MadeProof>, Instant)| {
            let (text, places) = (Arc::clone(&made.text), Arc::clone(&self.places));
            RecentProof { text, until, places, places_before }
        };
        let Some(head) = head else { return Ok(recent((prove().await?, Instant::now()))) };
        // The root identifies the entry and all entries before it.
        let name = format!("{} {} {} {model_type} {game:?} {size:?}", head.sport, head.generation, head.root);
        let place = self.kept.answer(ObjectHash::from_bytes(name.as_bytes()), Box::pin(async { Ok(self.new_place()) }));
        let place = place.await?;
        let made = place.made.with_end(|before: Option<Arc<MadeProof>>| async {
            if let Some(before) = before
                && before.candidates.are_current(self.proofs.reader().files(), head.sport).await?
            {
                return Ok(before);
            }
            let made = prove().await?;
            place.weight.store(size_of::<MadeProof>() + made.text.len() + made.candidates.weight(), Ordering::Relaxed);
            Ok::<_, ProofError>(made)
        });
        made.await.map(recent)
    }

    fn new_place(&self) -> Arc<KeptProof> {
        self.places.fetch_add(1, Ordering::SeqCst);
        Arc::default()
    }
}
