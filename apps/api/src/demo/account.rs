//! The account whose key a demo prints.

use std::path::Path;

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, CustomerId, CustomerName, Dataset, Email, Entitlement, KeyName, KeySelector, Plan, Product,
};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_artifacts_object_store::ArtifactStore;
use sports_domain::Sport;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::datasets::{DatasetFiles, Datasets, Entitlements};
use sports_ports::{Clock, PortError, random_bytes};
use sports_random_system::SystemRandom;
use sports_usecases::accounts::{AccountError, issue_key, open_account, revoke_key};

use super::Failure;

const EMAIL: &str = "demo@example.com";

/// What the demo's customer has bought: the newest simulated season of a league, as a file.
const PRODUCT: &str = "simulated-history";
const DATASET_OF: Sport = Sport::Nfl;

/// A new key of the demo's customer, who is made at the first start.
pub(super) async fn key(
    accounts: &AccountsDatabase,
    store: &ArtifactStore,
    dataset: &Path,
    clock: &dyn Clock,
) -> Result<ApiKey, Failure> {
    let customer = demo_customer(accounts, clock).await?;
    own_a_dataset(accounts, store, customer, dataset, clock.now()).await?;
    match fresh_key(accounts, customer, clock.now()).await {
        Err(AccountError::KeyLimit) => {
            // Many demos were started in this folder: the keys of those before make room.
            for key in accounts.keys_of(customer).await?.iter().filter(|key| key.is_active(clock.now())) {
                revoke_key(accounts, customer, &KeySelector::Full(key.digest), clock.now()).await?;
            }
            Ok(fresh_key(accounts, customer, clock.now()).await?)
        }
        issued => Ok(issued?),
    }
}

async fn fresh_key(ring: &dyn KeyRing, customer: CustomerId, now: DateTime<Utc>) -> Result<ApiKey, AccountError> {
    let name = KeyName::new("demo").map_err(|error| PortError::corrupt("the demo", error))?;
    issue_key(ring, customer, (name, None), now, random_bytes(&SystemRandom)?).await.map(|(key, _)| key)
}

async fn demo_customer(accounts: &AccountsDatabase, clock: &dyn Clock) -> Result<CustomerId, Failure> {
    if let Some(known) = accounts.list().await?.into_iter().find(|customer| customer.email.as_str() == EMAIL) {
        return Ok(known.id);
    }
    let account = (Email::new(EMAIL)?, CustomerName::new("Demo")?, Some(Plan::Ai));
    Ok(open_account(accounts, account, clock.now(), random_bytes(&SystemRandom)?).await?.id)
}

/// Puts a file on sale and grants it to the customer.
async fn own_a_dataset(
    accounts: &AccountsDatabase,
    store: &ArtifactStore,
    customer: CustomerId,
    file: &Path,
    now: DateTime<Utc>,
) -> Result<(), Failure> {
    let product: Product = PRODUCT.parse()?;
    let file_name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default().parse()?;
    let stored = store.put_file(file).await?;
    let (object, bytes) = (stored.object, stored.bytes);
    let dataset = Dataset { product: product.clone(), sport: DATASET_OF, file_name, object, bytes, added_at: now };
    accounts.add_dataset(&dataset).await?;
    let sport = DATASET_OF;
    let entitlement = Entitlement { customer, product, sport, granted_at: now, expires_at: None, revoked_at: None };
    // A demo started again grants what its customer has already.
    let _ = accounts.grant(&entitlement).await?;
    Ok(())
}
