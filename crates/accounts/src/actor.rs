use std::net::IpAddr;

use chrono::{DateTime, Utc};

use crate::{ClientNetwork, CustomerId, KeyDigest, KeyRecord};

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
