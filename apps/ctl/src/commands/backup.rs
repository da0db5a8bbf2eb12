use std::path::Path;

use serde_json::json;
use sports_accounts_sea_orm::SqliteFile;
use sports_ports::Clock;
use sports_program::SystemClock;

use crate::backup::{Contents, Manifest, Unfinished, copy_store, create_file, fingerprint};
use crate::failure::Failure;
use crate::places::{Places, expect_outside};
use crate::report::Report;

/// Copies the database and the store into a folder and verifies the copies. Both originals stay unchanged: an older
/// form of the database is kept, also in its copy.
pub async fn run(places: &Places<'_>, folder: &Path) -> Result<Report, Failure> {
    places.database_file()?;
    let (opened, store) = (places.accounts_as_they_are().await, places.existing_local_store());
    let (accounts, store) = match (opened, store) {
        // On a disk that is away neither is there, which passes: that is said of the store.
        (Err(Failure::BadInput(_)), Err(away)) => return Err(away),
        (opened, store) => (opened?, store?),
    };
    expect_outside(folder, store.folder())?;
    let unfinished = Unfinished::begin(folder)?;
    // The machine's own time, also if `clock.as_of` is set.
    let made_at = SystemClock::new().now();
    let database = unfinished.database();
    copy_database(&accounts, &database).await?;
    copy_store(&store, &unfinished.store())?;
    let contents = Contents::verified(&database, &unfinished.store()).await?;
    let manifest = Manifest::from_contents(made_at, fingerprint(&database)?, &contents);
    unfinished.finish(&manifest)?;
    let mut lines = contents.lines();
    lines.push(format!("backed up into {}", folder.display()));
    Ok(Report::with_warnings(
        lines,
        Vec::new(),
        json!({ "folder": folder.display().to_string(), "backup": manifest.json() }),
    ))
}

/// Copies the database. It comes before the store: each file on sale is in the store before the database lists it.
async fn copy_database(accounts: &SqliteFile, to: &Path) -> Result<(), Failure> {
    drop(create_file(to)?);
    accounts.copy_into(to).await.map_err(Failure::other)
}
