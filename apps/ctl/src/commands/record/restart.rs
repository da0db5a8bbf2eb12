//! A record that begins anew, after entries were lost.

use std::io::Read as _;
use std::path::Path;

use serde_json::json;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::signing::{SigningMemories as _, SigningMemory, TreeLoss};
use sports_signing_keys::MemoryFiles;
use sports_transparency::{NOTE_LIMIT, SignedCheckpoint};
use sports_usecases::record::published_keys;
use sports_usecases::signing::{extends, publish_restarted};

use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// Names the lost checkpoint in the memory of the new log, and the new key in the store. The next entry of the league gets a
/// `restart` leaf, and is then signed under the new name.
pub async fn run(places: &Places<'_>, after: &Path) -> Result<Report, Failure> {
    let settings = places.settings();
    let (path, origin) = (signing::key_file(settings)?, signing::origin(settings)?);
    let note = read(after)?;
    let lost = note.checkpoint();
    let league = |sport: &Sport| lost.origin.as_str().rsplit_once('/').is_some_and(|(_, name)| name == sport.code());
    let sport = Sport::ALL.into_iter().find(league);
    let sport = sport.ok_or_else(|| Failure::bad_input(format!("{} is the log of no league", lost.origin)))?;
    let log = origin.log(sport);
    if log == lost.origin {
        return Err(Failure::bad_input(format!(
            "the lost checkpoint is one of {log}: name another `record.origin`, such as {origin}/2, so that no name has two trees"
        )));
    }
    let keys = signing::keys_of(&signing::read(path)?, &log)?;
    let store = places.existing_store().await?;
    let published = published_keys(&*store.record).await.map_err(Failure::other)?;
    if !published.iter().any(|key| note.verify(&key.vkey, &[]).is_ok()) {
        return Err(Failure::bad_input(format!("{} is not signed by a key in the store", after.display())));
    }
    let trees = store.trees();
    let head = trees.newest(sport).await.map_err(Failure::other)?;
    let head = head.ok_or_else(|| Failure::bad_input(format!("the store has no tree of {sport}")))?;
    if extends(&trees, &head, lost).await.map_err(Failure::other)? {
        let size = head.size;
        return Err(Failure::bad_input(format!("nothing is lost: the tree of {size} leaves extends this checkpoint")));
    }
    let memories = MemoryFiles::beside(path);
    let _lock = memories.locked().map_err(Failure::other)?;
    let known = memories.recall(&log).map_err(Failure::other)?.unwrap_or_default();
    if known.signed.is_some() || known.after.is_some() {
        return Err(Failure::bad_input(format!("{log} was begun before: name another `record.origin`")));
    }
    let loss = TreeLoss { checkpoint: ObjectHash::from_bytes(lost.to_string().as_bytes()), size: head.size };
    publish_restarted(&keys, &*store.record, sport, places.clock.now()).await.map_err(Failure::other)?;
    let memory = SigningMemory { after: Some(loss), ..SigningMemory::default() };
    memories.remember(&log, &memory).map_err(Failure::other)?;
    let vkey = keys.newest.verifier();
    let lines = vec![
        vkey.to_string(),
        format!(
            "the next entry of {sport} states that the tree of {} leaves was lost, and is signed as {log}",
            lost.size
        ),
    ];
    let json = json!({ "sport": sport.code(), "vkey": vkey.to_string(), "lost": loss.checkpoint.to_string() });
    Ok(Report::new(lines, json))
}

fn read(path: &Path) -> Result<SignedCheckpoint, Failure> {
    let cannot = |error| Failure::bad_input(format!("{} cannot be read: {error}", path.display()));
    let file = sports_system::regular_file::open(path).map_err(cannot)?;
    let mut text = String::new();
    file.take(NOTE_LIMIT as u64 + 1).read_to_string(&mut text).map_err(cannot)?;
    text.parse().map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))
}
