use std::fmt;

use sha2::{Digest, Sha256};

use crate::base62;
use crate::{KeyDigest, MaskedKey};

/// A customer's secret key for the service: a prefix, a body and a checksum.
///
/// A key cannot be compared, printed or logged by accident: `Debug` shows the masked form, and only
/// [`reveal`](Self::reveal) returns the text. Compare [digests](Self::digest) instead.
#[derive(Clone)]
pub struct ApiKey(String);

/// The reason why a text is not a key that was ever issued. Does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAKey {
    /// It does not start with the prefix.
    #[error("an API key starts with {prefix}", prefix = ApiKey::PREFIX)]
    Prefix,
    /// It is too short or too long.
    #[error("an API key has {length} characters", length = ApiKey::LENGTH)]
    Length,
    /// Something other than an unaccented letter or a digit follows the prefix.
    #[error("an API key has only letters and digits after its prefix")]
    Character,
    /// The checksum does not match: the key was mistyped.
    #[error("the last characters of the API key do not fit the rest")]
    Checksum,
}

impl ApiKey {
    /// The prefix of every key.
    pub const PREFIX: &str = MaskedKey::PREFIX;

    /// The number of characters in a key, including the prefix.
    pub const LENGTH: usize = Self::PREFIX.len() + Self::BODY + Self::CHECKSUM;

    const BODY: usize = 43;
    const CHECKSUM: usize = 6;

    /// Creates a key from random bytes, which must come from a secure source such as the operating system.
    pub fn from_random(random: [u8; 32]) -> Self {
        let body = base62::encode::<{ Self::BODY }>(&random);
        let checksum = checksum(&body);
        Self(format!("{}{body}{checksum}", Self::PREFIX))
    }

    /// Parses a key as a caller sent it. The records show whether it was ever issued.
    ///
    /// # Errors
    ///
    /// [`NotAKey`] if the text is not a well-formed key. Any single wrong character is detected.
    pub fn parse(text: &str) -> Result<Self, NotAKey> {
        let rest = text.strip_prefix(Self::PREFIX).ok_or(NotAKey::Prefix)?;
        if !base62::is_base62(rest) {
            return Err(NotAKey::Character);
        }
        if text.len() != Self::LENGTH {
            return Err(NotAKey::Length);
        }
        let (body, sum) = rest.split_at(Self::BODY);
        if checksum(body) == sum { Ok(Self(text.to_owned())) } else { Err(NotAKey::Checksum) }
    }

    /// Returns `true` if a text has the prefix of keys, well-formed or not; other tokens do not.
    pub fn looks_like_a_key(text: &str) -> bool {
        text.starts_with(Self::PREFIX)
    }

    /// Returns the secret text, for the one response that shows it to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the text, which is stored and looked up in place of the key.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest::from_bytes(Sha256::digest(&self.0).into())
    }

    /// Returns the form that may be shown again.
    pub fn masked(&self) -> MaskedKey {
        let mut shown = [0; MaskedKey::SHOWN];
        shown.copy_from_slice(&self.0.as_bytes()[Self::PREFIX.len()..][..MaskedKey::SHOWN]);
        MaskedKey::showing(shown)
    }
}

fn checksum(body: &str) -> String {
    base62::encode::<{ ApiKey::CHECKSUM }>(&crc32fast::hash(body.as_bytes()).to_be_bytes())
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({})", self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZEROS: &str = "sk_service_0000000000000000000000000000000000000000000";

    #[test]
    fn a_key_is_written_the_same_way_for_ever() {
        // CRC-32 of 43 `0` characters is 0x7849_568F.
        let key = ApiKey::from_random([0; 32]);
        assert_eq!(key.reveal(), format!("{ZEROS}2CZclj"));
        assert_eq!(key.masked().to_string(), "sk_service_0000*****");
        assert_eq!(key.reveal().len(), ApiKey::LENGTH);
    }

    #[test]
    fn a_malformed_key_is_refused_with_its_reason() {
        let key = ApiKey::from_random([0; 32]);
        let good = key.reveal();
        let table = [
            (String::new(), NotAKey::Prefix),
            (good.replace("sk_", "pk_"), NotAKey::Prefix),
            (good.to_uppercase(), NotAKey::Prefix),
            (format!(" {good}"), NotAKey::Prefix),
            (ApiKey::PREFIX.to_owned(), NotAKey::Length),
            (good[..good.len() - 1].to_owned(), NotAKey::Length),
            (format!("{good}0"), NotAKey::Length),
            (format!("{good} "), NotAKey::Character),
            (good.replacen("00", "é", 1), NotAKey::Character),
            (key.masked().to_string(), NotAKey::Character),
            (good.replacen("service_0", "service_1", 1), NotAKey::Checksum),
        ];
        for (text, reason) in table {
            assert_eq!(ApiKey::parse(&text).map(|_| ()), Err(reason), "{text}");
        }
    }

    #[test]
    fn the_prefix_alone_separates_a_key_from_another_token() {
        assert!(ApiKey::looks_like_a_key("sk_service_mistyped"));
        assert!(!ApiKey::looks_like_a_key("eyJhbGciOiJIUzI1NiJ9.e30.x"));
    }

    #[test]
    fn debug_output_keeps_the_secret() {
        let key = ApiKey::from_random([9; 32]);
        let printed = format!("{key:?}");
        assert_eq!(printed, format!("ApiKey({})", key.masked()));
        assert!(!printed.contains(&key.reveal()[16..]));
    }

    #[test]
    fn the_messages_show_the_format_of_a_key() {
        assert_eq!(NotAKey::Prefix.to_string(), "an API key starts with sk_service_");
        assert_eq!(NotAKey::Length.to_string(), "an API key has 60 characters");
    }
}
