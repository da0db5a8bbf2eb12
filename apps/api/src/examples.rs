//! What the examples of the document have in common.

use chrono::{DateTime, Utc};

/// The instant of every example.
pub(crate) fn instant() -> DateTime<Utc> {
    DateTime::from_timestamp(1_736_953_445, 0).unwrap_or_default()
}
