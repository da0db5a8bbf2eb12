//! The exceptions of a release as JSON.

use serde_json::{Value, json};
use sports_publication::{Exceptions, Generation, Replacement};

/// Returns the exceptions of an entry with its number.
pub fn of_entry(generation: Generation, exceptions: &Exceptions) -> Value {
    let mut json = json!({ "generation": generation.get() });
    add_to(&mut json, exceptions);
    json
}

/// Adds the fields `overrides` and `replaced`, which are empty for a release by the usual rules.
pub fn add_to(json: &mut Value, exceptions: &Exceptions) {
    json["overrides"] = exceptions.overrides.iter().map(ToString::to_string).collect();
    json["replaced"] = exceptions.replaced.iter().map(replacement).collect();
}

fn replacement(made: &Replacement) -> Value {
    json!({
        "season": made.season.to_string(),
        "model_type": made.model_type.code(),
        "rows_before": made.rows_before,
        "rows_after": made.rows_after,
        "columns_dropped": made.columns_dropped,
    })
}
