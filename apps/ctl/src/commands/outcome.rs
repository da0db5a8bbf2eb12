//! The outcome of a change of the record, as text and as JSON.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_usecases::publish::PublishOutcome;

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
