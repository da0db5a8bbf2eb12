use std::fmt;

use crate::ObjectHash;

/// Names one version of an answer: equal validators, equal bytes. It is what an `ETag` holds between its quotes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Validator(String);

impl Validator {
    /// How many digits of the hash it has: 128 bits.
    const DIGITS: usize = 32;

    /// The validator of an answer that depends on these parts and nothing else.
    pub fn from_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        Self(ObjectHash::from_parts(parts).short(Self::DIGITS))
    }

    /// The validator of an object that is sent as it is stored: its whole hash.
    #[must_use]
    pub fn from_object(object: &ObjectHash) -> Self {
        Self(object.to_string())
    }
}

impl fmt::Display for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_separated_and_each_counts() {
        let validator = |parts: &[&str]| Validator::from_parts(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(validator(&["ab", "c"]), validator(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["ab"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(validator(other), validator(&["ab", "c"]), "{other:?}");
        }
        assert_eq!(validator(&[]).to_string().len(), 32);
    }

    #[test]
    fn an_object_is_its_own_validator() {
        let object = ObjectHash::from_bytes(b"abc");
        assert_eq!(Validator::from_object(&object).to_string(), object.to_string());
    }
}
