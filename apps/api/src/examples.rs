//! What the examples of the document have in common.

use chrono::{DateTime, Utc};

/// The key that examples name, as lists show it. A demo makes such a key to rename and revoke.
pub(crate) const SPARE_KEY: &str = "sk_service_demo*****";

/// The instant of every example.
pub(crate) fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_736_953_445, 0).unwrap_or_default()
}
