//! The account whose key a demo prints.

use std::path::Path;

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, CustomerId, CustomerName, Dataset, Email, Entitlement, KeyName, KeySelector, MAX_ACTIVE_KEYS, Plan, Product,
};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_artifacts_object_store::ArtifactStore;
use sports_domain::Sport;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::datasets::{DatasetFiles, Datasets, Entitlements};
use sports_ports::{Clock, PortError, random_bytes};
use sports_system::SystemRandom;
use sports_usecases::accounts::{AccountError, issue_key, open_account, revoke_key};

use crate::failure::Failure;

const EMAIL: &str = "demo@example.com";

/// The name of the keys that a demo prints.
const KEY_NAME: &str = "demo";

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
    make_room(accounts, customer, clock.now()).await?;
    Ok(fresh_key(accounts, customer, clock.now()).await?)
}

/// Revokes the oldest keys of earlier starts in this folder, where there is no room for one more. Keys of other names
/// are left alone, even if there is no room then.
async fn make_room(ring: &dyn KeyRing, customer: CustomerId, now: DateTime<Utc>) -> Result<(), AccountError> {
    let mut active = ring.keys_of(customer).await?;
    active.retain(|key| key.is_active(now));
    let too_many = (active.len() + 1).saturating_sub(MAX_ACTIVE_KEYS);
    for key in active.iter().filter(|key| key.name.as_str() == KEY_NAME).take(too_many) {
        revoke_key(ring, customer, &KeySelector::Full(key.digest), now).await?;
    }
    Ok(())
}

async fn fresh_key(ring: &dyn KeyRing, customer: CustomerId, now: DateTime<Utc>) -> Result<ApiKey, AccountError> {
    let name = KeyName::new(KEY_NAME).map_err(|error| PortError::corrupt("the demo", error))?;
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
    // At a later start the customer has it already.
    let _ = accounts.grant(&entitlement).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use sports_accounts::KeyRecord;
    use sports_accounts::testing::{a_customer, a_key_record, second};
    use sports_testkit::accounts::AccountsFake;

    use super::*;

    /// The demo's customer with keys of these names, a second between one and the next.
    async fn holding(names: &[&str]) -> (AccountsFake, CustomerId) {
        let (accounts, customer) = (AccountsFake::new(), a_customer().build());
        let _ = accounts.create(&customer).await.expect("answers");
        for (seed, name) in (1..).zip(names) {
            let name = KeyName::new(name).expect("a name");
            let made = a_key_record().seeded(seed).build();
            let key = KeyRecord { name, created_at: second(i64::from(seed)), ..made };
            let _ = accounts.issue(customer.id, &key).await.expect("answers");
        }
        (accounts, customer.id)
    }

    /// The places of the revoked keys, in the order of their issue.
    async fn revoked(accounts: &AccountsFake, customer: CustomerId) -> Vec<usize> {
        let keys = accounts.keys_of(customer).await.expect("answers");
        (0..keys.len()).filter(|place| keys[*place].revoked_at.is_some()).collect()
    }

    #[tokio::test]
    async fn only_the_oldest_key_of_a_demo_is_revoked_to_make_room() {
        let mut names = [KEY_NAME; MAX_ACTIVE_KEYS];
        (names[0], names[5]) = ("notebook", "server");
        let (accounts, customer) = holding(&names).await;
        make_room(&accounts, customer, second(100)).await.expect("room");
        assert_eq!(revoked(&accounts, customer).await, [1]);
        assert!(fresh_key(&accounts, customer, second(100)).await.is_ok());
        make_room(&accounts, customer, second(101)).await.expect("room");
        assert_eq!(revoked(&accounts, customer).await, [1, 2]);
    }

    #[tokio::test]
    async fn no_key_is_revoked_where_there_is_room() {
        let (accounts, customer) = holding(&[KEY_NAME; MAX_ACTIVE_KEYS - 1]).await;
        make_room(&accounts, customer, second(100)).await.expect("room");
        assert!(revoked(&accounts, customer).await.is_empty());
    }

    #[tokio::test]
    async fn keys_of_other_names_stay_even_where_there_is_no_room() {
        let (accounts, customer) = holding(&["mine"; MAX_ACTIVE_KEYS]).await;
        make_room(&accounts, customer, second(100)).await.expect("nothing to do");
        assert!(revoked(&accounts, customer).await.is_empty());
        let refused = fresh_key(&accounts, customer, second(100)).await;
        assert!(matches!(refused, Err(AccountError::KeyLimit)), "{refused:?}");
    }
}
