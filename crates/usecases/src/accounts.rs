//! Creation and lookup of accounts; issue, renaming and revocation of keys.

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, Customer, CustomerId, CustomerName, Email, KeyDigest, KeyName, KeyRecord, KeySelector, MAX_ACTIVE_KEYS,
    NotSelected, Plan, select,
};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

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
    /// The customer has no such active key.
    #[error("there is no such active key")]
    NoSuchKey,
    /// Several of the customer's active keys have this mask.
    #[error("several active keys look like this; give the full key")]
    AmbiguousKey,
    /// The key authenticates the request that would revoke it.
    #[error("cannot revoke the API key used to authenticate this request")]
    KeyInUse,
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

/// Returns the customer with this id.
///
/// # Errors
///
/// [`AccountError`] if the customer does not exist or the database fails.
pub async fn find_account(customers: &dyn Customers, id: CustomerId) -> Result<Customer, AccountError> {
    customers.find(id).await?.ok_or(AccountError::NoSuchCustomer(id))
}

/// Issues a key made from `random`. Only its digest is stored, so the key itself appears in this return value alone.
///
/// # Errors
///
/// [`AccountError`] if the key cannot be issued.
pub async fn issue_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    (name, expires_at): (KeyName, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
    random: [u8; 32],
) -> Result<(ApiKey, KeyRecord), AccountError> {
    if expires_at.is_some_and(|end| end <= now) {
        return Err(AccountError::ExpiresInThePast);
    }
    let key = ApiKey::from_random(random);
    let record = KeyRecord::issued(&key, name, now, expires_at);
    match ring.issue(customer, &record).await? {
        KeyIssue::Issued => Ok((key, record)),
        KeyIssue::LimitReached => Err(AccountError::KeyLimit),
        KeyIssue::UnknownCustomer => Err(AccountError::NoSuchCustomer(customer)),
        KeyIssue::AlreadyIssued => Err(AccountError::Collision),
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
    }
}
