//! Datasets: adding them, granting entitlements, and signing and checking download links.

mod add;
mod checked_files;
mod fault;
mod grant;
mod verify;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt, stream};
use sports_accounts::{CalendarMonth, CustomerId, Dataset, Download, Ownership, RefreshAllowance};
use sports_ports::datasets::{DatasetFiles, Datasets, Entitlements, LinkSigner, Refreshes, SignedLink};
use sports_ports::{Clock, PortError};

pub use add::{Addition, add_dataset};
pub use checked_files::CheckedFiles;
pub use fault::Fault;
pub use grant::{GrantError, grant_entitlement};
pub use verify::verify_datasets;

/// The name of the port [`DatasetService::files`] in errors.
const FILES: &str = "the store of datasets";

/// The number of files of one refresh that are verified concurrently.
const CHECKS: usize = 4;

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

/// Links to all datasets of a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    /// The refreshes of this month, including this one.
    pub allowance: RefreshAllowance,
    /// Each download with its link, in the order in which datasets are listed.
    pub links: Vec<(Download, SignedLink)>,
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
