//! Reading and writing of odds, predictions and openers: bytes in the store, games from the codec.

use std::sync::{Arc, Mutex, PoisonError};

use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::{Ledgers, NoPlace, Sought, unreadable_entry};
use sports_ports::PortError;
use sports_ports::publication::{ObjectKind, Objects, SlateCodec};
use sports_publication::registry::Registry;
use sports_publication::{
    ArtifactRef, Catalog, EntryLeaves, Generation, LeavesEntry, ModelsEntry, Odds, Openers, Predictions, SlateArtifact,
};

use crate::record::archives::expect_size;

const PORT: &str = "the object store";

/// The slate artifacts of one store.
#[derive(Clone)]
pub struct Slates {
    objects: Arc<dyn Objects>,
    codec: Arc<dyn SlateCodec>,
    /// The leaves that were stored last: the signer of an entry needs those of its publisher.
    stored_leaves: Arc<Mutex<Option<(ObjectHash, EntryLeaves)>>>,
}

impl Slates {
    /// Creates a reader and writer of artifacts stored in `objects` and encoded by `codec`.
    pub fn new(objects: Arc<dyn Objects>, codec: Arc<dyn SlateCodec>) -> Self {
        Self { objects, codec, stored_leaves: Arc::default() }
    }

    /// Reads odds.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if the artifact is missing or
    /// differs from the catalog.
    pub async fn odds(&self, sport: Sport, artifact: &ArtifactRef) -> Result<Odds, PortError> {
        match self.read(sport, artifact).await? {
            SlateArtifact::Odds(odds) => Ok(odds),
            other => Err(another_kind(&other)),
        }
    }

    /// Reads predictions.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::odds`].
    pub async fn predictions(&self, sport: Sport, artifact: &ArtifactRef) -> Result<Predictions, PortError> {
        match self.read(sport, artifact).await? {
            SlateArtifact::Predictions(predictions) => Ok(predictions),
            other => Err(another_kind(&other)),
        }
    }

    /// Reads first quotes.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::odds`].
    pub async fn openers(&self, sport: Sport, artifact: &ArtifactRef) -> Result<Openers, PortError> {
        match self.read(sport, artifact).await? {
            SlateArtifact::Openers(openers) => Ok(openers),
            other => Err(another_kind(&other)),
        }
    }

    /// Reads the registry of models.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::odds`].
    pub async fn models(&self, sport: Sport, named: &ModelsEntry) -> Result<Registry, PortError> {
        match self.read_object(sport, &named.object, named.bytes).await? {
            SlateArtifact::Models(registry) => Ok(registry),
            other => Err(another_kind(&other)),
        }
    }

    /// Reads the registry of an entry; the empty registry if the league has declared nothing.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::odds`].
    pub async fn registry(&self, catalog: &Catalog) -> Result<Registry, PortError> {
        match &catalog.models {
            Some(named) => self.models(catalog.sport, named).await,
            None => Ok(Registry::default()),
        }
    }

    /// Reads the leaves that an entry adds to the tree.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::odds`].
    pub async fn leaves(&self, sport: Sport, named: &LeavesEntry) -> Result<EntryLeaves, PortError> {
        if let Some(leaves) = self.stored_leaves(&named.object) {
            return Ok(leaves);
        }
        match self.read_object(sport, &named.object, named.bytes).await? {
            SlateArtifact::Leaves(leaves) => Ok(leaves),
            other => Err(another_kind(&other)),
        }
    }

    /// Returns the leaves that were stored last, if they are those of this object.
    fn stored_leaves(&self, object: &ObjectHash) -> Option<EntryLeaves> {
        let stored = self.stored_leaves.lock().unwrap_or_else(PoisonError::into_inner);
        stored.as_ref().filter(|(of, _)| of == object).map(|(_, leaves)| leaves.clone())
    }

    /// Stores the leaves that an entry adds to the tree.
    pub(crate) async fn write_leaves(&self, sport: Sport, leaves: EntryLeaves) -> Result<LeavesEntry, PortError> {
        let artifact = SlateArtifact::Leaves(leaves);
        let (object, bytes) = self.write(sport, &artifact).await?;
        if let SlateArtifact::Leaves(leaves) = artifact {
            *self.stored_leaves.lock().unwrap_or_else(PoisonError::into_inner) = Some((object, leaves));
        }
        Ok(LeavesEntry { object, bytes })
    }

    /// Stores an artifact; returns its hash and size.
    pub(crate) async fn write(&self, sport: Sport, artifact: &SlateArtifact) -> Result<(ObjectHash, u64), PortError> {
        let bytes = self.codec.encode(sport, artifact)?;
        let size = bytes.len() as u64;
        Ok((self.objects.put(sport, ObjectKind::Json, bytes).await?, size))
    }

    /// Checks that an object can be read and is of the expected kind.
    pub(crate) async fn verified(
        &self,
        sport: Sport,
        object: &ObjectHash,
        size: u64,
        is_expected: fn(&SlateArtifact) -> bool,
    ) -> Result<(), PortError> {
        let artifact = self.read_object(sport, object, size).await?;
        if is_expected(&artifact) { Ok(()) } else { Err(another_kind(&artifact)) }
    }

    async fn read(&self, sport: Sport, artifact: &ArtifactRef) -> Result<SlateArtifact, PortError> {
        self.read_object(sport, &artifact.object, artifact.bytes).await
    }

    async fn read_object(&self, sport: Sport, object: &ObjectHash, size: u64) -> Result<SlateArtifact, PortError> {
        match self.objects.get(sport, ObjectKind::Json, object).await? {
            Some(bytes) => {
                expect_size(&bytes, size)?;
                self.codec.decode(sport, &bytes)
            }
            None => Err(PortError::corrupt(PORT, format!("the object {object} of {sport} is missing"))),
        }
    }
}

fn another_kind(artifact: &SlateArtifact) -> PortError {
    let kind = match artifact {
        SlateArtifact::Odds(_) => "odds",
        SlateArtifact::Predictions(_) => "predictions",
        SlateArtifact::Openers(_) => "openers",
        SlateArtifact::Models(_) => "models",
        SlateArtifact::Leaves(_) => "leaves",
    };
    PortError::corrupt(PORT, format!("an object holds {kind} and is named as something else"))
}

/// Reads the leaves that an entry adds to the tree; `None` for a number without an entry and for an entry from before the tree.
///
/// # Errors
///
/// [`PortError`] if the entry or its leaves cannot be read.
pub async fn leaves_of(
    ledgers: &Ledgers,
    slates: &Slates,
    sport: Sport,
    generation: Generation,
) -> Result<Option<EntryLeaves>, PortError> {
    let tree = match ledgers.of(sport).find(Sought::Number(generation)).await? {
        Ok(place) => place.facts.tree,
        Err(NoPlace::Unreadable(number)) => return Err(unreadable_entry(sport, number)),
        Err(_) => None,
    };
    match tree {
        Some(tree) => slates.leaves(sport, &tree.leaves).await.map(Some),
        None => Ok(None),
    }
}
