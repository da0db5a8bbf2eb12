//! The work on the record after a commit: tiles, the signed checkpoint, cosignatures and timestamps.

use serde_json::{Value, json};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_usecases::signing::Completed;

use crate::commands::outcome;
use crate::failure::Failure;
use crate::instant;
use crate::places::{Places, Store};
use crate::report::{Report, print_note};

/// The note about a record that begins without a key.
const WITHOUT_KEY: &str =
    "the record is not signed: `record.key_file` names no key, and `sportsctl record init` makes one";

/// Completes the record after a publish, and reports it. Nothing that goes wrong here fails the publish.
pub async fn after_commit(
    places: &Places<'_>,
    store: &Store,
    sport: Sport,
    mut report: Report,
) -> Result<Report, Failure> {
    let completed = store.signer(places)?.complete(sport).await;
    // The head of the record stays the last line.
    let place =
        report.lines.iter().rposition(|line| line.starts_with(outcome::PUBLISHED)).unwrap_or(report.lines.len());
    let signed = line(sport, &completed);
    if signed.is_some() {
        report.json["record"] = json(sport, &completed);
    }
    report.lines.splice(place..place, signed);
    if completed.begins_without_key {
        print_note(WITHOUT_KEY);
    }
    report.warn(completed.warnings.into_iter().chain(completed.unsigned).collect());
    Ok(report)
}

/// Returns the lost checkpoint that the next entry has to state.
pub async fn unstated_loss(places: &Places<'_>, store: &Store, sport: Sport) -> Result<Option<ObjectHash>, Failure> {
    store.signer(places)?.unstated_loss(sport).await.map_err(Failure::other)
}

/// Formats the signed checkpoint in one line; `None` if nothing is signed.
pub fn line(sport: Sport, completed: &Completed) -> Option<String> {
    let checkpoint = completed.checkpoint.as_ref()?;
    let mut line = format!("signed: {sport} {} {}", checkpoint.size, checkpoint.root);
    for cosignature in &completed.cosigned {
        let time = written(cosignature.time).unwrap_or_default();
        line += &format!("; cosigned by {} at {time}", cosignature.witness.name());
    }
    for address in &completed.timestamped {
        line += &format!("; timestamp of {address}");
    }
    Some(line)
}

/// Returns the same as an object.
pub fn json(sport: Sport, completed: &Completed) -> Value {
    let cosigned = completed
        .cosigned
        .iter()
        .map(|cosignature| json!({ "name": cosignature.witness.name().as_str(), "time": written(cosignature.time) }));
    json!({
        "sport": sport.code(),
        "origin": completed.checkpoint.as_ref().map(|checkpoint| checkpoint.origin.as_str()),
        "size": completed.checkpoint.as_ref().map(|checkpoint| checkpoint.size),
        "root": completed.checkpoint.as_ref().map(|checkpoint| checkpoint.root.to_string()),
        "cosigned": cosigned.collect::<Vec<_>>(),
        "timestamped": completed.timestamped,
        "unsigned": completed.unsigned,
    })
}

/// Formats the time of a witness.
fn written(seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    chrono::DateTime::from_timestamp(seconds, 0).map(instant::written)
}
