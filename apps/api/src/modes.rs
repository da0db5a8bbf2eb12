//! Checks of the permissions of stored files.

use std::path::Path;

use sports_accounts_sea_orm::{FILES, SqliteFile};
use sports_program::permissions::{exposed, shared};
use sports_program::settings::Settings;
use sports_store::LocalStore;

/// Warns of files and folders that others can read, because they were made before or by another program. Their
/// permissions are left unchanged, as somebody may rely on them.
pub fn warn_of_exposed(settings: &Settings, database: Option<&SqliteFile>) {
    let store = LocalStore::at(settings.store.url.reveal()).ok().map(|store| store.folder().to_owned());
    let files = database.into_iter().flat_map(|database| FILES.map(|ending| database.beside(ending)));
    for exposed in files.chain(store).filter_map(|file| exposed(&file)) {
        tracing::warn!("{exposed}");
    }
    let Some(database) = database else { return };
    let file = database.beside("");
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(shared) = shared(folder) {
        tracing::warn!("{shared}");
    }
}
