use std::fmt;
use std::str::FromStr;

use ml_dsa::MlDsa44;
use ml_dsa::signature::Verifier as _;
use ring::signature::{ED25519, UnparsedPublicKey};
use sha2::{Digest as _, Sha256};
use sports_domain::{FormError, Sport, is_hidden};

use crate::hash;

/// The kind of a key: what it signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// A log's key, which signs its checkpoints (Ed25519, type 1).
    Log,
    /// A witness' key, which signs a checkpoint and a time (cosignature/v1, Ed25519, type 4).
    Witness,
    /// A witness' key that withstands quantum computers (ML-DSA-44, type 6).
    MlDsaWitness,
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
    public: Vec<u8>,
}

const NOT_A_VKEY: FormError =
    FormError::fixed("a vkey is NAME+ID+KEY, with an id of 8 lower-case hexadecimal digits and a key in base64");

impl KeyKind {
    const ALL: [Self; 3] = [Self::Log, Self::Witness, Self::MlDsaWitness];

    const fn type_byte(self) -> u8 {
        match self {
            Self::Log => 1,
            Self::Witness => 4,
            Self::MlDsaWitness => 6,
        }
    }

    /// Returns the name of the algorithm, and the length of its public keys in bytes.
    const fn algorithm(self) -> (&'static str, usize) {
        match self {
            Self::Log | Self::Witness => ("Ed25519", VerifierKey::ED25519),
            Self::MlDsaWitness => ("ML-DSA-44", 1312),
        }
    }

    /// Returns `true` for both kinds of a witness.
    pub const fn is_witness(self) -> bool {
        matches!(self, Self::Witness | Self::MlDsaWitness)
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
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).map(Self);
        id.filter(|id| id.to_string() == text).ok_or(NOT_A_VKEY)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

impl VerifierKey {
    /// The length of a public key of Ed25519, in bytes.
    const ED25519: usize = 32;

