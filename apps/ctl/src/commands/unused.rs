use serde_json::{Value, json};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_ports::contents::{FoundFile, Part, StoreContents};
use sports_program::SystemClock;
use sports_usecases::unused;
use sports_usecases::unused::unused_objects;

use crate::failure::Failure;
use crate::places::Store;
use crate::report::{Report, written_instant};

/// Removes the leftovers of killed writers, of a league, of the keys and of the datasets, by the machine's own clock.
pub async fn remove_leftovers(contents: &dyn StoreContents, sport: Sport) {
    unused::remove_leftovers(contents, sport, SystemClock::new().now()).await;
}

/// Adds the files that no entry names to the report of a verification, without removing them.
pub async fn list(store: &Store, sports: &[Sport], mut report: Report) -> Result<Report, Failure> {
    let (mut unused, mut leftovers) = (Vec::new(), Vec::new());
    for sport in sports {
        unused.extend(unused_objects(&*store.log, &*store.contents, *sport).await.map_err(Failure::other)?);
        leftovers.extend(store.contents.leftovers(Part::League(*sport)).await.map_err(Failure::other)?);
    }
    for part in [Part::Keys, Part::Datasets] {
        leftovers.extend(store.contents.leftovers(part).await.map_err(Failure::other)?);
    }
    report.lines.extend(unused.iter().map(|file| line("no entry names", file)));
    report.lines.extend(leftovers.iter().map(|file| line("left by a write that did not end:", file)));
    if unused.is_empty() && leftovers.is_empty() {
        report.lines.push("every object is named by an entry".to_owned());
    }
    report.json["unused"] = unused.iter().map(found_json).collect();
    report.json["leftovers"] = leftovers.iter().map(found_json).collect();
    Ok(report)
}

fn line(what: &str, file: &FoundFile) -> String {
    format!("{what} {} ({} bytes, written {})", file.path, file.bytes, written_instant(file.written_at))
}

fn found_json(file: &FoundFile) -> Value {
    json!({ "path": file.path, "bytes": file.bytes, "written_at": written_instant(file.written_at) })
}
