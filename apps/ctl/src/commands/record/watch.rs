//! The newest checkpoint of a service, compared with everything that a reader has.

mod comparisons;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sports_domain::content::ObjectHash;
use sports_transparency::{Checkpoint, NOTE_LIMIT, SignedCheckpoint};

use super::remote::{Extension, Remote};
use crate::cli::WatchRecord;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::whole_file;
use comparisons::Verdict;

/// The result of comparing the newest checkpoint with the kept one.
enum Watched {
    /// No checkpoint was kept before.
    First,
    /// The tree is the kept one.
    Unchanged,
    /// The tree begins with the kept one, which had this size.
    Extended(u64),
    /// The service has an older tree than the kept one of this size, which does not contradict it.
    Older(u64),
    /// The tree contradicts another one.
    Fork {
        /// The other tree, such as "the kept one".
        other: String,
        /// The contradiction.
        reason: String,
    },
}

impl Watched {
    const fn word(&self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unchanged => "unchanged",
            Self::Extended(_) => "extended",
            Self::Older(_) => "older",
            Self::Fork { .. } => "fork",
        }
    }

    fn sentence(&self, size: u64) -> String {
        match self {
            Self::First => format!("the first checkpoint is kept, of size {size}"),
            Self::Unchanged => format!("the tree still has the size {size}"),
            Self::Extended(from) => format!("the tree of size {size} extends the kept one of size {from}"),
            Self::Older(kept) => {
                format!("the service shows the size {size}, and the kept checkpoint has the size {kept}")
            }
            Self::Fork { other, reason } => {
                format!("the checkpoint of size {size} contradicts {other}, and both are kept: {reason}")
            }
        }
    }
}

