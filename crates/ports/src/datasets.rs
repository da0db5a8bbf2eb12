//! Files that customers buy, entitlements to them, and download links.

use std::ops::Range;
use std::path::Path;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures::stream::BoxStream;
use sports_accounts::{
    CalendarMonth, CustomerId, Dataset, Download, Entitlement, FileName, IdempotencyKey, Product, RefreshAllowance,
};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;

use crate::PortError;

/// The records of datasets.
///
/// # Contract
///
/// - An added dataset is listed exactly as added. Times keep their microseconds; anything finer may be lost.
/// - A dataset replaces the one with the same product, league and file name.
/// - A removed dataset is missing from the next list; removing a dataset that does not exist removes nothing.
/// - Datasets are listed by product, then in the order of [`Sport::ALL`], then by file name.
#[async_trait]
pub trait Datasets: Send + Sync {
    /// Adds a dataset; returns the dataset that it replaces.
    async fn add_dataset(&self, dataset: &Dataset) -> Result<Option<Dataset>, PortError>;

    /// Removes a product's datasets of a league, or only the dataset with this name; returns the removed datasets.
    async fn remove_dataset(
        &self,
        product: &Product,
        sport: Sport,
        file_name: Option<&FileName>,
    ) -> Result<Vec<Dataset>, PortError>;

    /// Lists every dataset.
    async fn datasets(&self) -> Result<Vec<Dataset>, PortError>;
}

/// The records of customers' entitlements.
///
/// # Contract
///
/// - A customer has at most one entitlement per product and league. Granting it again replaces the existing one,
///   revoked or not.
/// - An entitlement is granted to a customer who exists; otherwise nothing changes.
/// - A revocation marks an entitlement that is in force at the given time, and no other.
/// - A customer's entitlements are listed, in force or not, by product, then in the order of [`Sport::ALL`]. Times keep
///   their microseconds.
#[async_trait]
pub trait Entitlements: Send + Sync {
    /// Grants an entitlement, or replaces the existing one.
    async fn grant(&self, entitlement: &Entitlement) -> Result<Grant, PortError>;

    async fn revoke_entitlement(
        &self,
        customer: CustomerId,
        product: &Product,
        sport: Sport,
        at: DateTime<Utc>,
    ) -> Result<EntitlementRevocation, PortError>;

    /// Lists a customer's entitlements.
    async fn entitlements_of(&self, customer: CustomerId) -> Result<Vec<Entitlement>, PortError>;
}

/// The outcome of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Grant {
    /// The entitlement is on record.
    Granted,
    /// The customer does not exist.
    NoSuchCustomer,
}

/// The outcome of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum EntitlementRevocation {
    /// The entitlement was in force and is revoked now.
    Revoked,
    /// The entitlement does not exist, or was revoked or expired before.
    NotInForce,
}

/// Links to all datasets of a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    /// The refreshes of this month, including this one.
    pub allowance: RefreshAllowance,
    /// Each download with its link, in the order in which datasets are listed.
    pub links: Vec<(Download, SignedLink)>,
}

/// The time for which the answer to a refresh is kept under its key.
pub const REFRESH_KEPT: TimeDelta = TimeDelta::hours(24);

/// The time after which a refresh that was begun under a key, and neither kept nor abandoned, can be begun again.
pub const REFRESH_UNDERWAY: TimeDelta = TimeDelta::minutes(2);

/// The state of a refresh under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum RefreshClaim {
    /// The caller makes it.
    Claimed,
    /// Another caller is making it.
    Underway,
    /// It was made.
    Made(Refreshed),
}

/// The refreshes of customers: their number in each calendar month, and the links of the last ones.
///
/// # Contract
///
/// - Of callers who race to claim one key of a customer exactly one gets [`RefreshClaim::Claimed`], again once the claim was abandoned,
///   is older than [`REFRESH_UNDERWAY`], or its answer is older than [`REFRESH_KEPT`]. Keys of two customers are two.
/// - An answer that is kept reads back equal, under its key and, until a later one is kept, as the last one.
/// - Nothing is kept under a claim that is no longer the caller's.
/// - A refresh is taken only while fewer than [`REFRESHES_A_MONTH`](sports_accounts::REFRESHES_A_MONTH) are taken,
///   however many callers race; each refresh gets a different count.
/// - A month without a refresh has a count of zero.
/// - A refresh that is given back is taken no longer; a count never falls below zero.
#[async_trait]
pub trait Refreshes: Send + Sync {
    /// Returns the number of refreshes that a customer took in a month.
    async fn refreshes_taken(&self, customer: CustomerId, month: CalendarMonth) -> Result<u32, PortError>;

