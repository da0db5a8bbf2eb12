use std::path::Path;

use serde_json::json;
use sports_accounts_sea_orm::AccountsDatabase;

use crate::backup::{Contents, Manifest, Readable, Unfinished, copy_store, create_file, fingerprint};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Copies the database and the store into a folder and verifies the copies.
pub async fn run(places: &Places<'_>, folder: &Path) -> Result<Report, Failure> {
    let accounts = places.accounts().await?;
    let store = places.existing_local_store()?;
    let unfinished = Unfinished::begin(folder)?;
    let made_at = places.clock.now();
    // The database first: each file on sale is in the store before the database says so.
    let database = unfinished.database();
    create_file(&database, Readable::ByOwner)?;
    accounts.copy_into(&database).await.map_err(Failure::other)?;
    copy_store(&store, &unfinished.store(), Readable::ByOwner)?;

    let copy = AccountsDatabase::in_file(database.clone()).await.map_err(Failure::other)?;
    let contents = Contents::verified(&copy, &unfinished.store()).await;
    copy.close().await.map_err(Failure::other)?;
    let contents = contents?;
    let manifest = Manifest::of(made_at, fingerprint(&database)?, &contents);
    unfinished.finish(&manifest)?;
    let mut lines = contents.lines();
    lines.push(format!("backed up into {}", folder.display()));
    Ok(Report::new(lines, json!({ "folder": folder.display().to_string(), "backup": manifest.json() })))
}
