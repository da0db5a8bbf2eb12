//! Who may read what the service keeps.

use sports_accounts_sea_orm::{AccountsDatabase, FILES};
use sports_artifacts_object_store::LocalStore;
use sports_owner_only::exposed;
use sports_settings::Settings;

/// Warns of files and folders that were made before, or by another program, and are open to others. They are left as they
/// are: somebody may rely on it.
pub fn warn_of_exposed(settings: &Settings, database: &AccountsDatabase) {
    let store = LocalStore::at(settings.store.url.reveal()).ok().map(|store| store.folder().to_owned());
    let files = FILES.iter().map(|ending| database.beside(ending)).chain(store);
    for exposed in files.filter_map(|file| exposed(&file)) {
        tracing::warn!("{exposed}");
    }
}
