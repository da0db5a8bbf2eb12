use chrono::{DateTime, Utc};

use crate::{ApiKey, KeyDigest, KeyName, MaskedKey};

/// How many active keys one customer may hold.
pub const MAX_ACTIVE_KEYS: usize = 25;

/// Everything that is kept about a key. The key itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// What the owner sees in place of the key.
    pub masked: MaskedKey,
    /// The key's hash, which identifies it.
    pub digest: KeyDigest,
    /// The name that its owner gave it.
    pub name: KeyName,
    /// When it was issued.
    pub created_at: DateTime<Utc>,
    /// The instant from which it is no longer valid; `None` where it has no end.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl KeyRecord {
    /// The record of a key that has just been made.
    #[must_use]
    pub fn issued(key: &ApiKey, name: KeyName, now: DateTime<Utc>, expires_at: Option<DateTime<Utc>>) -> Self {
        Self { masked: key.masked(), digest: key.digest(), name, created_at: now, expires_at, revoked_at: None }
    }

    /// Whether the key opens anything at `now`: not revoked, and before its expiry.
    ///
    /// A revoked key stays revoked whatever the clock says: machines may disagree about the time, and
    /// none of them may bring a key back.
    #[must_use]
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
