//! Datasets: adding them, granting entitlements, and signing and checking download links.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, SubsecRound as _, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_accounts::{
    CalendarMonth, CustomerId, Dataset, Download, Entitlement, FileName, IdempotencyKey, Ownership, Product,
    RefreshAllowance,
};
use sports_domain::Sport;
use sports_domain::content::{ObjectHash, ObjectHasher};
use sports_ports::datasets::{
    DatasetFiles, Datasets, Entitlements, Grant, LinkSigner, RefreshClaim, Refreshed, Refreshes, SignedLink,
};
use sports_ports::{Clock, PortError};
use tokio::sync::OwnedMutexGuard;

/// The name of the port [`DatasetService::files`] in errors.
const FILES: &str = "the store of datasets";

/// The number of files of one refresh that are verified concurrently.
const CHECKS: usize = 4;

/// The time between two looks at a refresh that another request is making.
const LOOK: Duration = Duration::from_millis(100);

/// The number of looks, half a minute long.
const LOOKS: u32 = 300;

/// The operations on customers' datasets.
pub struct DatasetService {
    /// The records of datasets.
    pub datasets: Arc<dyn Datasets>,
    /// The stored files of datasets.
    pub files: Arc<dyn DatasetFiles>,
    /// The records of entitlements.
    pub entitlements: Arc<dyn Entitlements>,
    /// The counts of refreshes.
    pub refreshes: Arc<dyn Refreshes>,
    pub signer: Arc<dyn LinkSigner>,
    pub clock: Arc<dyn Clock>,
    /// The outcomes of verifying files against their hashes.
    pub checked: CheckedFiles,
}

/// A customer's entitlements and remaining refreshes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetStatus {
    /// The entitlements in force.
    pub owned: Ownership,
    /// The refreshes of this month.
    pub allowance: RefreshAllowance,
}

/// An error in a refresh. No refresh is counted.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The customer has no entitlement in force.
    #[error("the customer has no dataset entitlement in force")]
    NotEntitled,
    /// No dataset exists yet for the customer's entitlements.
    #[error("there is no dataset yet for what the customer owns")]
    NothingToDownload,
    /// The customer took every refresh of the month.
    #[error("every refresh of {0} is taken")]
    NoneLeft(CalendarMonth),
    /// Another request with the same key is being answered.
    #[error("a refresh under the same key is underway")]
    Underway,
    /// The records, the signer or the files failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl DatasetService {
    /// Returns a customer's entitlements and refreshes now.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the records cannot be read.
    pub async fn status(&self, customer: CustomerId) -> Result<DatasetStatus, PortError> {
        let now = self.clock.now();
        let month = CalendarMonth::containing(now);
        let used = self.refreshes.refreshes_taken(customer, month).await?;
        Ok(DatasetStatus { owned: self.owned(customer, now).await?, allowance: RefreshAllowance { used, month } })
    }

    /// Signs links to all datasets of a customer, verifies that the store has the files undamaged, and then counts one
    /// refresh. An earlier failure counts none.
    ///
    /// # Errors
    ///
    /// [`RefreshError`] if no links are returned.
    pub async fn refresh(&self, customer: CustomerId) -> Result<Refreshed, RefreshError> {
        let now = self.clock.now();
        let owned = self.owned(customer, now).await?;
        if owned.is_empty() {
            return Err(RefreshError::NotEntitled);
        }
        let links = self.sign_all(&owned, customer, now).await?;
        if links.is_empty() {
            return Err(RefreshError::NothingToDownload);
        }
        let checks: Vec<_> = links.iter().map(|(download, _)| self.expect_intact(download)).collect();
        stream::iter(checks).buffer_unordered(CHECKS).try_collect::<()>().await?;
        let month = CalendarMonth::containing(now);
        let used = self.refreshes.take_refresh(customer, month).await?.ok_or(RefreshError::NoneLeft(month))?;
        Ok(Refreshed { allowance: RefreshAllowance { used, month }, links })
    }

    /// Refreshes as [`refresh`](Self::refresh) does, once under a key: repeated and concurrent calls get the answer of the first. A
    /// failure is not kept.
    ///
    /// # Errors
    ///
    /// [`RefreshError`] if no links are returned.
    pub async fn refresh_once(&self, customer: CustomerId, key: &IdempotencyKey) -> Result<Refreshed, RefreshError> {
        let mut looks = 0;
        let at = loop {
            // The claim is found again by its time, of which databases keep the microseconds.
            let at = self.clock.now().trunc_subsecs(6);
            match self.refreshes.claim_refresh(customer, key, at).await? {
                RefreshClaim::Claimed => break at,
                RefreshClaim::Made(refreshed) => return Ok(refreshed),
                RefreshClaim::Underway if looks == LOOKS => return Err(RefreshError::Underway),
                RefreshClaim::Underway => looks += 1,
            }
            tokio::time::sleep(LOOK).await;
        };
        let refreshed = match self.refresh(customer).await {
            Ok(refreshed) => refreshed,
            Err(error) => {
                self.refreshes.abandon_refresh(customer, key, at).await?;
                return Err(error);
            }
        };
        if self.refreshes.keep_refresh(customer, Some(key), at, &refreshed).await? {
            return Ok(refreshed);
        }
        self.give_back(customer, &refreshed).await?;
        Err(RefreshError::Underway)
    }

    /// Keeps the links of a refresh without a key, which reached their customer.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they are not kept.
    pub async fn keep(&self, customer: CustomerId, refreshed: &Refreshed) -> Result<(), PortError> {
        self.refreshes.keep_refresh(customer, None, self.clock.now(), refreshed).await.map(drop)
    }

    /// Returns the links of the last refresh, while they live.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn last_refresh(&self, customer: CustomerId) -> Result<Option<Refreshed>, PortError> {
        let now = self.clock.now();
        let last = self.refreshes.last_refresh(customer).await?;
        Ok(last.filter(|last| last.links.iter().all(|(download, _)| now < download.expires_at)))
    }

    /// Gives back the refresh of links that did not reach their customer.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the refresh stays taken.
    pub async fn give_back(&self, customer: CustomerId, refreshed: &Refreshed) -> Result<(), PortError> {
        self.refreshes.give_back_refresh(customer, refreshed.allowance.month).await
    }

    /// Returns true if a link is still valid: its customer is entitled to the dataset, and the dataset is still on
    /// record. New content under the same name does not invalidate links to the old content.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the records cannot be read.
    pub async fn still_permits(&self, download: &Download) -> Result<bool, PortError> {
        let Download { product, sport, file_name, .. } = download;
        let owned = self.owned(download.customer, self.clock.now()).await?;
        let same =
            |dataset: &Dataset| (&dataset.product, dataset.sport, &dataset.file_name) == (product, *sport, file_name);
        Ok(owned.covers(product, *sport) && self.datasets.datasets().await?.iter().any(same))
    }

    /// Verifies that the store has the file of a download with its recorded size.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read, [`PortError::Corrupt`] if the file is missing or has
    /// another size.
    pub async fn expect_stored(&self, download: &Download) -> Result<(), PortError> {
        let found = self.files.file_size(&download.object).await?;
        Fault::by_size(found, download.bytes).map_err(|fault| corrupt(download, fault))
    }

    /// Verifies the whole content of a download's file.
    async fn expect_intact(&self, download: &Download) -> Result<(), PortError> {
        self.expect_stored(download).await?;
        let found = self.checked.check(&self.files, &self.clock, download).await?;
        found.map_err(|fault| corrupt(download, fault))
    }

    async fn owned(&self, customer: CustomerId, now: DateTime<Utc>) -> Result<Ownership, PortError> {
        Ok(Ownership::at(now, self.entitlements.entitlements_of(customer).await?))
    }

    async fn sign_all(
        &self,
        owned: &Ownership,
        customer: CustomerId,
        now: DateTime<Utc>,
    ) -> Result<Vec<(Download, SignedLink)>, PortError> {
        let mut links = Vec::new();
        for dataset in self.datasets.datasets().await? {
            if owned.covers(&dataset.product, dataset.sport) {
                let download = Download::for_customer(&dataset, customer, now);
                let link = self.signer.sign(&download).await?;
                links.push((download, link));
            }
        }
        Ok(links)
    }
}

