use std::collections::BTreeMap;

use serde_json::{Value, json};
use sports_accounts::{CalendarMonth, Customer as Account, CustomerId, Plan};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::accounts::Customers;
use sports_ports::datasets::Refreshes;
use sports_ports::metering::UsageCounts;
use sports_ports::random_bytes;
use sports_program::SystemRandom;
use sports_usecases::accounts::{change_email, find_account, open_account};

use crate::cli::{Customer, PlanChoice};
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// Opens or shows accounts.
pub async fn run(places: &Places<'_>, command: Customer) -> Result<Report, Failure> {
    // The first customer creates the database; the other commands expect it to exist.
    let accounts = match command {
        Customer::Create { .. } => places.new_accounts().await?,
        _ => places.accounts().await?,
    };
    match command {
        Customer::Create { email, name, plan: PlanChoice(plan) } => {
            let random = random_bytes(&SystemRandom).map_err(Failure::other)?;
            let account = open_account(&accounts, (email, name, plan), places.clock.now(), random).await?;
            Ok(account_report(&account))
        }
        Customer::List => {
            let all = accounts.list().await.map_err(Failure::other)?;
            let lines = all.iter().map(line).collect();
            Ok(Report::new(lines, json!({ "customers": all.iter().map(customer_json).collect::<Vec<_>>() })))
        }
        Customer::Show { id } => Ok(account_report(&find_account(&accounts, id).await?)),
        Customer::Plan { id, plan: PlanChoice(plan) } => {
            let _ = accounts.change_plan(id, plan).await.map_err(Failure::other)?;
            Ok(account_report(&find_account(&accounts, id).await?))
        }
        Customer::Email { id, email } => {
            change_email(&accounts, id, &email).await?;
            Ok(account_report(&find_account(&accounts, id).await?))
        }
        Customer::Delete { id, yes } => {
            let account = find_account(&accounts, id).await?;
            if !yes {
                return Err(Failure::bad_input(format!(
                    "this deletes {} for good: add --yes to do it",
                    line(&account)
                )));
            }
            accounts.delete(id).await.map_err(Failure::other)?;
            let deleted = format!("deleted {id}; servers stop taking its keys within 2 seconds");
            Ok(Report::new(vec![deleted], json!({ "deleted": id.to_string() })))
        }
        Customer::Usage { id } => usage(&accounts, id, CalendarMonth::containing(places.clock.now())).await,
    }
}

/// Reports the counts of this month and of every other month with a request.
async fn usage(accounts: &AccountsDatabase, id: CustomerId, now: CalendarMonth) -> Result<Report, Failure> {
    let counts = accounts.of_customer(id).await.map_err(Failure::other)?;
    // The counts of a deleted customer stay.
    if counts.is_empty() {
        find_account(accounts, id).await?;
    }
    let mut months: BTreeMap<_, _> = counts.iter().map(|count| (count.month, count.calls)).collect();
    months.entry(now).or_default();
    let (mut lines, mut json) = (Vec::new(), Vec::new());
    for (month, requests) in months.into_iter().rev() {
        let refreshes = accounts.refreshes_taken(id, month).await.map_err(Failure::other)?;
        lines.push(format!("{month}  {requests} requests  {refreshes} dataset refreshes"));
        json.push(json!({ "month": month.to_string(), "requests": requests, "dataset_refreshes": refreshes }));
    }
    Ok(Report::new(lines, json!({ "customer_id": id.to_string(), "months": json })))
}

fn account_report(account: &Account) -> Report {
    Report::new(vec![line(account)], customer_json(account))
}

fn line(account: &Account) -> String {
    let plan = account.plan.map_or("none", Plan::code);
    format!("{}  {}  {}  plan {plan}", account.id, account.email.as_str(), account.name.as_str())
}

fn customer_json(account: &Account) -> Value {
    json!({
        "customer_id": account.id.to_string(),
        "email": account.email.as_str(),
        "name": account.name.as_str(),
        "plan": account.plan.map(Plan::code),
        "created_at": report::written_instant(account.created_at),
    })
}
