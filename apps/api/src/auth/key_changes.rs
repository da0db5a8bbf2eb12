use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_accounts::Actor;
use sports_ports::accounts::KeyRing;

use super::scope::Caller;

/// The key ring for changes by customers, which the audit log has under their names.
pub struct KeyChanges(Box<dyn Fn(Actor) -> Arc<dyn KeyRing> + Send + Sync>);

impl KeyChanges {
    /// Creates changes through the ring that `acting` returns for an actor.
    pub fn new(acting: impl Fn(Actor) -> Arc<dyn KeyRing> + Send + Sync + 'static) -> Self {
        Self(Box::new(acting))
    }

    /// Returns the ring for changes of a caller.
    pub fn by(&self, caller: &Caller, at: DateTime<Utc>) -> Arc<dyn KeyRing> {
        (self.0)(Actor::customer(caller.holder.customer.id, &caller.holder.key, caller.address, at))
    }
}
