//! The account of a demo, whose key is printed.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use chrono::{DateTime, Utc};
use sports_accounts::{
    ApiKey, CustomerId, CustomerName, Dataset, Email, Entitlement, KeyName, KeySelector, MAX_ACTIVE_KEYS, Plan, Product,
};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_domain::Sport;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::datasets::{DatasetFiles, Datasets, Entitlements};
use sports_ports::{Clock, PortError, Random, random_bytes};
use sports_program::SystemRandom;
use sports_store::ArtifactStore;
use sports_usecases::accounts::{AccountError, NewKey, issue_key, open_account, revoke_key};

use crate::failure::Failure;

const EMAIL: &str = "demo@example.com";

/// The name of the keys that a demo prints.
const KEY_NAME: &str = "demo";

/// The name of the key that the examples of the API's document rename and revoke.
const SPARE_NAME: &str = "spare";

/// The masked form of the spare key. The document's examples name it by this form, so it never changes.
pub const SPARE_KEY: &str = "sk_service_demo*****";

/// The first random bytes of a key that has this masked form.
const SPARE_BEGINS: [u8; 4] = [0xA7, 0x3D, 0x8D, 0x26];

/// The product and the league of the demo customer's dataset: the newest simulated season, as a file.
const PRODUCT: &str = "simulated-history";

const DATASET_OF: Sport = Sport::Nfl;

/// Issues a new key for the demo's customer. Creates the customer at the first start.
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

/// Issues the key that is printed, and a spare key unless there is one or the limit is reached.
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

/// Revokes the oldest printed keys if fewer than `wanted` keys can be added. Keys with other names are never revoked,
/// even if the limit stays reached.
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
    issue_key(ring, customer, NewKey::named(name), now, random).await.map(|(key, _)| key)
}

async fn demo_customer(accounts: &AccountsDatabase, clock: &dyn Clock) -> Result<CustomerId, Failure> {
    if let Some(known) = accounts.list().await?.into_iter().find(|customer| customer.email.as_str() == EMAIL) {
        return Ok(known.id);
    }
    let account = (Email::new(EMAIL)?, CustomerName::new("Demo")?, Some(Plan::Ai));
    Ok(open_account(accounts, account, clock.now(), random_bytes(&SystemRandom)?).await?.id)
}

/// Adds a dataset and grants it to the customer.
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
    // At a later start the customer has the entitlement already.
    let _ = accounts.grant(&entitlement).await?;
    Ok(())
}

// The address that opens the page with the key.

/// A token for one exchange, too long to guess.
pub(super) struct Token(String);

impl Token {
    /// Draws a token.
    pub(super) fn draw(random: &dyn Random) -> Result<Self, PortError> {
        let bytes: [u8; 32] = random_bytes(random)?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The program that opens an address in the browser of its user.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens an address in a browser; returns false if that cannot be started.
pub(super) fn open_page(address: &str) -> bool {
    let mut command = Command::new(OPENER);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use sports_accounts::KeyRecord;
    use sports_accounts::testing::{a_customer, a_key_record, second};
    use sports_testkit::accounts::AccountsFake;

    use super::*;

    /// Creates the demo's customer with keys of these names, issued a second apart.
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

    /// Returns the names of the keys with the spare key's masked form; `true` for active keys.
    async fn spare(accounts: &AccountsFake, customer: CustomerId) -> Vec<(String, bool)> {
        let keys = accounts.keys_of(customer).await.expect("answers");
        let spare = keys.iter().filter(|key| key.masked.to_string() == SPARE_KEY);
        spare.map(|key| (key.name.to_string(), key.is_active(second(200)))).collect()
    }

    /// Returns the indices of the revoked keys, in the order of issue.
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
        issue(&accounts, customer, KEY_NAME, second(100), [100; 32]).await.expect("a different key");
        make_room(&accounts, customer, 1, second(101)).await.expect("room");
        assert_eq!(revoked(&accounts, customer).await, [1, 2]);
    }

    #[tokio::test]
    async fn no_key_is_revoked_below_the_limit() {
        let (accounts, customer) = holding(&[KEY_NAME; MAX_ACTIVE_KEYS - 1]).await;
        make_room(&accounts, customer, 1, second(100)).await.expect("room");
        assert!(revoked(&accounts, customer).await.is_empty());
    }

    #[tokio::test]
    async fn keys_of_other_names_stay_even_at_the_limit() {
        let (accounts, customer) = holding(&["mine"; MAX_ACTIVE_KEYS]).await;
        make_room(&accounts, customer, 1, second(100)).await.expect("no key to revoke");
        assert!(revoked(&accounts, customer).await.is_empty());
        let refused = keys(&accounts, customer, second(100)).await;
        assert!(matches!(refused, Err(AccountError::KeyLimit)), "{refused:?}");
    }

    #[tokio::test]
    async fn a_demo_has_one_spare_key_and_a_new_one_after_its_revocation() {
        let (accounts, customer) = holding(&[KEY_NAME; MAX_ACTIVE_KEYS]).await;
        for _ in 0..2 {
            keys(&accounts, customer, second(100)).await.expect("there is room");
            assert_eq!(spare(&accounts, customer).await, [("spare".to_owned(), true)]);
        }
        let selector = SPARE_KEY.parse().expect("a masked key");
        revoke_key(&accounts, customer, &selector, second(101)).await.expect("one key has this form");
        keys(&accounts, customer, second(102)).await.expect("there is room");
        let expected = [("spare".to_owned(), false), ("spare".to_owned(), true)];
        assert_eq!(spare(&accounts, customer).await, expected);
    }

    #[tokio::test]
    async fn a_demo_at_the_limit_starts_without_a_spare_key() {
        let (accounts, customer) = holding(&["mine"; MAX_ACTIVE_KEYS - 1]).await;
        keys(&accounts, customer, second(100)).await.expect("there is room for one");
        assert!(spare(&accounts, customer).await.is_empty());
    }
}