fn corrupt(download: &Download, fault: Fault) -> PortError {
    let Download { product, sport, file_name, object, .. } = download;
    PortError::corrupt(FILES, format!("{file_name} of {product} for {sport}: the object {object} {fault}"))
}

/// The outcome of adding a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// The dataset is new: none had its product, league and file name.
    New(Dataset),
    /// The dataset replaced one with other content.
    Replaced {
        /// The dataset that is on record now.
        dataset: Dataset,
        /// The dataset that was on record before.
        previous: Dataset,
    },
    /// The record has the same content under the same name; nothing changed.
    Unchanged(Dataset),
    /// The record has the same content under the same name, but the store had lost or damaged the file, which was
    /// written again.
    Repaired(Dataset),
}

impl Addition {
    /// Returns the dataset that is on record now.
    pub const fn dataset(&self) -> &Dataset {
        match self {
            Self::New(dataset)
            | Self::Replaced { dataset, .. }
            | Self::Unchanged(dataset)
            | Self::Repaired(dataset) => dataset,
        }
    }
}

/// Stores a local file and records it as a dataset, unless the record has the same content already. Rewrites the file
/// if the store has lost or damaged it.
///
/// # Errors
///
/// [`PortError`] if the file, the store or the records cannot be read or written.
pub async fn add_dataset(
    datasets: &dyn Datasets,
    files: &dyn DatasetFiles,
    file: &Path,
    (product, sport, file_name): (Product, Sport, FileName),
    now: DateTime<Utc>,
) -> Result<Addition, PortError> {
    let stored = files.put_file(file).await?;
    let dataset = Dataset { product, sport, file_name, object: stored.object, bytes: stored.bytes, added_at: now };
    let same = |known: &Dataset| known.has_place_of(&dataset) && known.object == dataset.object;
    if let Some(known) = datasets.datasets().await?.into_iter().find(same) {
        return Ok(if stored.written { Addition::Repaired(known) } else { Addition::Unchanged(known) });
    }
    Ok(match datasets.add_dataset(&dataset).await? {
        Some(previous) => Addition::Replaced { dataset, previous },
        None => Addition::New(dataset),
    })
}

