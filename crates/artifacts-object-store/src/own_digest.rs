//! The digest in the last field of a log entry: the SHA-256 of every byte above its line.
//!
//! The check covers all bytes of an entry: the digest covers those above its line, and the remaining lines have only
//! one valid text. `head -n -2 ENTRY | sha256sum` computes the same digest.

use sports_content::ObjectHash;

/// The name of the field.
pub const FIELD: &str = "sha256_above";

/// The error for bytes that do not match their digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was damaged or altered: its bytes do not match the digest in `{FIELD}`")]
pub struct DigestMismatch;

/// Appends the digest to a JSON object that has one field on each line.
pub fn append_to(mut object: Vec<u8>) -> Vec<u8> {
    object.truncate(object.len().saturating_sub("\n}".len()));
    object.extend_from_slice(b",\n");
    let ending = ending(&object);
    object.extend(ending);
    object
}

/// Checks an entry against its digest.
pub fn check(entry: &[u8]) -> Result<(), DigestMismatch> {
    let length = ending(&[]).len();
    let parts = entry.len().checked_sub(length).and_then(|above| entry.split_at_checked(above));
    parts.is_some_and(|(above, last)| last == ending(above)).then_some(()).ok_or(DigestMismatch)
}

/// Returns the last two lines of an entry.
fn ending(above: &[u8]) -> Vec<u8> {
    format!("  \"{FIELD}\": \"{}\"\n}}\n", ObjectHash::from_bytes(above)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_its_digest_is_whole_and_each_part_of_it_is_not() {
        let entry = append_to(b"{\n  \"a\": 1\n}".to_vec());
        let digest = ObjectHash::from_bytes(b"{\n  \"a\": 1,\n");
        let text = String::from_utf8(entry.clone()).expect("text");
        assert_eq!(text, format!("{{\n  \"a\": 1,\n  \"sha256_above\": \"{digest}\"\n}}\n"));
        assert_eq!(check(&entry), Ok(()));
        for end in 0..entry.len() {
            assert_eq!(check(&entry[..end]), Err(DigestMismatch), "{end} bytes");
        }
        assert_eq!(check(&[entry, b"\n".to_vec()].concat()), Err(DigestMismatch));
    }
}
