//! The constants that the examples of the document share.

use chrono::{DateTime, Utc};
use serde_json::Value;

/// The key in examples, as lists show it. A demo makes such a key to rename and revoke.
pub(crate) const SPARE_KEY: &str = "sk_service_demo*****";

/// Returns the instant of every example.
pub(crate) fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_736_953_445, 0).unwrap_or_default()
}

/// Reads an example from a file of the program.
pub(crate) fn read_example(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
