use std::net::IpAddr;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_domain::{FormError, Label};

use crate::{ApiKey, ClientNetwork, CustomerId, KeyDigest, MaskedKey, Networks};

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

/// The operations that a key may call, from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyScope {
    /// Published data.
    Read,
    /// The same, the account, its keys and its datasets.
    Full,
}

const UNKNOWN_SCOPE: FormError = FormError::fixed("a scope is read or full");

impl KeyScope {
    /// Every scope, the narrowest first.
    pub const ALL: [Self; 2] = [Self::Read, Self::Full];

    /// Returns the scope's code: `read` or `full`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Full => "full",
        }
    }
}

impl FromStr for KeyScope {
    type Err = FormError;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scope| scope.code() == raw).ok_or(UNKNOWN_SCOPE)
    }
}

/// The person behind a change of accounts, for the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The person: an operator by the name of the operating system's user, or a customer with the masked key.
    pub name: String,
    /// The place: a machine, or the network of a client.
    pub place: String,
    /// The time of the change.
    pub at: DateTime<Utc>,
    /// The key that authenticates the change. Once it is revoked, the change is refused.
    pub key: Option<KeyDigest>,
}

impl Actor {
    /// Returns an operator, by the user and the machine of the program.
    pub fn operator(user: &str, machine: String, at: DateTime<Utc>) -> Self {
        Self { name: format!("operator {user}"), place: machine, at, key: None }
    }

    /// Returns a customer who sent a request with a key from an address.
    pub fn customer(customer: CustomerId, key: &KeyRecord, address: IpAddr, at: DateTime<Utc>) -> Self {
        let place = ClientNetwork::from(address).to_string();
        Self { name: format!("{customer} {}", key.masked), place, at, key: Some(key.digest) }
    }
}

/// An entry of the audit log. It has no personal data but ids, because it outlives its customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The time of the change.
    pub at: DateTime<Utc>,
    /// The person: [`Actor::name`].
    pub actor: String,
    /// The place: [`Actor::place`].
    pub place: String,
    /// The kind of change, such as `key.revoke`.
    pub action: String,
    /// The customer that it concerns, if it concerns one.
    pub customer: Option<CustomerId>,
    /// The changed thing, such as a masked key.
    pub detail: String,
}

/// The name that a customer gave a key.
pub type KeyName = Label<64>;

/// The name of the person or company behind an account.
pub type CustomerName = Label<100>;

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
