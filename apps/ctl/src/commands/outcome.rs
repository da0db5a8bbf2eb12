//! How a change of the record ended, for people and for programs.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_usecases::publish::Outcome;

/// One line, or two with the head of the record.
pub fn line(sport: Sport, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Published { generation, release_id, digest, simulated } => {
            let simulated = if *simulated { " (simulated)" } else { "" };
            format!(
                "published: {sport} generation {generation}{simulated}, release {release_id}\nhead of the record: {digest}"
            )
        }
        Outcome::AlreadyPublished { generation } => {
            format!("nothing to do: {sport} generation {generation} says the same already")
        }
        Outcome::WouldBe { generation } => {
            format!("dry run, nothing was written: it would be {sport} generation {generation}")
        }
    }
}

/// The same as an object, to which a command adds its own.
pub fn json(sport: Sport, outcome: &Outcome) -> Value {
    let (word, generation) = match outcome {
        Outcome::Published { generation, .. } => ("on_air", generation),
        Outcome::AlreadyPublished { generation } => ("already_on_air", generation),
        Outcome::WouldBe { generation } => ("would_be", generation),
    };
    let mut json = json!({ "outcome": word, "sport": sport.code(), "generation": generation.get() });
    if let Outcome::Published { release_id, digest, simulated, .. } = outcome {
        json["release_id"] = release_id.as_str().into();
        json["head"] = digest.to_string().into();
        json["simulated"] = (*simulated).into();
    }
    json
}
