//! Commitments: hashes that fix a forecast without disclosing it, and the secrets that open them.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sports_content::ObjectHash;
use sports_domain::{GameKey, ModelType};

use crate::game_text::game_text;

/// The number that all salts of one entry are derived from. It is kept in the store, and in no answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nonce([u8; Self::LENGTH]);

/// The secret of one commitment, which leaves the store in an opening only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; Self::LENGTH]);

/// The error for text that is not 64 lower-case hexadecimal digits. The text may be a secret, and is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits")]
pub struct NotASecret;

impl Nonce {
    /// The length of a nonce, in bytes.
    pub const LENGTH: usize = 32;

    /// Creates a nonce of random bytes.
    pub const fn new(random: [u8; Self::LENGTH]) -> Self {
        Self(random)
    }

    /// Returns the hexadecimal digits that an entry stores.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Returns the salt of one forecast of the entry with this generation.
    pub fn salt(&self, generation: u64, model_type: ModelType, game: &GameKey) -> Salt {
        let mut key = hmac::digest::Key::<Hmac<Sha256>>::default();
        key[..Self::LENGTH].copy_from_slice(&self.0);
        let message = format!("sports-salt/v1\n{generation}\n{model_type}\n{}", game_text(game));
        Salt(Hmac::<Sha256>::new(&key).chain_update(message).finalize().into_bytes().into())
    }
}

impl Salt {
    /// The length of a salt, in bytes.
    pub const LENGTH: usize = 32;

    /// Returns the hexadecimal digits of an opening.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Returns the commitment to a payload.
    pub fn commit(&self, payload: &[u8]) -> ObjectHash {
        let mut bytes = b"sports-forecast/v1\n".to_vec();
        bytes.extend_from_slice(&self.0);
        bytes.extend_from_slice(payload);
        ObjectHash::from_bytes(&bytes)
    }
}

/// Parses 64 lower-case hexadecimal digits.
fn parse_secret(text: &str) -> Result<[u8; 32], NotASecret> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| NotASecret)?;
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) { Err(NotASecret) } else { Ok(bytes) }
}

impl FromStr for Nonce {
    type Err = NotASecret;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_secret(text).map(Self)
    }
}

impl FromStr for Salt {
    type Err = NotASecret;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_secret(text).map(Self)
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nonce(***)")
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(***)")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Nonce {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_hex())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Nonce {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
