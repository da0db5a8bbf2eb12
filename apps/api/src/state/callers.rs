use std::num::NonZeroU32;
use std::sync::Arc;

use sports_accounts::{Actor, Limits};
use sports_http_transport::ProxyTrust;
use sports_ports::accounts::KeyRing;
use sports_ports::metering::{AddressLimit, Meter};
use sports_usecases::key_uses::CommittedKeyUses;

/// The parts that admit callers.
pub struct Callers {
    pub keys: Arc<dyn KeyRing>,
    pub key_changes: KeyChanges,
    pub key_uses: Arc<CommittedKeyUses>,
    pub meter: Arc<dyn Meter>,
    /// The limit on calls without a key.
    pub addresses: Arc<dyn AddressLimit>,
    /// The limit on calls with an invalid key.
    pub failed_keys: Arc<dyn AddressLimit>,
    pub limits: CallLimits,
    pub proxies: Arc<ProxyTrust>,
}

/// The numbers of calls that are admitted.
#[derive(Debug, Clone, Copy)]
pub struct CallLimits {
    /// The limits of a customer.
    pub customer: Limits,
    /// The calls of an address without a key, within any one second.
    pub public_per_second: NonZeroU32,
    /// The calls of an address with an invalid key, within any one second.
    pub failed_keys_per_second: NonZeroU32,
    /// The keys that a customer can create within any one minute.
    pub key_creations_per_minute: NonZeroU32,
}

/// The key ring for changes by customers, which the audit log has under their names.
pub struct KeyChanges(Box<dyn Fn(Actor) -> Arc<dyn KeyRing> + Send + Sync>);

impl KeyChanges {
    /// Creates changes through the ring that `acting` returns for an actor.
    pub fn new(acting: impl Fn(Actor) -> Arc<dyn KeyRing> + Send + Sync + 'static) -> Self {
        Self(Box::new(acting))
    }

    /// Returns the ring for changes of an actor.
    pub fn by(&self, actor: Actor) -> Arc<dyn KeyRing> {
        (self.0)(actor)
    }
}
