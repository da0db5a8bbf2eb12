//! The files of conversions in their folder, and the list of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_program::regular_file;
use sports_publisher_files::MANIFEST;
use sports_publisher_files::convert::tables::{Conversion, completed_manifest, renewed_manifest};

use super::{InFile, LARGEST_TABLE, cannot_write};
use crate::failure::Failure;
use crate::whole_file;

/// The list of the files that conversions wrote into a folder, with their hashes, in the form of `sha256sum`. A release ignores it.
const LIST: &str = ".converted";
/// The largest list that is read, in bytes.
const LARGEST_LIST: u64 = 1 << 20;
/// The first parts of the paths that a conversion writes.
const ROOTS: [&str; 5] = [MANIFEST, "odds.csv", "predictions", "games", "probabilities"];

/// The paths and hashes of files.
type Listed = BTreeSet<(String, String)>;

/// Writes the files of a release folder, which several conversions of a league may fill. With `replace` they take the place of
/// what all earlier conversions wrote; other files are never replaced. A `release.json` that is there gets what it lacks, or is
/// renewed if it was converted.
pub fn write(out: &Path, sport: Sport, conversion: &Conversion, replace: bool) -> Result<(), Failure> {
    let list = out.join(LIST);
    let before = listed(&list)?;
    if replace {
        expect_release(out, sport)?;
    }
    let is_ours = |path: &str, bytes: &[u8]| before.contains(&entry(path, bytes));
    let is_listed = |path: &str| before.iter().any(|(listed, _)| listed == path);
    let (mut new, mut after) = (Vec::new(), Listed::new());
    for file in &conversion.files {
        let (path, mut bytes) = (out.join(&file.path), file.bytes.clone());
        match regular_file::read(&path, LARGEST_TABLE) {
            Ok(there) if there == bytes => {}
            Ok(there) if file.path == MANIFEST && sport_of(&there) == Some(sport) => {
                let renewed = replace && is_listed(MANIFEST);
                let whole =
                    if renewed { Ok(renewed_manifest(&there, &bytes)) } else { completed_manifest(&there, &bytes) };
                let whole = whole.map_err(|error| InFile::failure(&path, error))?;
                bytes = whole.clone().unwrap_or(there);
                new.extend(whole.map(|bytes| (path, bytes)));
                if !is_listed(MANIFEST) {
                    continue;
                }
            }
            Ok(there) if replace && is_ours(&file.path, &there) => new.push((path, bytes.clone())),
            Ok(_) if replace => return Err(foreign(&path)),
            Ok(_) => {
                let message = format!(
                    "{} is there already, with other content; remove it, name another --out, or replace what conversions wrote \
                     with --replace",
                    path.display()
                );
                return Err(Failure::bad_input(message));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => new.push((path, bytes.clone())),
            Err(error) => return Err(cannot_write(&path, error)),
        }
        after.insert(entry(&file.path, &bytes));
    }
    let stale = if replace { stale(out, conversion, &before)? } else { Vec::new() };
    // A program that is killed meanwhile leaves no file that is not listed.
    write_list(&list, &before.union(&after).cloned().collect())?;
    new.iter()
        .try_for_each(|(path, bytes)| whole_file::write(path, bytes).map_err(|error| cannot_write(path, error)))?;
    for path in &stale {
        fs::remove_file(path).map_err(|error| cannot_write(path, error))?;
        // Empty folders go, too.
        let folders = path.ancestors().skip(1).take_while(|folder| *folder != out);
        folders.for_each(|folder| drop(fs::remove_dir(folder)));
    }
    let others = before.into_iter().filter(|(path, _)| !replace && !after.iter().any(|(written, _)| written == path));
    write_list(&list, &others.chain(after.clone()).collect())
}

/// Returns the files that conversions wrote and that this one does not write.
fn stale(out: &Path, conversion: &Conversion, before: &Listed) -> Result<Vec<PathBuf>, Failure> {
    let mut stale = BTreeSet::new();
    for (listed, _) in before {
        if listed == MANIFEST || conversion.files.iter().any(|file| file.path == *listed) {
            continue;
        }
        let path = out.join(listed);
        match regular_file::read(&path, LARGEST_TABLE) {
            Ok(there) if before.contains(&entry(listed, &there)) => drop(stale.insert(path)),
            Ok(_) => return Err(foreign(&path)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(cannot_write(&path, error)),
        }
    }
    Ok(stale.into_iter().collect())
}

fn foreign(path: &Path) -> Failure {
    let path = path.display();
    Failure::bad_input(format!("{path} is not as a conversion wrote it, and --replace keeps such files: move it away"))
}

/// Refuses to replace in a folder that is neither new nor a release of the league.
fn expect_release(out: &Path, sport: Sport) -> Result<(), Failure> {
    let named = out.display();
    match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Ok(false) => {}
        Err(error) => return Err(InFile::failure(out, error)),
    }
    let expected = "--replace is for the folder of a release, or for a new one";
    match present_manifest(out) {
        Some(manifest) if sport_in(&manifest) == Some(sport) => Ok(()),
        Some(manifest) if sport_in(&manifest).is_some() => {
            let other = sport_in(&manifest).map_or("another league", Sport::code);
            Err(Failure::bad_input(format!("{named} is a release of {other}, not of {sport}: name another --out")))
        }
        _ => Err(Failure::bad_input(format!(
            "{named} is no release, since it has no {MANIFEST} with a league: {expected}"
        ))),
    }
}

/// Returns the `release.json` of a folder, as far as it can be read.
pub fn present_manifest(out: &Path) -> Option<Value> {
    serde_json::from_slice(&regular_file::read(&out.join(MANIFEST), LARGEST_TABLE).ok()?).ok()
}

fn sport_of(manifest: &[u8]) -> Option<Sport> {
    sport_in(&serde_json::from_slice(manifest).ok()?)
}

fn sport_in(manifest: &Value) -> Option<Sport> {
    manifest["sport"].as_str()?.parse().ok()
}

fn entry(path: &str, bytes: &[u8]) -> (String, String) {
    (path.to_owned(), ObjectHash::from_bytes(bytes).to_string())
}

/// Reads a list; one that is not there is empty.
fn listed(list: &Path) -> Result<Listed, Failure> {
    let bytes = match regular_file::read(list, LARGEST_LIST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Listed::new()),
        Err(error) => return Err(InFile::failure(list, error)),
    };
    let line = |line: &str| {
        let (hash, path) = line.split_once("  ")?;
        is_of_conversions(path).then(|| (path.to_owned(), hash.to_owned()))
    };
    let lines = String::from_utf8(bytes).ok().and_then(|text| text.lines().map(line).collect());
    let wrong = "it is no list of the files that conversions wrote: remove it, and move away what is to be replaced";
    lines.ok_or_else(|| InFile::failure(list, wrong))
}

/// Returns true for the paths that a conversion writes, which do not lead out of the folder.
fn is_of_conversions(path: &str) -> bool {
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    is_plain && path.split('/').next().is_some_and(|root| ROOTS.contains(&root))
}

fn write_list(list: &Path, listed: &Listed) -> Result<(), Failure> {
    let mut text = String::new();
    for (path, hash) in listed {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{hash}  {path}");
    }
    let is_same = regular_file::read(list, LARGEST_LIST).is_ok_and(|there| there == text.as_bytes());
    let written: io::Result<()> = if is_same { Ok(()) } else { whole_file::write(list, text.as_bytes()) };
    written.map_err(|error| cannot_write(list, error))
}
