use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_accounts::{AuditEntry, CustomerId};
use sports_accounts_sea_orm::{AccountsDatabase, ConnectError};
use sports_ports::error_chain;

use crate::failure::Failure;
use crate::places::Places;
use crate::report;
use crate::report::Report;

/// The cause of a missing entry where the tables are of an older version.
const OLDER: &str = "the database is of an older version; bring it up to date with `sportsctl migrate`, once all servers are of \
    this version";

/// Lists changes of accounts and publishes, oldest first.
pub async fn run(
    places: &Places<'_>,
    customer: Option<CustomerId>,
    since: Option<DateTime<Utc>>,
) -> Result<Report, Failure> {
    let entries = places.accounts().await?.audit_log(customer, since).await.map_err(Failure::other)?;
    let json = entries.iter().map(entry_json).collect::<Vec<_>>();
    Ok(Report::new(entries.iter().map(line).collect(), json!({ "audit_log": json })))
}

/// Adds a change of the record to the audit log, if there is a database. Nothing that goes wrong here fails the change.
pub async fn note(places: &Places<'_>, action: &'static str, detail: &str, report: &mut Report) {
    if let Err(Failure::BadInput(cause) | Failure::Other(cause)) = try_to_note(places, action, detail).await {
        report.warn(vec![format!("the audit log lacks this {action}: {}", error_chain(&*cause))]);
    }
}

async fn try_to_note(places: &Places<'_>, action: &'static str, detail: &str) -> Result<(), Failure> {
    expect_up_to_date(places).await?;
    let Some(accounts) = places.accounts_if_any().await? else { return Ok(()) };
    let noted = accounts.note(action, detail).await.map_err(Failure::other);
    // The entry is committed in any case.
    drop(accounts.close().await);
    noted
}

/// Refuses a database that opening it would migrate: servers of an older version may have it open.
async fn expect_up_to_date(places: &Places<'_>) -> Result<(), Failure> {
    let settings = places.settings();
    if settings.expect_place("database.url").is_err() {
        return Ok(());
    }
    match AccountsDatabase::is_older(settings.database.url.reveal()).await {
        Ok(true) => Err(Failure::bad_input(OLDER)),
        Ok(false) | Err(ConnectError::NoSuchFile { .. } | ConnectError::NoTables { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn line(entry: &AuditEntry) -> String {
    let AuditEntry { at, actor, place, action, customer, detail } = entry;
    let customer = customer.map(|customer| customer.to_string()).unwrap_or_default();
    let parts = [
        report::written_instant(*at),
        format!("{action:<18}"),
        customer,
        detail.clone(),
        format!("by {actor} from {place}"),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
}

fn entry_json(entry: &AuditEntry) -> Value {
    json!({
        "at": report::written_instant(entry.at),
        "action": entry.action,
        "customer_id": entry.customer.map(|customer| customer.to_string()),
        "detail": entry.detail,
        "actor": entry.actor,
        "from": entry.place,
    })
}
