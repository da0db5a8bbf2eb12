use std::io;
use std::io::{BufRead as _, Read as _};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_accounts::{CustomerId, KeyRecord, KeySelector, KeyUse, Networks};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::accounts::KeyRing;
use sports_ports::random_bytes;
use sports_program::SystemRandom;
use sports_usecases::accounts::{AccountError, NewKey, find_account, issue_key, revoke_all_keys, revoke_key};

use crate::cli::Key;
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Issues, lists or revokes keys.
pub async fn run(places: &Places<'_>, command: Key) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    let now = places.clock.now();
    match command {
        Key::Issue { customer, name, expires, scope, allow } => {
            let random = random_bytes(&SystemRandom).map_err(Failure::other)?;
            let allowed_networks = Networks::each_of(&allow).map_err(Failure::bad_input)?;
            let new = NewKey { expires_at: expires, scope, allowed_networks, ..NewKey::named(name) };
            let (key, record) = issue_key(&accounts, customer, new, now, random).await?;
            let mut json = record_json(&record, now);
            json["api_key"] = key.reveal().into();
            let mut report = Report::new(vec![key.reveal().to_owned()], json);
            report.warnings.push("this is the only time the key is shown; only its hash is kept".to_owned());
            Ok(report)
        }
        Key::List { customer, expiring: Some(within) } => expiring(&accounts, customer, within, now).await,
        Key::List { customer: Some(customer), expiring: None } => list(&accounts, customer, now).await,
        Key::Revoke { customer: Some(customer), all: true, except, since, .. } => {
            revoke_all(&accounts, customer, except, since.unwrap_or_default(), now).await
        }
        Key::Revoke { key: Some(key), customer, .. } => {
            let key = if key == "-" { from_stdin()? } else { key };
            revoke(&accounts, &key, customer, now).await
        }
        // The parser refuses these.
        Key::List { .. } | Key::Revoke { .. } => Err(Failure::bad_input("--customer is missing")),
    }
}

async fn list(accounts: &AccountsDatabase, customer: CustomerId, now: DateTime<Utc>) -> Result<Report, Failure> {
    find_account(accounts, customer).await?;
    let keys = accounts.keys_of(customer).await.map_err(Failure::other)?;
    let lines = keys.iter().map(|key| line(key, now));
    let json = keys.iter().map(|key| record_json(key, now)).collect::<Vec<_>>();
    Ok(Report::new(lines.collect(), json!({ "api_keys": json })))
}

/// Lists the active keys that expire soon, of one customer or all.
async fn expiring(
    accounts: &AccountsDatabase,
    customer: Option<CustomerId>,
    within: Duration,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    if let Some(customer) = customer {
        find_account(accounts, customer).await?;
    }
    let before = TimeDelta::from_std(within).ok().and_then(|within| now.checked_add_signed(within));
    let before = before.ok_or_else(|| Failure::bad_input("--expiring is too long: name some days, such as 14d"))?;
    let mut holders = accounts.keys_expiring(now, before).await.map_err(Failure::other)?;
    holders.retain(|holder| customer.is_none_or(|customer| holder.customer.id == customer));
    let lines = holders.iter().map(|holder| format!("{}  {}", holder.customer.id, line(&holder.key, now)));
    let json = holders.iter().map(|holder| {
        let mut json = record_json(&holder.key, now);
        json["customer_id"] = holder.customer.id.to_string().into();
        json
    });
    Ok(Report::new(lines.collect(), json!({ "api_keys": json.collect::<Vec<_>>() })))
}

/// Revokes the keys of a customer that were created since an instant, but for one, if that is given.
async fn revoke_all(
    accounts: &AccountsDatabase,
    customer: CustomerId,
    except: Option<String>,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    find_account(accounts, customer).await?;
    let except = except.map(|key| if key == "-" { from_stdin() } else { Ok(key) }).transpose()?;
    let except = except.map(|key| key.parse::<KeySelector>()).transpose().map_err(Failure::bad_input)?;
    let revoked = revoke_all_keys(accounts, customer, since, except.as_ref(), now).await?;
    let lines = revoked.iter().map(|key| format!("revoked {}  {}", key.masked, key.name.as_str()));
    let sum = format!("keys revoked: {}; servers stop taking them within 2 seconds", revoked.len());
    let json = revoked.iter().map(|key| key.masked.to_string()).collect::<Vec<_>>();
    Ok(Report::new(lines.chain([sum]).collect(), json!({ "revoked": json, "customer_id": customer.to_string() })))
}

async fn revoke(
    accounts: &AccountsDatabase,
    key: &str,
    customer: Option<CustomerId>,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    let selector: KeySelector = key.parse().map_err(Failure::bad_input)?;
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
        (Some(at), _) => ("revoked", format!("  since {}", report::written_instant(at))),
        (None, Some(at)) if !key.is_active(now) => ("expired", format!("  since {}", report::written_instant(at))),
        (None, Some(at)) => ("active", format!("  until {}", report::written_instant(at))),
        (None, None) => ("active", String::new()),
    };
    let created = key.created_at.format("%Y-%m-%d");
    let creator = key.created_by.as_deref().unwrap_or("?");
    let used = match key.last_use {
        Some(KeyUse { at, network }) => format!("used {} from {network}", at.format("%Y-%m-%dT%H:%M:%SZ")),
        None => "not used".to_owned(),
    };
    let limits =
        if key.allowed_networks.is_empty() { String::new() } else { format!(" from {}", key.allowed_networks) };
    let (scope, name) = (key.scope.code(), key.name.as_str());
    format!("{}  {state:<8}  {created}  by {creator:<20}  {used}  {scope}{limits}  {name}{instant}", key.masked)
}

fn record_json(key: &KeyRecord, now: DateTime<Utc>) -> Value {
    json!({
        "api_key": key.masked.to_string(),
        "name": key.name.as_str(),
        "created_at": report::written_instant(key.created_at),
        "is_active": key.is_active(now),
        "expires_at": key.expires_at.map(report::written_instant),
        "revoked_at": key.revoked_at.map(report::written_instant),
        "scope": key.scope.code(),
        "allowed_networks": key.allowed_networks.texts().collect::<Vec<_>>(),
        "created_by": key.created_by,
        "last_used_at": key.last_use.map(|last| report::written_instant(last.at)),
        "last_used_from": key.last_use.map(|last| last.network.to_string()),
    })
}
