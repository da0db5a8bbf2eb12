use serde_json::{Value, json};
use sports_accounts::{Customer as Account, Plan};
use sports_ports::accounts::Customers;
use sports_usecases::accounts::{AccountError, open_account};

use crate::cli::{Customer, PlanChoice};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Opens or shows accounts.
pub async fn run(places: &Places<'_>, command: Customer) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    match command {
        Customer::Create { email, name, plan: PlanChoice(plan) } => {
            let random = super::key::random()?;
            let opened = open_account(&accounts, (email, name, plan), places.clock.now(), random).await;
            opened.map(|account| shown(&account)).map_err(super::key::account_failure)
        }
        Customer::List => {
            let all = accounts.list().await.map_err(Failure::other)?;
            let lines = all.iter().map(line).collect();
            Ok(Report::new(lines, json!({ "customers": all.iter().map(customer_json).collect::<Vec<_>>() })))
        }
        Customer::Show { id } => match accounts.find(id).await.map_err(Failure::other)? {
            Some(account) => Ok(shown(&account)),
            None => Err(Failure::bad_input(AccountError::NoSuchCustomer(id))),
        },
    }
}

fn shown(account: &Account) -> Report {
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
        "created_at": account.created_at.to_rfc3339(),
    })
}
