//! The key of a demo, with which it signs the records of its world.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_program::settings::Settings;
use sports_program::{SystemClock, SystemRandom};
use sports_record_signing::keys::{KeyFile, KeyFileError, MemoryFiles};
use sports_store::{ArtifactStore, JsonSlates};
use sports_transparency::{Origin, VerifierKey};
use sports_usecases::record::{Slates, TreeReader};
use sports_usecases::signing::{Completed, LogKeys, RecordSigner, Signing, TreeSigning};

use crate::failure::Failure;

/// The key file in a demo's folder.
const KEY_FILE: &str = "record.key";

/// The common name of a demo's logs, unless the settings name one. The domain has no owner.
const ORIGIN: &str = "demo.example/api/v1/record";

/// The signer of a demo's records. No witness attests to a simulated world.
pub(super) struct DemoSigner(RecordSigner);

impl DemoSigner {
    /// Opens the key in a demo's folder; makes it at the first start.
    pub(super) fn open(settings: &Settings, store: &ArtifactStore, folder: &Path) -> Result<Self, Failure> {
        let origin = settings.record_origin().map_or_else(|| ORIGIN.parse(), Ok)?;
        let path = folder.join(KEY_FILE);
        let (file, memories) = (key_file(&path, &origin)?, Arc::new(MemoryFiles::beside(&path)));
        let keys = Sport::ALL.map(|sport| {
            let newest = file.newest(origin.log(sport))?;
            Ok::<_, Failure>((sport, LogKeys { newest, earlier: Vec::new() }))
        });
        let keys = keys.into_iter().collect::<Result<_, _>>()?;
        let timeout = settings.record.timeout;
        let signing = Signing { keys, memories, witnesses: Vec::new(), servers: Vec::new(), timeout };
        let store = Arc::new(store.clone());
        let tree = TreeReader::new(store.clone(), Slates::new(store.clone(), Arc::new(JsonSlates)), store);
        let clock = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        Ok(Self(RecordSigner::new(tree, clock, Arc::new(SystemRandom), TreeSigning::With(Arc::new(signing)))))
    }

    /// Returns the keys of a league, which its entries announce.
    pub(super) async fn keys(&self, sport: Sport) -> Result<Vec<VerifierKey>, PortError> {
        self.0.keys(sport).await
    }

    /// Signs the newest tree of a league. If that fails, it is logged, and the next release is signed instead.
    pub(super) async fn sign(&self, sport: Sport) {
        let Completed { warnings, unsigned, .. } = self.0.complete(sport).await;
        for reason in warnings.into_iter().chain(unsigned) {
            tracing::warn!(%sport, reason, "the record of the demo is not complete");
        }
    }
}

/// Reads the key file, or makes it.
fn key_file(path: &Path, origin: &Origin) -> Result<KeyFile, Failure> {
    match KeyFile::read(path) {
        Err(KeyFileError::Unreadable { source, .. }) if source.kind() == ErrorKind::NotFound => {}
        read => return Ok(read?),
    }
    let made = KeyFile::create(path, &SystemRandom)?;
    MemoryFiles::beside(path).begin(Sport::ALL.map(|sport| origin.log(sport)))?;
    Ok(made)
}
