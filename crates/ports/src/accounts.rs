//! Customers and the keys they hold.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{Customer, CustomerId, KeyDigest, KeyName, KeyRecord, Plan};

use crate::PortError;

/// The customers with an account.
///
/// # Contract
///
/// - A customer is found and listed exactly as created. Times keep their microseconds; anything finer
///   may be lost.
/// - An id that no customer has is `Ok(None)`.
/// - No two customers share an email or an id. A creation that would make them do so changes nothing.
/// - A change of plan changes the plan of that customer and nothing else, and shows in every key's holder.
/// - Customers are listed in the order of their creation times, equal times by id.
#[async_trait]
pub trait Customers: Send + Sync {
    /// Opens an account.
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError>;

    /// The customer with this id.
    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError>;

    /// Puts a customer on another plan, or on none.
    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError>;

    /// Every customer.
    async fn list(&self) -> Result<Vec<Customer>, PortError>;
}

/// What became of a new customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum CustomerCreation {
    /// The account is open.
    Created,
    /// Another customer has this email.
    EmailTaken,
    /// A customer with this id exists; draw another.
    IdTaken,
}

/// What became of a change of plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum PlanChange {
    /// The customer is on that plan.
    Changed,
    /// There is no such customer.
    NoSuchCustomer,
}

/// Every key ever issued, by digest.
///
/// "Active" is what [`KeyRecord::is_active`] says at the time given. A change is on record, for every
/// process that shares the ring, once its call returns.
///
/// # Contract
///
/// - A key's holder is found with the key exactly as issued, whether it is active, expired or revoked:
///   the caller decides with its own clock. Times keep their microseconds; anything finer may be lost.
/// - A digest that was never issued is `Ok(None)`.
/// - Several digests asked for at once are answered in their order, each as it would be alone.
/// - A customer's keys are listed active or not, in the order of their creation times, equal times by
///   digest. A customer without keys, or one that does not exist, has an empty list.
/// - A key is issued to a customer who exists, under a digest that no key has, while the customer has
///   fewer than [`MAX_ACTIVE_KEYS`](sports_accounts::MAX_ACTIVE_KEYS) active at the new key's creation
///   time; otherwise nothing changes. This holds however many callers race, from one process or several.
/// - A revocation marks a key of that customer that is active at the given time, and only such a key.
///   When callers race to revoke one key, exactly one call answers that it did.
/// - A renaming changes the name of a key of that customer, active or not, and nothing else of it.
#[async_trait]
pub trait KeyRing: Send + Sync {
    /// Who holds the key with this digest.
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError>;

    /// Who holds the keys with these digests. A ring that can ask for all of them in one go does.
    async fn holders(&self, digests: &[KeyDigest]) -> Result<Vec<Option<Arc<KeyHolder>>>, PortError> {
        let mut holders = Vec::with_capacity(digests.len());
        for digest in digests {
            holders.push(self.holder(digest).await?);
        }
        Ok(holders)
    }

    /// A customer's keys.
    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError>;

    /// Puts a new key on record.
    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError>;

    /// Gives a customer's key another name.
    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError>;

    /// Makes a customer's key unusable for good.
    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError>;
}

/// A key and the customer who may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// Whose key it is.
    pub customer: Customer,
    /// The key.
    pub key: KeyRecord,
}

/// What became of a new key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyIssue {
    /// It is on record.
    Issued,
    /// The customer holds as many active keys as one may.
    LimitReached,
    /// There is no such customer.
    UnknownCustomer,
    /// A key with this digest is on record; draw another.
    AlreadyIssued,
}

/// What became of a renaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRenaming {
    /// The key has the new name.
    Renamed,
    /// The customer has no such key.
    NoSuchKey,
}

/// What became of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRevocation {
    /// The key was active and is no longer.
    Revoked,
    /// The customer has no such key, or it was revoked or expired before.
    NotActive,
}
