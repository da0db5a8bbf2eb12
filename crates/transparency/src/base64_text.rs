//! Standard base64 with padding, in its canonical form alone: one text for the same bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes text; `None` if it is not base64, or not canonical.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
