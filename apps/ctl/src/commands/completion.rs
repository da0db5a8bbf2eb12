//! The work on the record after a commit: tiles, the signed checkpoint, cosignatures and timestamps.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_transparency::Cosignature;
use sports_usecases::signing::{Completed, RecordSigner};

use super::outcome;
use crate::report;
use crate::report::{Report, print_note};

/// The note about a record that begins without a key.
const WITHOUT_KEY: &str =
    "the record is not signed: `record.key_file` names no key, and `sportsctl record init` makes one";

/// Completes the record after a publish, and reports it. Nothing that goes wrong here fails the publish.
pub async fn after_commit(signer: &RecordSigner, sport: Sport, mut report: Report) -> Report {
    let completed = signer.complete(sport).await;
    // The head of the record stays the last line.
    let published = report.lines.iter().rposition(|line| line.starts_with(outcome::PUBLISHED));
    let place = published.unwrap_or(report.lines.len());
    let completion = line(sport, &completed);
    if completion.is_some() {
        report.json["record"] = json(sport, &completed);
    }
    report.lines.splice(place..place, completion);
    if completed.begins_without_key && published.is_some() {
        print_note(WITHOUT_KEY);
    }
    report.warn(completed.warnings.into_iter().chain(completed.unsigned).collect());
    report
}

/// Formats the signed checkpoint in one line; `None` if nothing is signed.
pub fn line(sport: Sport, completed: &Completed) -> Option<String> {
    let checkpoint = completed.checkpoint.as_ref()?;
    let signed = format!("signed: {sport} {} {}", checkpoint.size, checkpoint.root);
    let cosigned = completed.cosigned.iter().map(|Cosignature { witness, time }| {
        format!("cosigned by {} at {}", witness.name(), to_rfc3339(*time).unwrap_or_default())
    });
    let timestamped = completed.timestamped.iter().map(|address| format!("timestamp of {address}"));
    let parts: Vec<_> = std::iter::once(signed).chain(cosigned).chain(timestamped).collect();
    Some(parts.join("; "))
}

/// Returns the same as an object.
pub fn json(sport: Sport, completed: &Completed) -> Value {
    let cosigned = completed.cosigned.iter().map(
        |cosignature| json!({ "name": cosignature.witness.name().as_str(), "time": to_rfc3339(cosignature.time) }),
    );
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
fn to_rfc3339(seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    chrono::DateTime::from_timestamp(seconds, 0).map(report::written_instant)
}
