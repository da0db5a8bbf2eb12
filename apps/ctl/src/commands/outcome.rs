//! The outcome of a change of the record, as text and as JSON.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_usecases::publish::PublishOutcome;

use crate::commands::audit_log;
use crate::places::Places;
use crate::report::Report;

/// The beginning of the line about a new entry.
pub const PUBLISHED: &str = "published: ";

/// Formats the outcome in one line, or in two with the head of the record.
pub fn line(sport: Sport, outcome: &PublishOutcome) -> String {
    match outcome {
        PublishOutcome::Published { generation, release_id, digest, simulated } => {
            let simulated = if *simulated { " (simulated)" } else { "" };
            format!(
                "{PUBLISHED}{sport} generation {generation}{simulated}, release {release_id}\nhead of the record: {digest}"
            )
        }
        PublishOutcome::AlreadyPublished { generation } => {
            format!("nothing to do: {sport} generation {generation} already has this content")
        }
        PublishOutcome::WouldBe { generation } => {
            format!("dry run, nothing was written: it would be {sport} generation {generation}")
        }
    }
}

/// Adds a new entry of the record to the audit log.
pub async fn note(
    places: &Places<'_>,
    action: &'static str,
    sport: Sport,
    outcome: &PublishOutcome,
    report: &mut Report,
) {
    if let PublishOutcome::Published { generation, release_id, .. } = outcome {
        audit_log::note(places, action, &format!("{sport} generation {generation}, release {release_id}"), report)
            .await;
    }
}

/// Returns the outcome as an object, to which a command adds fields of its own.
pub fn json(sport: Sport, outcome: &PublishOutcome) -> Value {
    let (word, generation) = match outcome {
        PublishOutcome::Published { generation, .. } => ("on_air", generation),
        PublishOutcome::AlreadyPublished { generation } => ("already_on_air", generation),
        PublishOutcome::WouldBe { generation } => ("would_be", generation),
    };
    let mut json = json!({ "outcome": word, "sport": sport.code(), "generation": generation.get() });
    if let PublishOutcome::Published { release_id, digest, simulated, .. } = outcome {
        json["release_id"] = release_id.as_str().into();
        json["head"] = digest.to_string().into();
        json["simulated"] = (*simulated).into();
    }
    json
}
