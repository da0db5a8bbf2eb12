use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes: the name of an immutable object, or a link of the log's chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectHash([u8; 32]);

/// A text that is not 64 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a SHA-256: expected 64 lowercase hexadecimal digits")]
pub struct NotAHash(pub String);

impl ObjectHash {
    /// Hashes `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Hashes a sequence of parts. The same bytes in other parts have another hash.
    pub fn from_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Hashes a key, as its `Hash` feeds it. Equal keys have equal hashes within one build of a program; another build may hash
    /// them differently.
    pub fn of_key(key: &(impl Hash + ?Sized)) -> Self {
        let mut fed = KeyHasher(ObjectHasher::default());
        key.hash(&mut fed);
        fed.0.finish()
    }

    /// Returns the first `digits` hexadecimal digits, for display.
    pub fn short(&self, digits: usize) -> String {
        self.to_string().chars().take(digits).collect()
    }
}

/// A hasher for bytes that arrive in pieces.
#[derive(Debug, Clone, Default)]
pub struct ObjectHasher(Sha256);

impl ObjectHasher {
    /// Adds the next bytes.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Returns the hash of all pieces, which does not depend on their division.
    pub fn finish(self) -> ObjectHash {
        ObjectHash(self.0.finalize().into())
    }
}

struct KeyHasher(ObjectHasher);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let ObjectHash(hash) = self.0.clone().finish();
        hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl fmt::Display for ObjectHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for ObjectHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectHash({self})")
    }
}

impl FromStr for ObjectHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || NotAHash(text.to_owned());
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| refuse())?;
        // Uppercase digits would give one object two names.
        if text.bytes().any(|b| b.is_ascii_uppercase()) { Err(refuse()) } else { Ok(Self(bytes)) }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ObjectHash {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ObjectHash {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_standard_sha_256_and_is_parsed_back() {
        let hash = ObjectHash::from_bytes(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash.to_string(), text);
        assert_eq!(text.parse(), Ok(hash));
        assert_eq!(hash.short(8), "ba7816bf");
        assert_eq!(format!("{hash:?}"), format!("ObjectHash({text})"));
    }

    #[test]
    fn pieces_hash_to_the_same_as_the_whole() {
        let mut hasher = ObjectHasher::default();
        for piece in ["a", "", "bc"] {
            hasher.update(piece.as_bytes());
        }
        assert_eq!(hasher.finish(), ObjectHash::from_bytes(b"abc"));
    }

    #[test]
    fn a_hash_has_one_spelling() {
        let upper = ObjectHash::from_bytes(b"abc").to_string().to_uppercase();
        for text in ["", "ba78", upper.as_str()] {
            assert!(text.parse::<ObjectHash>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_same_bytes_in_other_parts_have_another_hash() {
        let hash = |parts: [&str; 2]| ObjectHash::from_parts(parts.map(str::as_bytes));
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
    }
}
