use std::fmt;
use std::str::FromStr;

/// The SHA-256 of a key's text, under which a key is stored and looked up.
///
/// Written as 64 hexadecimal digits. It is no secret, since it does not lead back to a key with
/// 256 random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyDigest([u8; 32]);

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key digest is 64 hexadecimal digits")]
pub struct NotADigest;

impl KeyDigest {
    /// Returns the digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for KeyDigest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NotADigest)?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ApiKey;

    #[test]
    fn a_digest_is_the_sha_256_of_the_whole_text() {
        // As `printf %s <the key> | sha256sum` prints it.
        let digest = ApiKey::from_random([0; 32]).digest();
        assert_eq!(digest.to_string(), "29708f6c367c250fa121fb1f44f978f724884648391e33323ac1d129728b8315");
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn a_digest_has_exactly_64_hexadecimal_digits() {
        for text in ["", "00", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64)] {
            assert_eq!(text.parse::<KeyDigest>(), Err(NotADigest), "{text}");
        }
    }
}
