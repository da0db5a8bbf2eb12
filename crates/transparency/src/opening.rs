//! The opening in a proof: the leaf's text, its salt and its payload, as an object of JSON.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sports_domain::content::ObjectHash;
use sports_domain::{FormError, GameKey, ModelType};

use crate::game_text::game_text;
use crate::payload::push_text;

/// The opening of a commitment: a leaf, the salt and the payload.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    /// The text of the leaf.
    pub entry: String,
    pub salt: Salt,
    /// The payload as it was committed to.
    pub payload: String,
}

pub(crate) const NOT_AN_OPENING: FormError = FormError::fixed(
    "`extra` is not the base64 of an object of exactly the three strings `entry`, `salt` and `payload`",
);

impl Opening {
    /// Writes the object.
    pub fn to_json(&self) -> String {
        let mut json = String::from("{");
        let fields = [("entry", self.entry.as_str()), ("salt", &self.salt.to_hex()), ("payload", &self.payload)];
        for (index, (name, text)) in fields.into_iter().enumerate() {
            json.push_str(if index == 0 { "" } else { "," });
            push_text(&mut json, name);
            json.push(':');
            push_text(&mut json, text);
        }
        json.push('}');
        json
    }

    /// Reads the object. Fields may stand in any order; another field, or a field twice, is refused.
    ///
    /// # Errors
    ///
    /// [`FormError`] for anything else.
    pub fn parse(json: &str) -> Result<Self, FormError> {
        let fields = Reader(json).object().ok_or(NOT_AN_OPENING)?;
        let field = |name: &str| {
            let mut named = fields.iter().filter(|(field, _)| field == name);
            named.next().map(|(_, text)| text.clone()).ok_or(NOT_AN_OPENING)
        };
        // Three fields with three different names have each once.
        let [entry, salt, payload] = [field("entry")?, field("salt")?, field("payload")?];
        let salt = salt.parse().map_err(|_| NOT_AN_OPENING)?;
        if fields.len() == 3 { Ok(Self { entry, salt, payload }) } else { Err(NOT_AN_OPENING) }
    }
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opening(***)")
    }
}

/// A reader of JSON that knows objects of strings alone.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    /// Reads an object of at most four fields, and nothing behind it.
    fn object(mut self) -> Option<Vec<(String, String)>> {
        let mut fields = Vec::new();
        self.mark('{')?;
        loop {
            let name = self.string()?;
            self.mark(':')?;
            fields.push((name, self.string()?));
            if fields.len() > 3 {
                return None;
            }
            if self.mark(',').is_none() {
                break;
            }
        }
        self.mark('}')?;
        self.skip_spaces();
        self.0.is_empty().then_some(fields)
    }

    fn skip_spaces(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Reads a mark behind spaces; without it, nothing but spaces is read.
    fn mark(&mut self, mark: char) -> Option<()> {
        self.skip_spaces();
        self.0 = self.0.strip_prefix(mark)?;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.mark('"')?;
        let mut text = String::new();
        loop {
            let end = self.0.find(|symbol| matches!(symbol, '"' | '\\' | '\0'..='\x1f'))?;
            let (plain, rest) = self.0.split_at(end);
            text.push_str(plain);
            self.0 = rest;
            if self.0.starts_with('"') {
                self.mark('"')?;
                return Some(text);
            }
            text.push(self.escape()?);
        }
    }

    /// Reads an escape, which begins with a backslash.
    fn escape(&mut self) -> Option<char> {
        let rest = self.0.strip_prefix('\\')?;
        let symbol = rest.chars().next()?;
        self.0 = &rest[symbol.len_utf8()..];
        Some(match symbol {
            '"' | '\\' | '/' => symbol,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            _ => return None,
        })
    }

    /// Reads the digits of an escape `\u`, and its second half if it needs one.
    fn unicode(&mut self) -> Option<char> {
        let unit = self.unit()?;
        if !(0xd800..0xdc00).contains(&unit) {
            return char::from_u32(unit);
        }
        self.0 = self.0.strip_prefix("\\u")?;
        let low = self.unit().filter(|low| (0xdc00..0xe000).contains(low))?;
        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
    }

    fn unit(&mut self) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(4)?;
        self.0 = rest;
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        are_digits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }
}

// Commitments: hashes that fix a forecast without disclosing it, and the secrets that open them.

/// The number that all salts of one entry are derived from. It is kept in the store, and in no answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nonce([u8; Self::LENGTH]);

/// The secret of one commitment, which leaves the store in an opening only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; Self::LENGTH]);

const NOT_A_SECRET: FormError = FormError::fixed("expected 64 lower-case hexadecimal digits");

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
fn parse_secret(text: &str) -> Result<[u8; 32], FormError> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| NOT_A_SECRET)?;
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) { Err(NOT_A_SECRET) } else { Ok(bytes) }
}

impl FromStr for Nonce {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_secret(text).map(Self)
    }
}

impl FromStr for Salt {
    type Err = FormError;

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
