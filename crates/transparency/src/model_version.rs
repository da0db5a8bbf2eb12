//! The version of a model in a leaf: `-` for none, and bytes outside `[A-Za-z0-9_.+-]` percent-encoded.

use std::fmt::Write as _;

/// The text of no version.
pub(crate) const NONE: &str = "-";

pub(crate) fn version_text(version: Option<&str>) -> String {
    let Some(version) = version else { return NONE.to_owned() };
    let mut text = String::with_capacity(version.len());
    for byte in version.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
        if is_plain && version != NONE {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Reads a version that is stated. Other texts of the same version are refused by comparison with its one text.
pub(crate) fn parse_version(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let (digits, tail) = rest.split_at_checked(2)?;
            bytes.extend(hex::decode(digits).ok()?);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    let version = String::from_utf8(bytes).ok()?;
    (version_text(Some(&version)) == text).then_some(version)
}
