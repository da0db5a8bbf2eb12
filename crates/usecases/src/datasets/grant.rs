use chrono::{DateTime, Utc};
use sports_accounts::{CustomerId, Entitlement};
use sports_ports::PortError;
use sports_ports::datasets::{Datasets, Entitlements, Grant};

/// Why an entitlement was not granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The entitlement would be over before it began.
    #[error("the expiry is in the past")]
    EndsInThePast,
    /// There is no such customer.
    #[error("there is no customer {0}")]
    NoSuchCustomer(CustomerId),
    /// The database.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// Grants an entitlement that holds at `now`. Gives whether there is a dataset yet that it opens.
///
/// # Errors
///
/// [`GrantError`].
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
