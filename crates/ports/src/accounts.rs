//! Customers and their API keys.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{Customer, CustomerId, KeyDigest, KeyName, KeyRecord, Plan};

use crate::PortError;

/// The customers with an account.
///
/// # Contract
///
/// - A customer is found and listed exactly as created. Times keep their microseconds; anything finer may be lost.
/// - An unknown id is `Ok(None)`.
/// - No two customers share an email or an id. A creation that would violate this changes nothing.
/// - A change of plan changes the plan of that customer and nothing else, and is visible in every key's holder.
/// - Customers are listed by creation time, then by id.
#[async_trait]
pub trait Customers: Send + Sync {
    /// Creates an account.
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError>;

    /// Returns the customer with this id.
    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError>;

    /// Changes a customer's plan; `None` removes it.
    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError>;

    /// Lists every customer.
    async fn list(&self) -> Result<Vec<Customer>, PortError>;
}

/// The outcome of creating a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum CustomerCreation {
    /// The account was created.
    Created,
    /// Another customer has this email.
    EmailTaken,
    /// A customer with this id exists; the caller draws another.
    IdTaken,
}

/// The outcome of a change of plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PlanChange {
    /// The customer has the new plan.
    Changed,
    /// The customer does not exist.
    NoSuchCustomer,
}

/// Every key ever issued, by digest.
///
/// "Active" is defined by [`KeyRecord::is_active`] at the given time. A change is visible to every process that shares
/// the ring once its call returns.
///
/// # Contract
///
/// - A key's holder is found with the key exactly as issued, whether the key is active, expired or revoked: the caller
///   decides by its own clock. Times keep their microseconds; anything finer may be lost.
/// - An unknown digest is `Ok(None)`.
/// - A lookup of several digests returns their holders in the same order, each as a single lookup would.
/// - A customer's keys are listed, active or not, by creation time, then by digest. A customer without keys, or an
///   unknown customer, has an empty list.
/// - A key is issued to a customer who exists, under a digest that no key has, while the customer has fewer than
///   [`MAX_ACTIVE_KEYS`](sports_accounts::MAX_ACTIVE_KEYS) active at the new key's creation time; otherwise nothing
///   changes. This holds however many callers race, from one process or several.
/// - A revocation marks a key of that customer that is active at the given time, and no other. If callers race to
///   revoke one key, exactly one call returns [`KeyRevocation::Revoked`].
/// - A renaming changes the name of a key of that customer, active or not, and nothing else.
#[async_trait]
pub trait KeyRing: Send + Sync {
    /// Returns the holder of the key with this digest.
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError>;

    /// Returns the holders of the keys with these digests. A ring that supports it uses a single query.
    async fn holders(&self, digests: &[KeyDigest]) -> Result<Vec<Option<Arc<KeyHolder>>>, PortError> {
        let mut holders = Vec::with_capacity(digests.len());
        for digest in digests {
            holders.push(self.holder(digest).await?);
        }
        Ok(holders)
    }

    /// Lists a customer's keys.
    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError>;

    /// Records a new key.
    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError>;

    /// Renames a customer's key.
    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError>;

    /// Revokes a customer's key permanently.
    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError>;
}

/// A key with its customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The customer who holds the key.
    pub customer: Customer,
    /// The key.
    pub key: KeyRecord,
}

/// The outcome of issuing a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyIssue {
    /// The key is on record.
    Issued,
    /// The customer has the maximum number of active keys.
    LimitReached,
    /// The customer does not exist.
    UnknownCustomer,
    /// A key with this digest is on record; the caller draws another.
    AlreadyIssued,
}

/// The outcome of a renaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRenaming {
    /// The key has the new name.
    Renamed,
    /// The customer has no such key.
    NoSuchKey,
}

/// The outcome of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRevocation {
    /// The key was active and is revoked now.
    Revoked,
    /// The customer has no such key, or it was revoked or expired before.
    NotActive,
}
