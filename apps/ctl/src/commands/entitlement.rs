use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_accounts::{CustomerId, Entitlement as Record, Product};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_domain::Sport;
use sports_ports::datasets::{EntitlementRevocation, Entitlements};
use sports_usecases::accounts::find_account;
use sports_usecases::datasets::grant_entitlement;

use crate::cli::Entitlement;
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Grants, lists or revokes rights to datasets.
pub async fn run(places: &Places<'_>, command: Entitlement) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    let now = places.clock.now();
    match command {
        Entitlement::Grant { customer, product, sport, expires } => {
            let entitlement =
                Record { customer, product, sport, granted_at: now, expires_at: expires, revoked_at: None };
            grant(&accounts, &entitlement, now).await
        }
        Entitlement::List { customer } => {
            find_account(&accounts, customer).await?;
            let held = accounts.entitlements_of(customer).await.map_err(Failure::other)?;
            let json = held.iter().map(|entitlement| entitlement_json(entitlement, now)).collect::<Vec<_>>();
            let lines = held.iter().map(|entitlement| line(entitlement, now)).collect();
            Ok(Report::new(lines, json!({ "entitlements": json })))
        }
        Entitlement::Revoke { customer, product, sport } => {
            find_account(&accounts, customer).await?;
            revoke(&accounts, customer, &product, sport, now).await
        }
    }
}

async fn grant(accounts: &AccountsDatabase, entitlement: &Record, now: DateTime<Utc>) -> Result<Report, Failure> {
    let opens_something = grant_entitlement(accounts, accounts, entitlement, now).await?;
    let mut report = Report::new(vec![line(entitlement, now)], entitlement_json(entitlement, now));
    if !opens_something {
        let Record { product, sport, .. } = entitlement;
        let warning =
            format!("there is no dataset of {product} for {sport} yet; `sportsctl dataset list` shows what there is");
        report.warnings.push(warning);
    }
    Ok(report)
}

async fn revoke(
    accounts: &AccountsDatabase,
    customer: CustomerId,
    product: &Product,
    sport: Sport,
    now: DateTime<Utc>,
) -> Result<Report, Failure> {
    let revoked = accounts.revoke_entitlement(customer, product, sport, now).await.map_err(Failure::other)?;
    match revoked {
        EntitlementRevocation::Revoked => {
            let line = format!("revoked {product} for {sport}; links issued before no longer work");
            let json = json!({
                "revoked": { "customer_id": customer.to_string(), "product": product.as_str(), "sport": sport.code() }
            });
            Ok(Report::new(vec![line], json))
        }
        EntitlementRevocation::NotInForce => {
            Err(Failure::bad_input(format!("the customer has no entitlement to {product} for {sport} in force")))
        }
    }
}

fn line(entitlement: &Record, now: DateTime<Utc>) -> String {
    let Record { customer, product, sport, .. } = entitlement;
    let end = entitlement
        .expires_at
        .map_or_else(|| "no end".to_owned(), |end| format!("until {}", report::written_instant(end)));
    let state = if entitlement.is_in_force(now) { "in force" } else { "not in force" };
    format!("{customer}  {product}  {sport}  {state}  {end}")
}

fn entitlement_json(entitlement: &Record, now: DateTime<Utc>) -> Value {
    json!({
        "customer_id": entitlement.customer.to_string(),
        "product": entitlement.product.as_str(),
        "sport": entitlement.sport.code(),
        "in_force": entitlement.is_in_force(now),
        "granted_at": report::written_instant(entitlement.granted_at),
        "expires_at": entitlement.expires_at.map(report::written_instant),
        "revoked_at": entitlement.revoked_at.map(report::written_instant),
    })
}
