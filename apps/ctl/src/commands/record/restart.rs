//! A record that begins anew, after entries were lost.

use std::io::Read as _;
use std::path::Path;

use serde_json::json;
use sports_record_signing::keys::MemoryFiles;
use sports_transparency::{NOTE_LIMIT, SignedCheckpoint};
use sports_usecases::signing::{NotRestarted, Restart};

use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// Lets the league of the lost checkpoint begin anew under the name in the settings.
pub async fn run(places: &Places<'_>, after: &Path) -> Result<Report, Failure> {
    let settings = places.settings();
    let (path, origin) = (signing::key_file(settings)?, signing::origin(settings)?);
    let file = signing::read(path)?;
    let note = read(after)?;
    let lost = note.checkpoint();
    let sport = lost
        .origin
        .league()
        .ok_or_else(|| Failure::bad_input(format!("the checkpoint is one of {}, the log of no league", lost.origin)))?;
    let (keys, lost_keys) = (signing::keys_of(&file, &origin.log(sport))?, signing::keys_of(&file, &lost.origin)?);
    let earlier = lost_keys.earlier.iter().map(|earlier| &earlier.key);
    let lost_keys: Vec<_> = earlier.chain([&lost_keys.newest]).map(|key| key.verifier().clone()).collect();
    let store = places.existing_store().await?;
    let (tree, memories) = (store.trees(), MemoryFiles::beside(path));
    let restart = Restart { sport, tree: &tree, keys: &keys, lost_keys: &lost_keys, memories: &memories };
    let stated = restart.after(&note, places.clock.now()).await.map_err(|error| match error {
        NotRestarted::Port(error) => Failure::other(error),
        error => Failure::bad_input(format!("{}: {error}", after.display())),
    })?;
    let vkey = keys.newest.verifier();
    let next = format!(
        "the next entry of {sport} states the loss of the tree of {} leaves, and is signed as {}; announce this key",
        lost.size,
        vkey.name()
    );
    let json = json!({ "sport": sport.code(), "vkey": vkey.to_string(), "lost": stated.checkpoint.to_string() });
    Ok(Report::new(vec![vkey.to_string(), next], json))
}

fn read(path: &Path) -> Result<SignedCheckpoint, Failure> {
    let unreadable = |error| Failure::bad_input(format!("{} cannot be read: {error}", path.display()));
    let file = sports_program::regular_file::open(path).map_err(unreadable)?;
    let mut text = String::new();
    file.take(NOTE_LIMIT as u64 + 1).read_to_string(&mut text).map_err(unreadable)?;
    text.parse().map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))
}
