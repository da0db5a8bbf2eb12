//! The account whose key a demo prints.

use chrono::{DateTime, Utc};
use sports_accounts::{ApiKey, CustomerId, CustomerName, Email, KeyName, KeySelector, Plan};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::{Clock, PortError};
use sports_usecases::accounts::{AccountError, issue_key, open_account, revoke_key};

use super::Failure;

const EMAIL: &str = "demo@example.com";

/// A new key of the demo's customer, who is made at the first start.
pub(super) async fn key(accounts: &AccountsDatabase, clock: &dyn Clock) -> Result<ApiKey, Failure> {
    let customer = demo_customer(accounts, clock).await?;
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
    let random = random().map_err(|error| PortError::unavailable("the system's randomness", error))?;
    let name = KeyName::new("demo").map_err(|error| PortError::corrupt("the demo", error))?;
    issue_key(ring, customer, (name, None), now, random).await.map(|(key, _)| key)
}

async fn demo_customer(accounts: &AccountsDatabase, clock: &dyn Clock) -> Result<CustomerId, Failure> {
    if let Some(known) = accounts.list().await?.into_iter().find(|customer| customer.email.as_str() == EMAIL) {
        return Ok(known.id);
    }
    let account = (Email::new(EMAIL)?, CustomerName::new("Demo")?, Some(Plan::Ai));
    Ok(open_account(accounts, account, clock.now(), random()?).await?.id)
}

fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
