//! The parts of signing: keys, the memory of this machine, witnesses and timestamp servers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::attestation::{TimestampServer, Witness};
use sports_ports::signing::SigningMemories;

use super::keys::LogKeys;

/// The signing of trees by a publisher.
#[derive(Clone)]
pub enum TreeSigning {
    /// Tiles are stored, and nothing is signed.
    Off,
    /// Trees are signed by the keys of their leagues.
    With(Arc<Signing>),
}

/// The keys that sign, and the others who attest to the time.
pub struct Signing {
    /// The keys of each league's log.
    pub keys: BTreeMap<Sport, LogKeys>,
    /// The memory of this machine.
    pub memories: Arc<dyn SigningMemories>,
    pub witnesses: Vec<Arc<dyn Witness>>,
    pub servers: Vec<Arc<dyn TimestampServer>>,
    /// The limit on all requests to one of them together.
    pub timeout: Duration,
}

impl TreeSigning {
    /// Returns the keys of a league, with the others who attest; `None` if its tree is not signed.
    pub(super) fn of(&self, sport: Sport) -> Option<(&Signing, &LogKeys)> {
        match self {
            Self::Off => None,
            Self::With(signing) => signing.keys.get(&sport).map(|keys| (&**signing, keys)),
        }
    }
}
