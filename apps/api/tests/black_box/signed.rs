//! The trees of a site, signed and cosigned with keys of the tests.

use bytes::Bytes;
use serde_json::Value;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::publication::{ObjectKind, Objects as _, PublicationLog as _};
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles as _};
use sports_publication::Generation;
use sports_store::ArtifactStore;
use sports_transparency::{Checkpoint, KeyKind, PublishedKey, SignatureLine, SignedCheckpoint, SigningKey};

use crate::places;
use crate::service::Site;

/// The common name of the logs.
pub const ORIGIN: &str = "example.com/api/v1/record";

/// The name of the witness.
pub const WITNESS: &str = "witness.example.org";

/// The time of the cosignature, in seconds since 1970: 2024-01-06T15:00:02Z.
pub const COSIGNED: u64 = 1_704_553_202;

/// The content of the timestamp, which the server does not read.
pub const TIMESTAMP: &[u8] = b"a reply of a timestamp server";

/// The store of a site, with the keys of a log of the NFL and of a witness.
pub struct Signer {
    pub store: ArtifactStore,
    pub log: SigningKey,
    pub witness: SigningKey,
}

fn key(name: &str, kind: KeyKind, seed: u8) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[seed; SigningKey::SEED]).expect("a key")
}

/// Signs the newest tree of a site, with a cosignature and a timestamp.
pub async fn sign(site: &Site) -> SignedCheckpoint {
    let signer = Signer::of(site).await;
    let checkpoint = signer.checkpoint().await;
    let note = signer.put(&checkpoint, &[signer.witness.cosign(&checkpoint, COSIGNED)]).await;
    signer.put_file(checkpoint.size, CheckpointKind::Timestamp, TIMESTAMP).await;
    note
}

impl Signer {
    /// Creates the signer of a site's first record, and publishes its key.
    pub async fn of(site: &Site) -> Self {
        Self::of_record(site, 1, ORIGIN).await
    }

    /// Creates the signer of a record by its number, and publishes its key.
    pub async fn of_record(site: &Site, record: u32, origin: &str) -> Self {
        let store = ArtifactStore::open(&format!("file:{}", places::store(&site.place).display())).expect("a store");
        let seed = u8::try_from(record).expect("a small number");
        let log = key(&format!("{origin}/nfl"), KeyKind::Log, seed);
        let published = PublishedKey {
            vkey: log.verifier().clone(),
            since: "2024-01-06T15:00:00Z".parse().expect("an instant"),
            record: record.try_into().expect("from 1"),
            replaces: None,
        };
        let file = RecordFile::Key(log.verifier().id());
        let _ = store.put_record_file(&file, published.to_string().into()).await.expect("stored");
        Self { store, log, witness: key(WITNESS, KeyKind::Witness, 200) }
    }

    /// Returns the checkpoint of the newest tree.
    pub async fn checkpoint(&self) -> Checkpoint {
        let newest = self.store.numbers(Sport::Nfl).await.expect("a log").last().copied().expect("an entry");
        self.checkpoint_of(newest).await
    }

    /// Returns the checkpoint of an entry's tree.
    pub async fn checkpoint_of(&self, generation: Generation) -> Checkpoint {
        let entry = self.store.entry(Sport::Nfl, generation).await.expect("reads").expect("an entry");
        let edge = entry.catalog.tree.expect("a tree").edge;
        Checkpoint { origin: self.log.verifier().name().clone(), size: edge.size(), root: edge.root() }
    }

    /// Signs a checkpoint, and stores it with further signatures.
    pub async fn put(&self, checkpoint: &Checkpoint, others: &[SignatureLine]) -> SignedCheckpoint {
        let lines = [&[self.log.sign(checkpoint)], others].concat();
        let note = SignedCheckpoint::new(checkpoint.clone(), &lines);
        self.put_file(checkpoint.size, CheckpointKind::Note, note.to_string().as_bytes()).await;
        note
    }

    /// Stores a file about the tree of a size.
    pub async fn put_file(&self, size: u64, kind: CheckpointKind, content: &[u8]) {
        let file = CheckpointFile { size, kind, content: ObjectHash::from_bytes(content) };
        let file = RecordFile::Checkpoint(Sport::Nfl, file);
        let _ = self.store.put_record_file(&file, Bytes::copy_from_slice(content)).await.expect("stored");
    }

    /// Returns the texts of all leaves, as the objects that entries name have them.
    pub async fn leaves(&self) -> Vec<String> {
        let mut leaves = Vec::new();
        for number in self.store.numbers(Sport::Nfl).await.expect("a log") {
            let entry = self.store.entry(Sport::Nfl, number).await.expect("reads").expect("an entry");
            let named = entry.catalog.tree.expect("a tree").leaves;
            let object = self.store.get(Sport::Nfl, ObjectKind::Json, &named.object).await.expect("reads");
            let object: Value = serde_json::from_slice(&object.expect("an object")).expect("JSON");
            let texts = object["leaves"].as_array().expect("leaves").iter();
            leaves.extend(texts.map(|leaf| leaf.as_str().expect("text").to_owned()));
        }
        leaves
    }
}
