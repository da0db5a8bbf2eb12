//! Files that customers buy, who may have them, and links to fetch them.

use std::ops::Range;
use std::path::Path;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;
use sports_accounts::{CalendarMonth, CustomerId, Dataset, Download, Entitlement, FileName, Product};
use sports_content::ObjectHash;
use sports_domain::Sport;

use crate::PortError;

/// Which datasets there are.
///
/// # Contract
///
/// - A dataset added is listed exactly as added. Times keep their microseconds; anything finer may be lost.
/// - One with the product, league and file name of another takes its place.
/// - What is removed is missing from the next answer; removing what is not there removes nothing.
/// - Datasets are listed by product, then in the order of [`Sport::ALL`], then by file name.
#[async_trait]
pub trait Datasets: Send + Sync {
    /// Adds a dataset; gives the one whose place it takes.
    async fn add_dataset(&self, dataset: &Dataset) -> Result<Option<Dataset>, PortError>;

    /// Removes a product's datasets of a league, or the one with this name; gives what was removed.
    async fn remove_dataset(
        &self,
        product: &Product,
        sport: Sport,
        file_name: Option<&FileName>,
    ) -> Result<Vec<Dataset>, PortError>;

    /// Every dataset.
    async fn datasets(&self) -> Result<Vec<Dataset>, PortError>;
}

/// Who may have which datasets.
///
/// # Contract
///
/// - A customer has one entitlement for a product and league at most. Granting it again replaces the one there was,
///   revoked or not.
/// - An entitlement is granted to a customer who exists; otherwise nothing changes.
/// - A revocation marks an entitlement that holds at the given time, and only such a one.
/// - A customer's entitlements are listed in force or not, by product, then in the order of [`Sport::ALL`]. Times keep
///   their microseconds.
#[async_trait]
pub trait Entitlements: Send + Sync {
    /// Grants an entitlement, or changes the one there is.
    async fn grant(&self, entitlement: &Entitlement) -> Result<Grant, PortError>;

    /// Takes an entitlement back.
    async fn revoke_entitlement(
        &self,
        customer: CustomerId,
        product: &Product,
        sport: Sport,
        at: DateTime<Utc>,
    ) -> Result<EntitlementRevocation, PortError>;

    /// A customer's entitlements.
    async fn entitlements_of(&self, customer: CustomerId) -> Result<Vec<Entitlement>, PortError>;
}

/// What became of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Grant {
    /// It is on record.
    Granted,
    /// There is no such customer.
    NoSuchCustomer,
}

/// What became of a revocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum EntitlementRevocation {
    /// It held and holds no longer.
    Revoked,
    /// There is none, or it was revoked or ran out before.
    NotInForce,
}

/// How many refreshes each customer took in each calendar month.
///
/// # Contract
///
/// - A refresh is taken only while fewer than [`REFRESHES_A_MONTH`](sports_accounts::REFRESHES_A_MONTH) are, however
///   many callers race; each that is taken is given another count.
/// - A month without a refresh has a count of zero.
#[async_trait]
pub trait Refreshes: Send + Sync {
    /// How many a customer took in a month.
    async fn refreshes_taken(&self, customer: CustomerId, month: CalendarMonth) -> Result<u32, PortError>;

    /// Takes one; gives how many are taken with it, or `None` when there is none left.
    async fn take_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<Option<u32>, PortError>;
}

/// The files of datasets, named by the hash of their bytes.
///
/// # Contract
///
/// - What was put reads back equal, whole and in part; putting it again writes nothing, unless the store lost or damaged
///   it: then it is written again.
/// - A name without a file is `Ok(None)`, a store out of reach [`PortError::Unavailable`].
/// - A file that cannot be read, or changes while it is put, is no dataset: nothing is stored under its name.
#[async_trait]
pub trait DatasetFiles: Send + Sync {
    /// Stores a file of this machine. Durable once it returns.
    async fn put_file(&self, file: &Path) -> Result<StoredFile, PortError>;

    /// How large an object is, in bytes.
    async fn file_size(&self, object: &ObjectHash) -> Result<Option<u64>, PortError>;

    /// Reads some of an object's bytes, piece by piece. The range lies within its size.
    async fn read_file(&self, object: &ObjectHash, range: Range<u64>) -> Result<Option<Pieces>, PortError>;
}

/// Bytes that arrive piece by piece.
pub type Pieces = BoxStream<'static, Result<Bytes, PortError>>;

/// A file that was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFile {
    /// Its name in the store.
    pub object: ObjectHash,
    /// How large it is.
    pub bytes: u64,
    /// True if its bytes were written: the store had no such file, or a damaged one.
    pub written: bool,
}

/// Signs links that open one file to one customer for a while, and knows its own again.
///
/// # Contract
///
/// - A signed link to this service opens what it was signed for, to the second, until its end; from then on it is
///   [`LinkError::Expired`].
/// - A link changed in any part, or made up, is [`LinkError::Forged`], whenever it ends.
/// - A signer whose links all lead elsewhere opens none.
#[async_trait]
pub trait LinkSigner: Send + Sync {
    /// A link for a download.
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError>;

    /// What a link to this service permits at `now`.
    ///
    /// # Errors
    ///
    /// [`LinkError`] where it permits nothing.
    fn open(&self, link: &DownloadLink, now: DateTime<Utc>) -> Result<Download, LinkError>;
}

/// A link that opens a file by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignedLink {
    /// A path and query on this service.
    Here(String),
    /// A whole address elsewhere: a store that signs links itself gives these.
    Elsewhere(String),
}

/// A link to this service taken apart into the texts it is made of, not verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadLink {
    /// The product in its path.
    pub product: String,
    /// The league in its path.
    pub sport: String,
    /// The object in its path.
    pub object: String,
    /// The file name in its path.
    pub file_name: String,
    /// The object's size in its query, in bytes.
    pub bytes: String,
    /// The customer in its query.
    pub customer: String,
    /// Its end in its query, in Unix seconds.
    pub expires: String,
    /// What vouches for all of that, in hexadecimal digits.
    pub signature: String,
}

impl DownloadLink {
    /// A download written as a link, which `signature` vouches for.
    #[must_use]
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

    /// The path and query that carry it. Every part is made of characters that need no escape.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        let Self { product, sport, object, file_name, bytes, customer, expires, signature } = self;
        format!(
            "/downloads/{product}/{sport}/{object}/{file_name}\
             ?bytes={bytes}&customer={customer}&expires={expires}&signature={signature}"
        )
    }
}

/// Why a link opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It was made or changed without the secret.
    #[error("the link was not signed by this service, or was changed since")]
    Forged,
    /// Its time is over.
    #[error("the link has expired")]
    Expired,
}
