//! Creation and lookup of accounts; issue, renaming and revocation of keys.

use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, Customer, CustomerId, CustomerName, Email, KeyDigest, KeyName, KeyRecord, KeyScope, KeySelector,
    MAX_ACTIVE_KEYS, Networks, NotSelected, Plan, select,
};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, EmailChange, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

/// An error in an operation on an account or a key.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Another customer has this email.
    #[error("a customer with the email {0} exists already")]
    EmailTaken(String),
    /// The customer does not exist.
    #[error("there is no customer {0}")]
    NoSuchCustomer(CustomerId),
    /// The key's expiry is not after its issue.
    #[error("the expiry is in the past")]
    ExpiresInThePast,
    /// The customer has the maximum number of active keys.
    #[error("the customer has {MAX_ACTIVE_KEYS} active keys, the most there can be; revoke one first")]
    KeyLimit,
    /// The customer has been issued as many keys as a minute has.
    #[error("the customer has been issued {limit} keys within a minute; try again in {seconds} s")]
    TooManyNewKeys {
        /// The limit per minute.
        limit: NonZeroU32,
        /// The time until the next key can be issued, rounded up.
        seconds: u64,
    },
    /// The customer has no such active key.
    #[error("there is no such active key")]
    NoSuchKey,
    /// Several of the customer's active keys have this mask.
    #[error("several active keys look like this; give the full key")]
    AmbiguousKey,
    /// The key authenticates the request that would revoke it.
    #[error("cannot revoke the API key used to authenticate this request")]
    KeyInUse,
    /// The new key would reach further than the key it is made with.
    #[error("a new key cannot be used from networks that the key of this request is not allowed from")]
    WiderThanCreator,
    /// The key that authenticates the change was revoked meanwhile.
    #[error("the key of this request was revoked")]
    ActorRevoked,
    /// The id or key that was generated at random already exists.
    #[error("the generated id or key already exists; try again")]
    Collision,
    /// The database failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Creates an account with an id made from `random`.
///
/// # Errors
///
/// [`AccountError`] if the account cannot be created.
pub async fn open_account(
    customers: &dyn Customers,
    (email, name, plan): (Email, CustomerName, Option<Plan>),
    now: DateTime<Utc>,
    random: [u8; 10],
) -> Result<Customer, AccountError> {
    let customer = Customer { id: CustomerId::from_random(random), email, name, plan, created_at: now };
    match customers.create(&customer).await? {
        CustomerCreation::Created => Ok(customer),
        CustomerCreation::EmailTaken => Err(AccountError::EmailTaken(customer.email.as_str().to_owned())),
        CustomerCreation::IdTaken => Err(AccountError::Collision),
    }
}

/// Changes the email of an account.
///
/// # Errors
///
/// [`AccountError`] if the customer does not exist, or another has the email.
pub async fn change_email(customers: &dyn Customers, id: CustomerId, email: &Email) -> Result<(), AccountError> {
    match customers.change_email(id, email).await? {
        EmailChange::Changed => Ok(()),
        EmailChange::EmailTaken => Err(AccountError::EmailTaken(email.as_str().to_owned())),
        EmailChange::NoSuchCustomer => Err(AccountError::NoSuchCustomer(id)),
    }
}

/// Returns the customer with this id.
///
/// # Errors
///
/// [`AccountError`] if the customer does not exist or the database fails.
pub async fn find_account(customers: &dyn Customers, id: CustomerId) -> Result<Customer, AccountError> {
    customers.find(id).await?.ok_or(AccountError::NoSuchCustomer(id))
}

/// A key to issue.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub name: KeyName,
    /// The instant from which it is not valid; `None` if it does not expire.
    pub expires_at: Option<DateTime<Utc>>,
    /// The operations that it may call.
    pub scope: KeyScope,
    /// The networks that it works from; every network if there are none.
    pub allowed_networks: Networks,
    /// The creator: `operator`, or a masked key.
    pub created_by: String,
    /// The keys that the customer can be issued within any one minute; `None` without a limit.
    pub per_minute: Option<NonZeroU32>,
}

impl NewKey {
    /// Returns a key of the operator that may call everything from everywhere, without an expiry.
    pub fn named(name: KeyName) -> Self {
        let (scope, allowed_networks) = (KeyScope::Full, Networks::default());
        Self { name, expires_at: None, scope, allowed_networks, created_by: "operator".to_owned(), per_minute: None }
    }