/// Fetches the newest checkpoint of each record, and compares it with what a reader kept, with witnesses, and with keys that are
/// announced elsewhere.
pub async fn run(places: &Places<'_>, arguments: &WatchRecord) -> Result<Report, Failure> {
    let WatchRecord { sport, record, state, head, witness, max_age, from_url } = arguments;
    if let Some(head) = head.filter(|head| head.sport != *sport) {
        return Err(Failure::bad_input(format!("--head: it is one of {}, not of {sport}", head.sport)));
    }
    let witnesses: Vec<_> = witness.iter().map(|witness| witness.key.clone()).collect();
    let remotes = Remote::of(*sport, record, &witnesses, None).await?;
    let mut notes = Vec::new();
    for remote in &remotes {
        notes.push(remote.newest().await?);
    }
    let records: Vec<_> = remotes.iter().zip(&notes).collect();
    let largest = records.iter().copied().max_by_key(|(_, note)| note.checkpoint().size);
    let (mut verdicts, mut lines, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(state) = state {
        let compared = compared_with_kept(state, &records, largest).await?;
        lines.extend(compared.iter().map(|record| record.line.clone()));
        kept = compared;
    }
    if let Some(head) = head {
        verdicts.push(comparisons::with_head(&records, *head).await?);
    }
    for (remote, note) in &records {
        for asked in remote.named_logs().into_iter().flat_map(|log| witness.iter().map(move |witness| (witness, log))) {
            verdicts.push(comparisons::with_witness(remote, note, asked).await?);
        }
    }
    if let (Some((remote, note)), Some(longest)) = (largest, max_age) {
        verdicts.push(comparisons::age(remote, note, &witnesses, (places.clock.now(), *longest)));
    }
    let differing = match from_url {
        Some(url) => comparisons::with_announced(url, *sport, &record.log).await?,
        None => Vec::new(),
    };
    lines.extend(verdicts.iter().map(Verdict::line));
    let codes: Vec<_> =
        verdicts.iter().map(|verdict| verdict.code).chain(kept.iter().map(|record| record.code)).collect();
    let code = [1, 3].into_iter().find(|code| codes.contains(code)).unwrap_or(0);
    let records: Vec<_> = kept.into_iter().map(|record| record.json).collect();
    let verdicts: Vec<_> = verdicts.iter().map(Verdict::json).collect();
    let json = json!({ "code": code, "sport": sport.code(), "records": records, "comparisons": verdicts });
    Ok(Report::with_warnings(lines, differing, json).ending_with(code))
}

/// The result for one record.
struct Compared {
    line: String,
    json: Value,
    code: u8,
}

/// Compares the newest checkpoint of each record with the kept one, and keeps it.
async fn compared_with_kept(
    state: &Path,
    records: &[(&Remote, &SignedCheckpoint)],
    largest: Option<(&Remote, &SignedCheckpoint)>,
) -> Result<Vec<Compared>, Failure> {
    fs::create_dir_all(state)
        .map_err(|error| Failure::bad_input(format!("the folder {} cannot be made: {error}", state.display())))?;
    let mut compared_records = Vec::new();
    for (remote, note) in records {
        let kept = Kept::of(state, &remote.name());
        let watched = match contradicted(largest, note).await? {
            Some(fork) => fork,
            None => compared(remote, &kept.read(note)?, note).await?,
        };
        let fork = kept.keep(&watched, note).map_err(Failure::other)?;
        let checkpoint = note.checkpoint();
        let sentence = watched.sentence(checkpoint.size);
        let line = format!("{}: {}: {sentence}", checkpoint.origin, watched.word());
        let code = match watched {
            Watched::Fork { .. } => 1,
            Watched::Older(_) => 3,
            _ => 0,
        };
        let json = json!({
            "origin": checkpoint.origin.as_str(),
            "verdict": watched.word(),
            "sentence": sentence,
            "size": checkpoint.size,
            "root": checkpoint.root.to_string(),
            "kept": kept.path.display().to_string(),
            "contradicting": fork.map_or(Value::Null, |fork| fork.display().to_string().into()),
        });
        compared_records.push(Compared { line, json, code });
    }
    Ok(compared_records)
}

/// Returns the fork if a checkpoint is of no beginning of the largest tree of the league.
async fn contradicted(
    largest: Option<(&Remote, &SignedCheckpoint)>,
    note: &SignedCheckpoint,
) -> Result<Option<Watched>, Failure> {
    let Some((remote, largest)) = largest else { return Ok(None) };
    let (largest, checkpoint) = (largest.checkpoint(), note.checkpoint());
    if largest == checkpoint {
        return Ok(None);
    }
    let extended = remote.extends((checkpoint.size, checkpoint.root), largest).await?;
    let other = format!("that of {}, of size {}", largest.origin, largest.size);
    Ok(extended.contradiction()?.map(|reason| Watched::Fork { other, reason }))
}

/// Compares the newest checkpoint with kept ones, the record's own first; a fork from any of them is the result.
async fn compared(remote: &Remote, kept: &[Checkpoint], note: &SignedCheckpoint) -> Result<Watched, Failure> {
    let mut watched = Watched::First;
    for kept in kept {
        match compared_with(remote, kept, note.checkpoint()).await? {
            fork @ Watched::Fork { .. } => return Ok(fork),
            other if matches!(watched, Watched::First) => watched = other,
            _ => {}
        }
    }
    Ok(watched)
}

async fn compared_with(remote: &Remote, kept: &Checkpoint, new: &Checkpoint) -> Result<Watched, Failure> {
    let (older, newer) = if kept.size <= new.size { (kept, new) } else { (new, kept) };
    let older: (u64, _) = (older.size, older.root);
    Ok(match remote.extends(older, newer).await? {
        // A service has no tiles beyond its own tree.
        Extension::Holds | Extension::Unshown(_) if kept.size > new.size => Watched::Older(kept.size),
        Extension::Holds if kept.size == new.size => Watched::Unchanged,
        Extension::Holds => Watched::Extended(kept.size),
        Extension::Contradicts(reason) => Watched::Fork { other: "the kept one".to_owned(), reason },
        Extension::Unshown(reason) => return Err(Failure::unchecked(reason)),
    })
}

fn read_note(path: &Path) -> Result<SignedCheckpoint, io::Error> {
    let bytes = sports_program::regular_file::read(path, NOTE_LIMIT as u64)?;
    String::from_utf8(bytes).map_err(io::Error::other)?.parse().map_err(io::Error::other)
}

/// The kept checkpoint of one record.
struct Kept {
    folder: PathBuf,
    name: String,
    path: PathBuf,
}

impl Kept {
    fn of(folder: &Path, name: &str) -> Self {
        let path = folder.join(format!("{name}.checkpoint"));
        Self { folder: folder.to_owned(), name: name.to_owned(), path }
    }

    /// Reads the kept checkpoint of the record, and those of other paths that have the name of the newest one: a service could
    /// list another path for a key whose tree it has altered.
    fn read(&self, newest: &SignedCheckpoint) -> Result<Vec<Checkpoint>, Failure> {
        let cannot = |path: &Path, error: &dyn std::fmt::Display| {
            Failure::bad_input(format!("the kept checkpoint {} cannot be read: {error}", path.display()))
        };
        let listed: Result<Vec<_>, _> = fs::read_dir(&self.folder)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(|error| cannot(&self.folder, &error));
        let mut paths = listed?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "checkpoint"));
        paths.sort_unstable_by_key(|path| (*path != self.path, path.clone()));
        let mut kept = Vec::new();
        for path in paths {
            let note = read_note(&path).map_err(|error| cannot(&path, &error))?.checkpoint().clone();
            kept.extend(Some(note).filter(|note| path == self.path || note.origin == newest.checkpoint().origin));
        }
        Ok(kept)
    }

    /// Keeps the newest checkpoint. One that contradicts the kept one gets a file of its own, which is returned.
    fn keep(&self, watched: &Watched, note: &SignedCheckpoint) -> io::Result<Option<PathBuf>> {
        let text = note.to_string();
        match watched {
            Watched::First | Watched::Unchanged | Watched::Extended(_) => {
                whole_file::write(&self.path, text.as_bytes()).map(|()| None)
            }
            Watched::Older(_) => Ok(None),
            Watched::Fork { .. } => {
                let hash = ObjectHash::from_bytes(text.as_bytes());
                let fork =
                    self.folder.join(format!("{}.{}.{}.fork", self.name, note.checkpoint().size, hash.short(12)));
                whole_file::write(&fork, text.as_bytes())?;
                Ok(Some(fork))
            }
        }
    }
}