    /// Creates the key of this kind and name.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the key has another length, or if one of Ed25519 is not canonical or of a point of small order.
    pub fn new(name: KeyName, kind: KeyKind, public: impl Into<Vec<u8>>) -> Result<Self, FormError> {
        let public = public.into();
        let (algorithm, length) = kind.algorithm();
        if public.len() != length {
            return Err(FormError::new(format!("a key of {algorithm} has {length} bytes, not {}", public.len())));
        }
        if public.first_chunk().filter(|_| length == Self::ED25519).is_some_and(is_weak) {
            return Err(FormError::fixed("the key is not an encoding of a public key of Ed25519 that can be trusted"));
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

    /// Returns the bytes of the public key. Two keys with the same are one, whatever their names.
    pub fn public(&self) -> &[u8] {
        &self.public
    }

    /// Returns `true` if a signature is the key's, by the rules of RFC 8032 or FIPS 204.
    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match self.kind {
            KeyKind::Log | KeyKind::Witness => {
                UnparsedPublicKey::new(&ED25519, &self.public).verify(message, signature).is_ok()
            }
            KeyKind::MlDsaWitness => verifies_ml_dsa(&self.public, message, signature).unwrap_or(false),
        }
    }
}

/// Verifies a signature of ML-DSA-44 without a context; `None` if the key or the signature has another length or form.
fn verifies_ml_dsa(public: &[u8], message: &[u8], signature: &[u8]) -> Option<bool> {
    let key = ml_dsa::VerifyingKey::<MlDsa44>::decode(&public.try_into().ok()?);
    let signature = ml_dsa::Signature::<MlDsa44>::decode(&signature.try_into().ok()?)?;
    Some(key.verify(message, &signature).is_ok())
}

/// Returns `true` for points of small order, under which anybody can sign, and for encodings that RFC 8032 does not
/// allow: a coordinate of 2^255 − 19 or more, or a negative zero.
fn is_weak(public: &[u8; VerifierKey::ED25519]) -> bool {
    const ORDER_8: [&str; 2] = [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ];
    let mut coordinate = *public;
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
        write!(f, "{}+{}+{}", self.name, self.id, hash::encode(&key))
    }
}

impl FromStr for VerifierKey {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(stated), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(NOT_A_VKEY);
        };
        let name = name.parse::<KeyName>()?;
        let key = hash::decode(key).ok_or(NOT_A_VKEY)?;
        let expected = KeyId::of(&name, &key).to_string();
        if stated != expected {
            return Err(FormError::new(format!("the id {stated} does not match the key: expected {expected}")));
        }
        let (kind, public) = key.split_first().ok_or(NOT_A_VKEY)?;
        let kind = KeyKind::ALL.into_iter().find(|known| known.type_byte() == *kind).ok_or_else(|| {
            FormError::new(format!(
                "a key of type {kind} is not supported: expected 1 (Ed25519), 4 (cosignature/v1) or 6 (ML-DSA-44)"
            ))
        })?;
        Self::new(name, kind, public)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for VerifierKey {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for VerifierKey {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The name of a key, which is also the origin of a log: text without spaces, `+` or control characters, such as
/// `example.com/api/v1/record/nfl`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyName(String);

impl KeyName {
    /// Creates a name of text that is one.
    pub(crate) const fn unchecked(name: String) -> Self {
        Self(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the league of a log with this name, as [`Origin::log`] makes it; `None` for other names.
    ///
    /// [`Origin::log`]: crate::Origin::log
    pub fn league(&self) -> Option<Sport> {
        let (_, code) = self.0.rsplit_once('/')?;
        Sport::ALL.into_iter().find(|sport| sport.code() == code)
    }
}

impl FromStr for KeyName {
    type Err = FormError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_foreign = |symbol: char| symbol.is_whitespace() || symbol == '+' || symbol < ' ';
        if name.is_empty() || name.contains(is_foreign) {
            Err(FormError::new(format!(
                "`{name}` cannot name a key: expected text without spaces, `+` or control characters"
            )))
        } else {
            Ok(Self(name.to_owned()))
        }
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The common name of the logs of all leagues: an address without a scheme, such as `example.com/api/v1/record`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(String);

const SCHEME: FormError =
    FormError::fixed("an address without a scheme, such as example.com/api/v1/record; leave out https://");
const SYMBOL: FormError = FormError::fixed(
    "an address without spaces, +, and control or invisible characters, such as example.com/api/v1/record",
);
const ADDRESS: FormError = FormError::fixed(
    "an address that begins with a host, without a slash at its end, such as example.com/api/v1/record",
);

fn long_origin() -> FormError {
    FormError::new(format!("an address of at most {} characters, such as example.com/api/v1/record", Origin::LONGEST))
}

impl Origin {
    /// The maximum length in bytes.
    pub const LONGEST: usize = 200;

    /// Returns the name of a league's log, which is also the name of its key.
    pub fn log(&self, sport: Sport) -> KeyName {
        KeyName::unchecked(format!("{}/{}", self.0, sport.code()))
    }
}

impl FromStr for Origin {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let host = text.split('/').next().unwrap_or_default();
        // A host has a port behind its colon, or is an address in brackets.
        let is_port = |port: &str| !port.is_empty() && port.bytes().all(|symbol| symbol.is_ascii_digit());
        if text.contains("://") || host.rsplit_once(':').is_some_and(|(_, port)| !is_port(port) && !port.ends_with(']'))
        {
            return Err(SCHEME);
        }
        if text.contains(|symbol: char| symbol.is_whitespace() || is_hidden(symbol) || symbol == '+') {
            return Err(SYMBOL);
        }
        if text.is_empty() || text.starts_with('/') || text.ends_with('/') {
            return Err(ADDRESS);
        }
        if text.len() > Self::LONGEST { Err(long_origin()) } else { Ok(Self(text.to_owned())) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A signature of a note, of a key known or unknown: `— name base64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    /// The name of the key.
    pub name: KeyName,
    /// The id of the key.
    pub id: KeyId,
    /// The signature behind the id; a witness' begins with its time.
    pub signature: Vec<u8>,
}

const NOT_A_SIGNATURE: FormError =
    FormError::fixed("not a line of a signature: expected a dash, the name of a key and base64");

impl SignatureLine {
    /// Returns `true` if the line names this key.
    pub fn is_of(&self, key: &VerifierKey) -> bool {
        self.name == *key.name() && self.id == key.id()
    }
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.id.as_bytes(), self.signature.as_slice()].concat();
        write!(f, "— {} {}", self.name, hash::encode(&bytes))
    }
}

impl FromStr for SignatureLine {
    type Err = FormError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let (name, base64) = line.strip_prefix("— ").and_then(|rest| rest.split_once(' ')).ok_or(NOT_A_SIGNATURE)?;
        let bytes = hash::decode(base64).ok_or(NOT_A_SIGNATURE)?;
        let (id, signature) = bytes.split_first_chunk().ok_or(NOT_A_SIGNATURE)?;
        if signature.is_empty() {
            return Err(NOT_A_SIGNATURE);
        }
        let name = name.parse().map_err(|_| NOT_A_SIGNATURE)?;
        Ok(Self { name, id: KeyId::new(*id), signature: signature.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_league_has_a_log_below_the_origin() {
        let origin: Origin = "example.com/api/v1/record".parse().expect("an origin");
        assert_eq!(origin.log(Sport::Nfl).as_str(), "example.com/api/v1/record/nfl");
        assert_eq!(
            "127.0.0.1:8080/record".parse::<Origin>().map(|origin| origin.to_string()).as_deref(),
            Ok("127.0.0.1:8080/record")
        );
    }

    #[test]
    fn a_scheme_a_plus_and_a_space_are_refused() {
        let long = "a".repeat(201);
        for (text, reason) in [
            ("https://example.com/record", SCHEME),
            ("https:example.com", SCHEME),
            ("https:/example.com", SCHEME),
            ("example.com/a+b", SYMBOL),
            ("example.com/a b", SYMBOL),
            ("example.com/a\n", SYMBOL),
            ("example.com/a\u{202e}", SYMBOL),
            ("", ADDRESS),
            ("/record", ADDRESS),
            ("example.com/", ADDRESS),
            (long.as_str(), long_origin()),
        ] {
            assert_eq!(text.parse::<Origin>(), Err(reason), "{text}");
        }
    }
}
