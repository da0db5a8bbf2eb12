use chrono::{DateTime, Utc};

use crate::{ApiKey, ClientNetwork, KeyDigest, KeyName, KeyScope, MaskedKey, Networks};

/// The maximum number of active keys of one customer.
pub const MAX_ACTIVE_KEYS: usize = 25;

/// The stored data of a key, without the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The form that the owner sees.
    pub masked: MaskedKey,
    /// The key's hash, which identifies it.
    pub digest: KeyDigest,
    /// The name that its owner gave it.
    pub name: KeyName,
    /// The time at which it was issued.
    pub created_at: DateTime<Utc>,
    /// The instant from which it is not valid; `None` if it does not expire.
    pub expires_at: Option<DateTime<Utc>>,
    /// The time of its revocation, if revoked.
    pub revoked_at: Option<DateTime<Utc>>,
    /// The operations that it may call.
    pub scope: KeyScope,
    /// The networks that it works from; every network if there are none.
    pub allowed_networks: Networks,
    /// The creator: `operator`, or the masked key of a customer's request. `None` for a key from before creators were recorded.
    pub created_by: Option<String>,
    /// The last use, at most about a minute behind; `None` before the first.
    pub last_use: Option<KeyUse>,
}

/// A use of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    pub at: DateTime<Utc>,
    /// The network of the client.
    pub network: ClientNetwork,
}

impl KeyRecord {
    /// Creates the record of a new key, which may call everything from everywhere.
    pub fn issued(key: &ApiKey, name: KeyName, now: DateTime<Utc>, expires_at: Option<DateTime<Utc>>) -> Self {
        Self {
            masked: key.masked(),
            digest: key.digest(),
            name,
            created_at: now,
            expires_at,
            revoked_at: None,
            scope: KeyScope::Full,
            allowed_networks: Networks::default(),
            created_by: None,
            last_use: None,
        }
    }

    /// Returns `true` if the key is valid at `now`: not revoked and not expired.
    ///
    /// A revoked key is invalid at any `now`: machines may disagree about the time, and none of them may make a key
    /// valid again.
    pub fn is_active(&self, now: DateTime<Utc>) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{a_key_record, second};

    #[test]
    fn a_key_works_until_it_expires_or_is_revoked() {
        let forever = a_key_record().build();
        let expiring = a_key_record().expiring(second(10)).build();
        let revoked = a_key_record().revoked(second(10)).build();
        let table = [
            (&forever, second(0), true),
            (&forever, second(1_000_000_000), true),
            (&expiring, second(9), true),
            (&expiring, second(10), false),
            (&expiring, second(11), false),
            (&revoked, second(9), false),
            (&revoked, second(10), false),
        ];
        for (key, now, active) in table {
            assert_eq!(key.is_active(now), active, "{key:?} at {now}");
        }
    }
}
