use std::fmt;

use crate::content::ObjectHash;

/// A version of a response: responses with equal validators are equal. It is the text between the quotes of an
/// `ETag`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Validator(String);

impl Validator {
    /// The number of hexadecimal digits, which are 128 bits of the hash.
    const DIGITS: usize = 32;

    /// Returns the validator of a response that depends on these parts only.
    pub fn from_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        Self(ObjectHash::from_parts(parts).short(Self::DIGITS))
    }

    /// Returns the validator of an object that is sent as stored: its complete hash.
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
