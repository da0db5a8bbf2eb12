//! Opening accounts, issuing keys and taking them back.

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, Customer, CustomerId, CustomerName, Email, KeyName, KeyRecord, KeySelector, MAX_ACTIVE_KEYS, NotSelected,
    Plan, select,
};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRevocation, KeyRing};

/// Why an account or key is not as asked.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Another customer has this email.
    #[error("a customer with the email {0} exists already")]
    EmailTaken(String),
    /// There is no such customer.
    #[error("there is no customer {0}")]
    NoSuchCustomer(CustomerId),
    /// The customer holds as many active keys as one may.
    #[error("the customer has {MAX_ACTIVE_KEYS} active keys, the most there can be; revoke one first")]
    KeyLimit,
    /// The customer has no such active key.
    #[error("there is no such active key")]
    NoSuchKey,
    /// Several of the customer's keys look like this.
    #[error("several active keys look like this; give the full key")]
    AmbiguousKey,
    /// What was drawn at random is taken: draw again.
    #[error("the drawn id or key exists already; try again")]
    Collision,
    /// The database.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Opens an account under an id drawn from `random`.
///
/// # Errors
///
/// [`AccountError`].
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

/// Issues a key drawn from `random`. The key is in the answer and nowhere else: only its digest is kept.
///
/// # Errors
///
/// [`AccountError`].
pub async fn issue_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    (name, expires_at): (KeyName, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
    random: [u8; 32],
) -> Result<(ApiKey, KeyRecord), AccountError> {
    let key = ApiKey::from_random(random);
    let record = KeyRecord::issued(&key, name, now, expires_at);
    match ring.issue(customer, &record).await? {
        KeyIssue::Issued => Ok((key, record)),
        KeyIssue::LimitReached => Err(AccountError::KeyLimit),
        KeyIssue::UnknownCustomer => Err(AccountError::NoSuchCustomer(customer)),
        KeyIssue::AlreadyIssued => Err(AccountError::Collision),
    }
}

/// Takes one of a customer's active keys back, named in full or by its mask.
///
/// # Errors
///
/// [`AccountError`].
pub async fn revoke_key(
    ring: &dyn KeyRing,
    customer: CustomerId,
    selector: &KeySelector,
    now: DateTime<Utc>,
) -> Result<KeyRecord, AccountError> {
    let keys = ring.keys_of(customer).await?;
    let key = select(selector, &keys, now).map_err(|reason| match reason {
        NotSelected::NotFound => AccountError::NoSuchKey,
        NotSelected::Ambiguous => AccountError::AmbiguousKey,
    })?;
    match ring.revoke(customer, &key.digest, now).await? {
        KeyRevocation::Revoked => Ok(key.clone()),
        KeyRevocation::NotActive => Err(AccountError::NoSuchKey),
    }
}