/// The outcomes of verifying stored files against their hashes.
///
/// An intact file is read once per process. Concurrent requests share one read, which continues if they are cancelled.
#[derive(Debug, Default)]
pub struct CheckedFiles(Mutex<HashMap<ObjectHash, Arc<tokio::sync::Mutex<Option<Check>>>>>);

#[derive(Debug, Clone, Copy)]
struct Check {
    found: Result<(), Fault>,
    /// The end of the read, by the clock's uptime.
    at: Duration,
}

impl CheckedFiles {
    /// Verifies the file of a download.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read.
    async fn check(
        &self,
        files: &Arc<dyn DatasetFiles>,
        clock: &Arc<dyn Clock>,
        download: &Download,
    ) -> Result<Result<(), Fault>, PortError> {
        let requested_at = clock.uptime();
        let known = self.slot(download.object).lock_owned().await;
        match *known {
            Some(Check { found, at }) if found.is_ok() || requested_at < at => return Ok(found),
            _ => {}
        }
        let reading = read(known, Arc::clone(files), Arc::clone(clock), download.object, download.bytes);
        tokio::spawn(reading).await.map_err(|failed| match failed.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(cancelled) => PortError::unavailable(FILES, cancelled),
        })?
    }

    /// Returns the slot of an object, which holds its last check.
    fn slot(&self, object: ObjectHash) -> Arc<tokio::sync::Mutex<Option<Check>>> {
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(object).or_default())
    }
}

async fn read(
    mut known: OwnedMutexGuard<Option<Check>>,
    files: Arc<dyn DatasetFiles>,
    clock: Arc<dyn Clock>,
    object: ObjectHash,
    bytes: u64,
) -> Result<Result<(), Fault>, PortError> {
    let found = content_fault(&*files, &object, bytes).await?;
    *known = Some(Check { found, at: clock.uptime() });
    Ok(found)
}

/// A difference between a dataset's content in the store and its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The store does not have the file.
    #[error("is missing")]
    Missing,
    /// The size in the store differs from the record.
    #[error("has {found} bytes and not the {recorded} on record")]
    Size {
        /// The number of bytes in the store.
        found: u64,
        /// The number of bytes on record.
        recorded: u64,
    },
    /// The content does not have the recorded hash, although its size is right.
    #[error("does not hash to its name")]
    Content,
}

impl Fault {
    /// Returns the fault that is visible from the size alone.
    fn by_size(found: Option<u64>, recorded: u64) -> Result<(), Self> {
        match found {
            None => Err(Self::Missing),
            Some(found) if found != recorded => Err(Self::Size { found, recorded }),
            Some(_) => Ok(()),
        }
    }
}

/// An error in granting an entitlement.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The entitlement would end before it begins.
    #[error("the expiry is in the past")]
    EndsInThePast,
    /// The customer does not exist.
    #[error("there is no customer {0}")]
    NoSuchCustomer(CustomerId),
    /// The database failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Grants an entitlement in force at `now`. Returns true if a dataset exists that it opens.
///
/// # Errors
///
/// [`GrantError`] if the entitlement is not granted.
pub async fn grant_entitlement(
    entitlements: &dyn Entitlements,
    datasets: &dyn Datasets,
    entitlement: &Entitlement,
    now: DateTime<Utc>,
) -> Result<bool, GrantError> {
    if !entitlement.is_in_force(now) {
        return Err(GrantError::EndsInThePast);
    }
    match entitlements.grant(entitlement).await? {
        Grant::NoSuchCustomer => Err(GrantError::NoSuchCustomer(entitlement.customer)),
        Grant::Granted => Ok(datasets.datasets().await?.iter().any(|dataset| entitlement.opens(dataset))),
    }
}

/// Reads every dataset's file to its end; returns the datasets in the order of the records, each with its fault if it
/// has one.
///
/// # Errors
///
/// [`PortError`] if the records or the store cannot be read.
pub async fn verify_datasets(
    datasets: &dyn Datasets,
    files: &dyn DatasetFiles,
) -> Result<Vec<(Dataset, Result<(), Fault>)>, PortError> {
    let mut verified = Vec::new();
    for dataset in datasets.datasets().await? {
        let found = content_fault(files, &dataset.object, dataset.bytes).await?;
        verified.push((dataset, found));
    }
    Ok(verified)
}

/// Reads a stored file to its end and compares it with its hash and recorded size.
async fn content_fault(
    files: &dyn DatasetFiles,
    object: &ObjectHash,
    recorded: u64,
) -> Result<Result<(), Fault>, PortError> {
    if let Err(fault) = Fault::by_size(files.file_size(object).await?, recorded) {
        return Ok(Err(fault));
    }
    let Some(mut pieces) = files.read_file(object, 0..recorded).await? else {
        return Ok(Err(Fault::Missing));
    };
    let mut hasher = ObjectHasher::default();
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
    }
    Ok(if hasher.finish() == *object { Ok(()) } else { Err(Fault::Content) })
}
