//! Customers and their API keys.

use std::num::NonZeroU32;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use sports_accounts::{Customer, CustomerId, Email, KeyDigest, KeyName, KeyRecord, KeyUse, Plan};

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
/// - A change of the email changes nothing else, and nothing at all if another customer has the email.
/// - A deletion removes a customer with all keys and entitlements, and nothing of another customer. Counts of calls and of
///   refreshes stay. The email can be used again.
#[async_trait]
pub trait Customers: Send + Sync {
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError>;

    /// Returns the customer with this id.
    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError>;

    /// Changes a customer's plan; `None` removes it.
    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError>;

    async fn change_email(&self, id: CustomerId, email: &Email) -> Result<EmailChange, PortError>;

    /// Deletes a customer; returns false if there is none with this id.
    async fn delete(&self, id: CustomerId) -> Result<bool, PortError>;

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

/// The outcome of a change of an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum EmailChange {
    /// The customer has the new email.
    Changed,
    /// Another customer has this email.
    EmailTaken,
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
/// - The same holds for the limit per minute, which counts the keys whose creation time is within the minute before that of the
///   new key, revoked or not.
/// - A revocation marks a key of that customer that is active at the given time, and no other. If callers race to
///   revoke one key, exactly one call returns [`KeyRevocation::Revoked`].
/// - A renaming changes the name of a key of that customer, active or not, and nothing else.
/// - A revocation of several keys revokes those that [`revoke`](Self::revoke) would revoke one by one, and returns them in
///   the order of the list.
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

    /// Issues a key without a limit per minute.
    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError> {
        self.issue_limited(customer, key, NonZeroU32::MAX).await
    }

    /// Issues a key, unless the customer was issued `per_minute` others within the minute before.
    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError>;

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError>;

    /// Revokes a customer's key permanently.
    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError>;

    /// Revokes a customer's active keys that were created at or after `since`, but for the key `except`; returns them. A
    /// ring that supports it revokes them together: then none of them creates another key meanwhile.
    async fn revoke_all(
        &self,
        customer: CustomerId,
        since: DateTime<Utc>,
        except: Option<&KeyDigest>,
        at: DateTime<Utc>,
    ) -> Result<Vec<KeyRecord>, PortError> {
        let mut keys = self.keys_of(customer).await?;
        keys.retain(|key| key.is_active(at) && key.created_at >= since && Some(&key.digest) != except);
        for key in &keys {
            let _ = self.revoke(customer, &key.digest, at).await?;
        }
        Ok(keys)
    }
}

/// The last uses of keys, and their calls by operation and day.
///
/// # Contract
///
/// - A recorded use is the last use of its key, unless a later use is recorded: nodes record in any order.
/// - Uses of unknown keys are ignored.
/// - Recorded calls are added to those on record of the same key, operation and day; those of days before `kept` are removed.
/// - The calls of a customer are listed by day, then by key, then by operation.
#[async_trait]
pub trait KeyUses: Send + Sync {
    async fn record_uses(&self, uses: &[(KeyDigest, KeyUse)]) -> Result<(), PortError>;

    async fn record_calls(&self, calls: &[DailyCalls], kept: NaiveDate) -> Result<(), PortError>;

    /// Lists the calls of a customer since a day.
    async fn calls_since(&self, customer: CustomerId, day: NaiveDate) -> Result<Vec<DailyCalls>, PortError>;
}

/// The counted calls of a key to an operation on a day (UTC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyCalls {
    pub customer: CustomerId,
    pub key: KeyDigest,
    /// The path pattern of the operation, such as `/api/v1/odds/{sport}`.
    pub operation: String,
    pub day: NaiveDate,
    pub calls: u64,
}

/// A key with its customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The customer who holds the key.
    pub customer: Customer,
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
    /// The customer has been issued as many keys as a minute has; the next one can be issued at this time.
    MinuteIsFull(DateTime<Utc>),
    /// The customer does not exist.
    UnknownCustomer,
    /// A key with this digest is on record; the caller draws another.
    AlreadyIssued,
    /// The key that authenticates the change was revoked meanwhile.
    ActorRevoked,
}

/// The outcome of a renaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRenaming {
    /// The key has the new name.
    Renamed,
    /// The customer has no such key.
    NoSuchKey,
    /// The key that authenticates the change was revoked meanwhile.
    ActorRevoked,
}

/// The outcome of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum KeyRevocation {
    /// The key was active and is revoked now.
    Revoked,
    /// The customer has no such key, or it was revoked or expired before.
    NotActive,
    /// The key that authenticates the change was revoked meanwhile.
    ActorRevoked,
}
