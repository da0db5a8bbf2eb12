use chrono::{DateTime, Utc};
use sports_accounts::{CustomerId, Entitlement};
use sports_ports::PortError;
use sports_ports::datasets::{Datasets, Entitlements, Grant};

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