    /// Takes a refresh; returns the new count, or `None` if the month's refreshes are used up.
    async fn take_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<Option<u32>, PortError>;

    /// Gives back a refresh that was taken.
    async fn give_back_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<(), PortError>;

    /// Claims the refresh under a key at an instant, which names the claim.
    async fn claim_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<RefreshClaim, PortError>;

    /// Abandons a claim: nothing was made.
    async fn abandon_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<(), PortError>;

    /// Keeps the answer to the refresh of an instant, under the key by which it was claimed then or without one. Returns `false` if the
    /// claim is another's.
    async fn keep_refresh(
        &self,
        customer: CustomerId,
        key: Option<&IdempotencyKey>,
        at: DateTime<Utc>,
        refreshed: &Refreshed,
    ) -> Result<bool, PortError>;

    /// Returns the answer that was kept last.
    async fn last_refresh(&self, customer: CustomerId) -> Result<Option<Refreshed>, PortError>;
}

/// The files of datasets, named by the hash of their bytes.
///
/// # Contract
///
/// - A stored file reads back equal, whole and in part. Storing it again writes nothing, unless the store lost or
///   damaged it; then it is written again.
/// - A name without a file is `Ok(None)`; an unreachable store is [`PortError::Unavailable`].
/// - A local file that cannot be read, or that changes while it is stored, is an error: nothing is stored under its
///   name.
#[async_trait]
pub trait DatasetFiles: Send + Sync {
    /// Stores a local file, durably once the call returns.
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError>;

    /// Returns the size of an object, in bytes.
    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError>;

    /// Reads a range of an object's bytes as a stream. The range lies within the object's size.
    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError>;
}

pub type Pieces = BoxStream<'static, Result<Bytes, PortError>>;

/// A file that was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFile {
    /// The name in the store.
    pub object: ObjectHash,
    /// The size, in bytes.
    pub bytes: u64,
    /// True if its bytes were written: the store had no such file, or a damaged one.
    pub written: bool,
}

/// A signer of links that open one file to one customer for a limited time, and verifier of its own links.
///
/// # Contract
///
/// - A signed link to this service opens what it was signed for until its end, to the second; from then on it is
///   [`LinkError::Expired`].
/// - A link that was changed in any part, or invented, is [`LinkError::Forged`], whatever its end.
/// - A signer whose links all point to another service opens no link.
#[async_trait]
pub trait LinkSigner: Send + Sync {
    /// Signs a link for a download.
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError>;

    /// Verifies a link to this service; returns the download that it permits at `now`.
    ///
    /// # Errors
    ///
    /// [`LinkError`] if the link permits nothing.
    fn open(&self, link: &DownloadLink, now: DateTime<Utc>) -> Result<Download, LinkError>;
}

/// A signed link, which opens a file without other credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignedLink {
    /// A path and query of this service.
    Here(String),
    /// A complete address of another service, from a store that signs links itself.
    Elsewhere(String),
}

/// A link to this service split into its parts, not verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadLink {
    /// The product in the path.
    pub product: String,
    /// The league in the path.
    pub sport: String,
    /// The object in the path.
    pub object: String,
    /// The file name in the path.
    pub file_name: String,
    /// The object's size in the query, in bytes.
    pub bytes: String,
    /// The customer in the query.
    pub customer: String,
    /// The end in the query, in Unix seconds.
    pub expires: String,
    /// The signature of all other parts, in hexadecimal digits.
    pub signature: String,
}

impl DownloadLink {
    /// Writes a download as a link with this signature.
    pub fn from_download(download: &Download, signature: String) -> Self {
        Self {
            product: download.product.to_string(),
            sport: download.sport.code().to_owned(),
            object: download.object.to_string(),
            file_name: download.file_name.to_string(),
            bytes: download.bytes.to_string(),
            customer: download.customer.to_string(),
            expires: download.expires_at.timestamp().to_string(),
            signature,
        }
    }

    /// Returns the path and query of the link. No part contains a character that needs escaping.
    pub fn path_and_query(&self) -> String {
        let Self { product, sport, object, file_name, bytes, customer, expires, signature } = self;
        format!(
            "/downloads/{product}/{sport}/{object}/{file_name}\
             ?bytes={bytes}&customer={customer}&expires={expires}&signature={signature}"
        )
    }
}

/// An error in opening a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The link was created or changed without the secret.
    #[error("the link was not signed by this service, or was changed since")]
    Forged,
    /// The link has expired.
    #[error("the link has expired")]
    Expired,
}
