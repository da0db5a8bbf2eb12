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

/// The name of the key that the examples of the API's document rename and revoke.
const SPARE_NAME: &str = "spare";

/// How the spare key looks in lists, whatever the rest of it is. The document's examples name it by this.
pub const SPARE_KEY: &str = "sk_service_demo*****";

/// The first of a key's random bytes that make it look so.
const SPARE_BEGINS: [u8; 4] = [0xA7, 0x3D, 0x8D, 0x26];

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
    let now = clock.now();
    Ok(keys(accounts, customer, now).await?)
}

/// A new key to print, and the spare one unless there is one already or no room for it.
async fn keys(ring: &dyn KeyRing, customer: CustomerId, now: DateTime<Utc>) -> Result<ApiKey, AccountError> {
    let known = ring.keys_of(customer).await?;
    let has_spare = known.iter().any(|key| key.is_active(now) && key.masked.to_string() == SPARE_KEY);
    make_room(ring, customer, if has_spare { 1 } else { 2 }, now).await?;
    let key = issue(ring, customer, KEY_NAME, now, random_bytes(&SystemRandom)?).await?;
    if !has_spare {
        let mut random = random_bytes(&SystemRandom)?;
        random[..SPARE_BEGINS.len()].copy_from_slice(&SPARE_BEGINS);
        match issue(ring, customer, SPARE_NAME, now, random).await {
            Ok(_) | Err(AccountError::KeyLimit) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(key)
}

/// Revokes the oldest keys of earlier starts in this folder, where there is no room for this many more. Keys of other
/// names are left alone, even if there is no room then.
async fn make_room(
    ring: &dyn KeyRing,
    customer: CustomerId,
    wanted: usize,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let mut active = ring.keys_of(customer).await?;
    active.retain(|key| key.is_active(now));
    let too_many = (active.len() + wanted).saturating_sub(MAX_ACTIVE_KEYS);
    for key in active.iter().filter(|key| key.name.as_str() == KEY_NAME).take(too_many) {
        revoke_key(ring, customer, &KeySelector::Full(key.digest), now).await?;
    }
    Ok(())
}

async fn issue(
    ring: &dyn KeyRing,
    customer: CustomerId,
    name: &str,
    now: DateTime<Utc>,
    random: [u8; 32],
) -> Result<ApiKey, AccountError> {
    let name = KeyName::new(name).map_err(|error| PortError::corrupt("the demo", error))?;
    issue_key(ring, customer, (name, None), now, random).await.map(|(key, _)| key)
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

    /// The keys that look like the spare one, with whether each is active.
    async fn spare(accounts: &AccountsFake, customer: CustomerId) -> Vec<(String, bool)> {
        let keys = accounts.keys_of(customer).await.expect("answers");
        let spare = keys.iter().filter(|key| key.masked.to_string() == SPARE_KEY);
        spare.map(|key| (key.name.to_string(), key.is_active(second(200)))).collect()
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
        make_room(&accounts, customer, 1, second(100)).await.expect("room");
        assert_eq!(revoked(&accounts, customer).await, [1]);
        issue(&accounts, customer, KEY_NAME, second(100), [100; 32]).await.expect("a key like none of these");
        make_room(&accounts, customer, 1, second(101)).await.expect("room");
        assert_eq!(revoked(&accounts, customer).await, [1, 2]);
    }

    #[tokio::test]
    async fn no_key_is_revoked_where_there_is_room() {
        let (accounts, customer) = holding(&[KEY_NAME; MAX_ACTIVE_KEYS - 1]).await;
        make_room(&accounts, customer, 1, second(100)).await.expect("room");
        assert!(revoked(&accounts, customer).await.is_empty());
    }

    #[tokio::test]
    async fn keys_of_other_names_stay_even_where_there_is_no_room() {
        let (accounts, customer) = holding(&["mine"; MAX_ACTIVE_KEYS]).await;
        make_room(&accounts, customer, 1, second(100)).await.expect("nothing to do");
        assert!(revoked(&accounts, customer).await.is_empty());
        let refused = keys(&accounts, customer, second(100)).await;
        assert!(matches!(refused, Err(AccountError::KeyLimit)), "{refused:?}");
    }

    #[tokio::test]
    async fn there_is_one_spare_key_until_it_is_revoked_and_a_new_one_at_the_next_start() {
        let (accounts, customer) = holding(&[KEY_NAME; MAX_ACTIVE_KEYS]).await;
        for _ in 0..2 {
            keys(&accounts, customer, second(100)).await.expect("there is room");
            assert_eq!(spare(&accounts, customer).await, [("spare".to_owned(), true)]);
        }
        let selector = SPARE_KEY.parse().expect("a masked key");
        revoke_key(&accounts, customer, &selector, second(101)).await.expect("one key looks like this");
        keys(&accounts, customer, second(102)).await.expect("there is room");
        let expected = [("spare".to_owned(), false), ("spare".to_owned(), true)];
        assert_eq!(spare(&accounts, customer).await, expected);
    }

    #[tokio::test]
    async fn a_demo_without_room_for_a_spare_key_starts_without_one() {
        let (accounts, customer) = holding(&["mine"; MAX_ACTIVE_KEYS - 1]).await;
        keys(&accounts, customer, second(100)).await.expect("there is room for one");
        assert!(spare(&accounts, customer).await.is_empty());
    }
}
