use std::io::{self, BufRead as _, Read as _};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_accounts::{CustomerId, KeyRecord, KeySelector, NotASelector};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::accounts::KeyRing;
use sports_ports::random_bytes;
use sports_system::SystemRandom;
use sports_usecases::accounts::{AccountError, find_account, issue_key, revoke_key};

use crate::cli::Key;
use crate::failure::Failure;
use crate::instant;
use crate::places::Places;
use crate::report::Report;

/// Issues, lists or revokes keys.
pub async fn run(places: &Places<'_>, command: Key) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    let now = places.clock.now();
    match command {
        Key::Issue { customer, name, expires } => {
            let random = random_bytes(&SystemRandom).map_err(Failure::other)?;
            let (key, record) = issue_key(&accounts, customer, (name, expires), now, random).await?;
            let mut json = record_json(&record, now);
            json["api_key"] = key.reveal().into();
            let mut report = Report::new(vec![key.reveal().to_owned()], json);
            report.warnings.push("this is the only time the key is shown; only its hash is kept".to_owned());
            Ok(report)
        }
        Key::List { customer } => list(&accounts, customer, now).await,
        Key::Revoke { key, customer } => {
            let key = if key == "-" { from_stdin()? } else { key };
            revoke(&accounts, &key, customer, now).await
        }
    }
}

async fn list(accounts: &AccountsDatabase, customer: CustomerId, now: DateTime<Utc>) -> Result<Report, Failure> {
    find_account(accounts, customer).await?;
    let keys = accounts.keys_of(customer).await.map_err(Failure::other)?;
    let lines = keys.iter().map(|key| line(key, now));
    let json = keys.iter().map(|key| record_json(key, now)).collect::<Vec<_>>();
    Ok(Report::new(lines.collect(), json!({ "api_keys": json })))
}

async fn revoke(
    accounts: &AccountsDatabase,
    key: &str,
    customer: Option<CustomerId>,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    let selector: KeySelector = key.parse().map_err(|error: NotASelector| Failure::bad_input(error))?;
    let owner = match (customer, &selector) {
        (Some(customer), _) => customer,
        (None, KeySelector::Full(digest)) => match accounts.holder(digest).await.map_err(Failure::other)? {
            Some(holder) => holder.customer.id,
            None => return Err(AccountError::NoSuchKey.into()),
        },
        (None, KeySelector::Masked(_)) => {
            return Err(Failure::bad_input("a masked key needs --customer: several customers may have one like it"));
        }
    };
    let revoked = revoke_key(accounts, owner, &selector, now).await?;
    let line = format!("revoked {}; servers stop taking it within 2 seconds", revoked.masked);
    Ok(Report::new(vec![line], json!({ "revoked": revoked.masked.to_string(), "customer_id": owner.to_string() })))
}

/// The part of a line that is read, in bytes: more than any key has.
const LONGEST_LINE: u64 = 1024;

/// Reads a key from standard input: on the command line it would stay in the shell's history.
pub fn from_stdin() -> Result<String, Failure> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST_LINE).read_line(&mut line).map_err(Failure::other)?;
    Ok(line.trim().to_owned())
}

/// Formats one line of the list. The state's instant comes last, so that the columns before it are aligned.
fn line(key: &KeyRecord, now: DateTime<Utc>) -> String {
    let (state, instant) = match (key.revoked_at, key.expires_at) {
        (Some(at), _) => ("revoked", format!("  since {}", instant::written(at))),
        (None, Some(at)) if !key.is_active(now) => ("expired", format!("  since {}", instant::written(at))),
        (None, Some(at)) => ("active", format!("  until {}", instant::written(at))),
        (None, None) => ("active", String::new()),
    };
    format!("{}  {state:<8}  {}  {}{instant}", key.masked, key.created_at.format("%Y-%m-%d"), key.name.as_str())
}

fn record_json(key: &KeyRecord, now: DateTime<Utc>) -> Value {
    json!({
        "api_key": key.masked.to_string(),
        "name": key.name.as_str(),
        "created_at": instant::written(key.created_at),
        "is_active": key.is_active(now),
        "expires_at": key.expires_at.map(instant::written),
        "revoked_at": key.revoked_at.map(instant::written),
    })
}
