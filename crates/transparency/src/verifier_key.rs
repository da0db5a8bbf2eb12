use std::fmt;
use std::str::FromStr;

use ring::signature::{ED25519, UnparsedPublicKey};
use sha2::{Digest as _, Sha256};

use crate::{KeyName, NotAKeyName, base64_text};

/// The kind of a key: what it signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// A log's key, which signs its checkpoints (Ed25519, type 1).
    Log,
    /// A witness' key, which signs a checkpoint and a time (cosignature/v1, type 4).
    Witness,
}

/// The four bytes that name a key beside its name, written as 8 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId([u8; Self::LENGTH]);

/// A public key with its name, written as a vkey of C2SP: `name+id+key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: KeyName,
    kind: KeyKind,
    id: KeyId,
    public: [u8; VerifierKey::LENGTH],
}

/// The reason for which text is not a vkey that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAVerifierKey {
    /// The text does not have three parts, or its key is not base64.
    #[error("a vkey is NAME+ID+KEY, with an id of 8 lower-case hexadecimal digits and a key in base64")]
    Form,
    /// The name is malformed.
    #[error(transparent)]
    Name(#[from] NotAKeyName),
    /// The key signs with ML-DSA-44.
    #[error("a key of ML-DSA-44 (type 6) is not supported yet: expected one of Ed25519")]
    MlDsa44,
    /// The key is of another type.
    #[error("a key of type {0} is not supported: expected 1 (Ed25519) or 4 (cosignature/v1)")]
    OtherType(u8),
    /// The key has another length.
    #[error("a key of Ed25519 has {expected} bytes, not {0}", expected = VerifierKey::LENGTH)]
    Length(usize),
    /// The id belongs to another key.
    #[error("the id {stated} does not match the key: expected {expected}")]
    OtherId {
        /// The id in the text.
        stated: String,
        /// The id of the name and the key.
        expected: String,
    },
    /// The key is not canonical, or anybody can sign for it.
    #[error("the key is not an encoding of a public key of Ed25519 that can be trusted")]
    WeakKey,
}

impl KeyKind {
    /// The type of ML-DSA-44 cosignatures.
    const ML_DSA_44: u8 = 6;

    const fn type_byte(self) -> u8 {
        match self {
            Self::Log => 1,
            Self::Witness => 4,
        }
    }
}

impl KeyId {
    /// The length of an id, in bytes.
    pub const LENGTH: usize = 4;

    /// Creates the id with these bytes.
    pub const fn new(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// Returns the id of a key.
    fn of(name: &KeyName, key: &[u8]) -> Self {
        let digest: [u8; 32] =
            Sha256::new().chain_update(name.as_str()).chain_update(b"\n").chain_update(key).finalize().into();
        let [first, second, third, fourth, ..] = digest;
        Self([first, second, third, fourth])
    }

    pub const fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for KeyId {
    type Err = NotAVerifierKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).map(Self);
        id.filter(|id| id.to_string() == text).ok_or(NotAVerifierKey::Form)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

impl VerifierKey {
    /// The length of a public key, in bytes.
    pub const LENGTH: usize = 32;

    /// Creates the key of this kind and name.
    ///
    /// # Errors
    ///
    /// [`NotAVerifierKey::WeakKey`] if the encoding is not canonical, or of a point of small order.
    pub fn new(name: KeyName, kind: KeyKind, public: [u8; Self::LENGTH]) -> Result<Self, NotAVerifierKey> {
        if is_weak(public) {
            return Err(NotAVerifierKey::WeakKey);
        }
        let id = KeyId::of(&name, &[&[kind.type_byte()], public.as_slice()].concat());
        Ok(Self { name, kind, id, public })
    }

    pub const fn name(&self) -> &KeyName {
        &self.name
    }

    pub const fn kind(&self) -> KeyKind {
        self.kind
    }

    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// Returns `true` if a signature is the key's, by the rules of RFC 8032.
    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.public).verify(message, signature).is_ok()
    }
}

/// Returns `true` for points of small order, under which anybody can sign, and for encodings that RFC 8032 does not
/// allow: a coordinate of 2^255 − 19 or more, or a negative zero.
fn is_weak(public: [u8; VerifierKey::LENGTH]) -> bool {
    const ORDER_8: [&str; 2] = [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ];
    let mut coordinate = public;
    coordinate[31] &= 0x7f;
    let text = hex::encode(coordinate);
    let [first, rest @ .., last] = coordinate;
    let is_small = first <= 1 && last == 0 && rest.iter().all(|byte| *byte == 0);
    // From −1 on: 2^255 − 20 and above.
    let is_large = first >= 0xec && last == 0x7f && rest.iter().all(|byte| *byte == 0xff);
    is_small || is_large || ORDER_8.contains(&text.as_str())
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[self.kind.type_byte()], self.public.as_slice()].concat();
        write!(f, "{}+{}+{}", self.name, self.id, base64_text::encode(&key))
    }
}

impl FromStr for VerifierKey {
    type Err = NotAVerifierKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(stated), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(NotAVerifierKey::Form);
        };
        let name = name.parse::<KeyName>()?;
        let key = base64_text::decode(key).ok_or(NotAVerifierKey::Form)?;
        let expected = KeyId::of(&name, &key).to_string();
        if stated != expected {
            return Err(NotAVerifierKey::OtherId { stated: stated.to_owned(), expected });
        }
        let (kind, public) = key.split_first().ok_or(NotAVerifierKey::Form)?;
        let kind = match *kind {
            kind if kind == KeyKind::Log.type_byte() => KeyKind::Log,
            kind if kind == KeyKind::Witness.type_byte() => KeyKind::Witness,
            KeyKind::ML_DSA_44 => return Err(NotAVerifierKey::MlDsa44),
            other => return Err(NotAVerifierKey::OtherType(other)),
        };
        let public = public.try_into().map_err(|_| NotAVerifierKey::Length(public.len()))?;
        Self::new(name, kind, public)
    }
}