    /// Limits the key to its creator's own limits, so that a leaked key cannot free itself by another: without networks of its
    /// own it has those of the creator, and it expires with the creator at the latest.
    ///
    /// # Errors
    ///
    /// [`AccountError::WiderThanCreator`] if it has a network that the creator is not allowed from.
    pub fn within(mut self, creator: &KeyRecord) -> Result<Self, AccountError> {
        let allowed = &creator.allowed_networks;
        if self.allowed_networks.is_empty() {
            self.allowed_networks.clone_from(allowed);
        } else if !allowed.is_empty() && !allowed.cover(&self.allowed_networks) {
            return Err(AccountError::WiderThanCreator);
        }
        self.scope = self.scope.min(creator.scope);
        self.expires_at = [self.expires_at, creator.expires_at].into_iter().flatten().min();
        self.created_by = creator.masked.to_string();
        Ok(self)
    }
}

/// Issues a key made from `random`. Only its digest is stored, so the key itself appears in this return value alone.
///
/// # Errors
///
/// [`AccountError`] if the key cannot be issued.
pub async fn issue_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    NewKey { name, expires_at, scope, allowed_networks, created_by, per_minute }: NewKey,
    now: DateTime<Utc>,
    random: [u8; 32],
) -> Result<(ApiKey, KeyRecord), AccountError> {
    if expires_at.is_some_and(|end| end <= now) {
        return Err(AccountError::ExpiresInThePast);
    }
    let key = ApiKey::from_random(random);
    let created_by = Some(created_by);
    let record = KeyRecord { scope, allowed_networks, created_by, ..KeyRecord::issued(&key, name, now, expires_at) };
    let limit = per_minute.unwrap_or(NonZeroU32::MAX);
    match ring.issue_limited(customer, &record, limit).await? {
        KeyIssue::Issued => Ok((key, record)),
        KeyIssue::LimitReached => Err(AccountError::KeyLimit),
        KeyIssue::MinuteIsFull(next) => {
            let seconds = u64::try_from((next - now).num_milliseconds()).unwrap_or_default().div_ceil(1_000).max(1);
            Err(AccountError::TooManyNewKeys { limit, seconds })
        }
        KeyIssue::UnknownCustomer => Err(AccountError::NoSuchCustomer(customer)),
        KeyIssue::AlreadyIssued => Err(AccountError::Collision),
        KeyIssue::ActorRevoked => Err(AccountError::ActorRevoked),
    }
}

/// Revokes an active key of a customer, selected in full or by its mask.
///
/// # Errors
///
/// [`AccountError`] if the key cannot be revoked.
pub async fn revoke_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    selector: &KeySelector,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    let key = active_key(ring, customer, selector, now).await?;
    revoke(ring, customer, key, now).await
}

/// Revokes every active key of a customer that was created at or after `since`, but for the key that `except` selects;
/// returns the revoked keys.
///
/// # Errors
///
/// [`AccountError`] if no key was revoked.
pub async fn revoke_all_keys(
    ring: &dyn KeyRing,
    customer: CustomerId,
    since: DateTime<Utc>,
    except: Option<&KeySelector>,
    now: DateTime<Utc>,
) -> Result<Vec<KeyRecord>, AccountError> {
    let except = match except {
        Some(selector) => Some(active_key(ring, customer, selector, now).await?.digest),
        None => None,
    };
    Ok(ring.revoke_all(customer, since, except.as_ref(), now).await?)
}

/// Revokes an active key of a customer, on a request authenticated by the key `in_use`.
///
/// # Errors
///
/// [`AccountError`] if the key cannot be revoked; [`KeyInUse`](AccountError::KeyInUse) if the selector matches
/// `in_use`.
pub async fn revoke_another_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    selector: &KeySelector,
    in_use: &KeyDigest,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    let key = active_key(ring, customer, selector, now).await?;
    if key.digest == *in_use { Err(AccountError::KeyInUse) } else { revoke(ring, customer, key, now).await }
}

/// Renames an active key of a customer, selected in full or by its mask.
///
/// # Errors
///
/// [`AccountError`] if the key cannot be renamed.
pub async fn rename_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    selector: &KeySelector,
    name: &KeyName,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    let key = active_key(ring, customer, selector, now).await?;
    match ring.rename(customer, &key.digest, name).await? {
        KeyRenaming::Renamed => Ok(KeyRecord { name: name.clone(), ..key }),
        KeyRenaming::NoSuchKey => Err(AccountError::NoSuchKey),
        KeyRenaming::ActorRevoked => Err(AccountError::ActorRevoked),
    }
}

async fn active_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    selector: &KeySelector,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    let keys = ring.keys_of(customer).await?;
    select(selector, &keys, now).cloned().map_err(|reason| match reason {
        NotSelected::NotFound => AccountError::NoSuchKey,
        NotSelected::Ambiguous => AccountError::AmbiguousKey,
    })
}

async fn revoke(
    ring: &dyn KeyRing,
    customer: CustomerId,
    key: KeyRecord,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    match ring.revoke(customer, &key.digest, now).await? {
        KeyRevocation::Revoked => Ok(key),
        KeyRevocation::NotActive => Err(AccountError::NoSuchKey),
        KeyRevocation::ActorRevoked => Err(AccountError::ActorRevoked),
    }
}
