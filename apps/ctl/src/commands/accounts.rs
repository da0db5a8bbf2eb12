use serde_json::json;
use sports_accounts_sea_orm::{
    AccountsDatabase, Copied, CopyError, ServerLock, expect_restored, is_shared, make_folder, sqlite_file,
};

use crate::cli::Accounts;
use crate::failure::Failure;
use crate::places::{Places, expect_own_database};
use crate::report::Report;

/// Copies all data about customers from one database into another.
pub async fn run(places: &Places<'_>, command: Accounts) -> Result<Report, Failure> {
    let Accounts::Copy { from, to } = command;
    let (name, to) = match to {
        Some(to) => ("--to", to),
        None => ("database.url", places.address()?.to_owned()),
    };
    if from == to {
        return Err(Failure::bad_input(format!("--from and {name} name the same database")));
    }
    let source = AccountsDatabase::connect_existing(&from).await?;
    let copied = copy_into(&source, &to).await;
    // The source was only read.
    drop(source.close().await);
    Ok(report(copied?))
}

async fn copy_into(source: &AccountsDatabase, to: &str) -> Result<Copied, Failure> {
    let _alone = server_place(to)?;
    let target = AccountsDatabase::connect(to).await?;
    let copied = source.copy_to(&target).await;
    let closed = target.close().await;
    let copied = copied.map_err(|error| match error {
        CopyError::OtherData(_) | CopyError::Served => Failure::bad_input(error),
        CopyError::Source(_) | CopyError::Target(_) => Failure::other(error),
    })?;
    closed.map_err(Failure::other)?;
    Ok(copied)
}

/// Takes the lock of a SQLite file that is the target: a server on it would not see the copied counts.
fn server_place(to: &str) -> Result<Option<ServerLock>, Failure> {
    if is_shared(to) {
        return Ok(None);
    }
    let file = sqlite_file(to)?;
    expect_own_database(to)?;
    expect_restored(&file)?;
    make_folder(&file)?;
    ServerLock::take(&file).map(Some).map_err(Failure::other)
}

fn report(copied: Copied) -> Report {
    let Copied { customers, keys, counts, refreshes, entitlements, webhooks, datasets, secrets, audit_log } = copied;
    let lines = vec![
        format!(
            "{customers} customers, {keys} keys, {entitlements} entitlements, {datasets} datasets and {secrets} secrets"
        ),
        format!("{counts} counts of requests and {refreshes} of dataset refreshes, by customer and month"),
        format!("{webhooks} webhooks and {audit_log} entries of the audit log"),
        "copied; serve the new database only after a copy that was made with the old one's server stopped".to_owned(),
    ];
    let json = json!({
        "customers": customers, "keys": keys, "entitlements": entitlements, "datasets": datasets, "secrets": secrets,
        "counts": counts, "refreshes": refreshes, "audit_log": audit_log, "webhooks": webhooks,
    });
    Report::new(lines, json)
}
