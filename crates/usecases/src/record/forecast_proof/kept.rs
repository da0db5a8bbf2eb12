//! Proofs in memory. A proof is made again when another checkpoint may take the place of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sports_content::ObjectHash;
use sports_domain::ModelType;
use sports_ports::answers::Answers;
use sports_ports::seasons::Weighed;
use sports_publication::{Catalog, SeasonArchive};

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
    pub const fn new(proofs: Arc<ForecastProofs<V>>, kept: Arc<dyn Answers<KeptProof>>) -> Self {
        Self { proofs, kept }
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
    ) -> Result<Arc<str>, ProofError> {
        let prove = || async {
            let names = std::slice::from_ref(game);
            let (proof, candidates) = self.proofs.made(newest, model_type, names, size).await?;
            Ok::<_, ProofError>(MadeProof { text: proof.to_string().into(), candidates })
        };
        let Some(head) = TreeHead::of(newest) else { return Ok(prove().await?.text) };
        // The root identifies the entry and for all entries before it.
        let name = format!("{} {} {} {model_type} {game:?} {size:?}", head.sport, head.generation, head.root);
        let place = self.kept.answer(ObjectHash::from_bytes(name.as_bytes()), Box::pin(async { Ok(Arc::default()) }));
        let place = place.await?;
        let made = place.made.get(|before: Option<Arc<MadeProof>>| async {
            if let Some(before) = before
                && before.candidates.are_current(self.proofs.reader().files(), head.sport).await?
            {
                return Ok(before);
            }
            let made = prove().await?;
            place.weight.store(size_of::<MadeProof>() + made.text.len() + made.candidates.weight(), Ordering::Relaxed);
            Ok::<_, ProofError>(Arc::new(made))
        });
        Ok(Arc::clone(&made.await?.text))
    }
}
