use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use sports_domain::FormError;

/// A customer's secret key for the service: a prefix, a body and a checksum.
///
/// A key cannot be compared, printed or logged by accident: `Debug` shows the masked form, and only
/// [`reveal`](Self::reveal) returns the text. Compare [digests](Self::digest) instead.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// The prefix of every key.
    pub const PREFIX: &str = MaskedKey::PREFIX;

    /// The number of characters in a key, including the prefix.
    pub const LENGTH: usize = Self::PREFIX.len() + Self::BODY + Self::CHECKSUM;

    const BODY: usize = 43;
    const CHECKSUM: usize = 6;

    /// Creates a key from random bytes, which must come from a secure source such as the operating system.
    pub fn from_random(random: [u8; 32]) -> Self {
        Self(secret(Self::PREFIX, random))
    }

    /// Parses a key as a caller sent it. The records show whether it was ever issued.
    ///
    /// # Errors
    ///
    /// [`FormError`], which does not contain the text, if it is not a well-formed key. Any single wrong character is detected.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        expect_secret("API key", Self::PREFIX, text).map(|()| Self(text.to_owned()))
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
        digest_of(&self.0)
    }

    /// Returns the form that may be shown again.
    pub fn masked(&self) -> MaskedKey {
        let mut shown = [0; MaskedKey::SHOWN];
        shown.copy_from_slice(&self.0.as_bytes()[Self::PREFIX.len()..][..MaskedKey::SHOWN]);
        MaskedKey::showing(shown)
    }
}

/// Writes random bytes as a secret of a kind: its prefix, a body and a checksum.
pub(crate) fn secret(prefix: &str, random: [u8; 32]) -> String {
    let body = encode::<{ ApiKey::BODY }>(&random);
    let checksum = checksum(&body);
    format!("{prefix}{body}{checksum}")
}

/// Checks the form of a secret of a kind; the error does not contain the text.
pub(crate) fn expect_secret(kind: &str, prefix: &str, text: &str) -> Result<(), FormError> {
    let refused = |what: String| Err(FormError::new(what));
    let Some(rest) = text.strip_prefix(prefix) else { return refused(format!("an {kind} starts with {prefix}")) };
    if !is_base62(rest) {
        return refused(format!("an {kind} has only letters and digits after its prefix"));
    }
    if rest.len() != ApiKey::BODY + ApiKey::CHECKSUM {
        return refused(format!("an {kind} has {} characters", prefix.len() + ApiKey::BODY + ApiKey::CHECKSUM));
    }
    let (body, sum) = rest.split_at(ApiKey::BODY);
    if checksum(body) == sum {
        Ok(())
    } else {
        refused(format!("the last characters of the {kind} do not fit the rest"))
    }
}

/// Returns the SHA-256 of a secret's text.
pub(crate) fn digest_of(secret: &str) -> KeyDigest {
    KeyDigest::from_bytes(Sha256::digest(secret).into())
}

fn checksum(body: &str) -> String {
    encode::<{ ApiKey::CHECKSUM }>(&crc32fast::hash(body.as_bytes()).to_be_bytes())
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({})", self.masked())
    }
}

/// The SHA-256 of a key's text, under which a key is stored and looked up.
///
/// Written as 64 hexadecimal digits. It is no secret, since it does not lead back to a key with
/// 256 random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyDigest([u8; 32]);

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
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .map_err(|_| FormError::fixed("a key digest is 64 hexadecimal digits"))?;
        Ok(Self(bytes))
    }
}

/// The masked form of a key, which its owner sees after the first time: the prefix, four characters, five asterisks.
///
/// Several keys may share a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaskedKey([u8; Self::SHOWN]);

impl MaskedKey {
    /// The number of visible characters of the body.
    pub const SHOWN: usize = 4;

    /// The start of every key, masked or not.
    pub(crate) const PREFIX: &str = "sk_service_";

    pub(crate) const STARS: &str = "*****";

    /// Creates a mask from the first characters of a key's body.
    pub(crate) const fn showing(body: [u8; Self::SHOWN]) -> Self {
        Self(body)
    }
}

impl fmt::Display for MaskedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(f, "{}", char::from(*byte)))?;
        f.write_str(Self::STARS)
    }
}

impl FromStr for MaskedKey {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix(Self::PREFIX)
            .and_then(|rest| rest.strip_suffix(Self::STARS))
            .filter(|shown| is_base62(shown))
            .and_then(|shown| shown.as_bytes().try_into().ok())
            .map(Self)
            .ok_or_else(|| {
                let (prefix, stars) = (Self::PREFIX, Self::STARS);
                FormError::new(format!("a masked API key is {prefix}, {} letters or digits, then {stars}", Self::SHOWN))
            })
    }
}

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Encodes a big-endian number in exactly `WIDTH` base-62 digits, with leading zeros.
///
/// The width must hold the number: 43 digits hold any 32 bytes (62^43 > 2^256), 6 hold any 4.
pub(crate) fn encode<const WIDTH: usize>(number: &[u8]) -> String {
    let mut digits = [0; WIDTH];
    for byte in number {
        // digits = digits * 256 + byte
        let mut carry = usize::from(*byte);
        for digit in digits.iter_mut().rev() {
            carry += *digit * 256;
            *digit = carry % ALPHABET.len();
            carry /= ALPHABET.len();
        }
        debug_assert_eq!(carry, 0, "{WIDTH} digits are too few");
    }
    digits.into_iter().map(|digit| char::from(ALPHABET[digit])).collect()
}

/// Returns `true` if the text has only characters that [`encode`] writes.
pub(crate) fn is_base62(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ApiKey;

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
            (String::new(), "an API key starts with sk_service_"),
            (good.replace("sk_", "pk_"), "an API key starts with sk_service_"),
            (good.to_uppercase(), "an API key starts with sk_service_"),
            (format!(" {good}"), "an API key starts with sk_service_"),
            (ApiKey::PREFIX.to_owned(), "an API key has 60 characters"),
            (good[..good.len() - 1].to_owned(), "an API key has 60 characters"),
            (format!("{good}0"), "an API key has 60 characters"),
            (format!("{good} "), "an API key has only letters and digits after its prefix"),
            (good.replacen("00", "é", 1), "an API key has only letters and digits after its prefix"),
            (key.masked().to_string(), "an API key has only letters and digits after its prefix"),
            (good.replacen("service_0", "service_1", 1), "the last characters of the API key do not fit the rest"),
        ];
        for (text, reason) in table {
            let found = ApiKey::parse(&text).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(found, Err(reason.to_owned()), "{text}");
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
    fn a_digest_is_the_sha_256_of_the_whole_text() {
        // As `printf %s <the key> | sha256sum` prints it.
        let digest = ApiKey::from_random([0; 32]).digest();
        assert_eq!(digest.to_string(), "29708f6c367c250fa121fb1f44f978f724884648391e33323ac1d129728b8315");
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn a_digest_has_exactly_64_hexadecimal_digits() {
        for text in ["", "00", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64)] {
            assert!(text.parse::<KeyDigest>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_mask_is_parsed_back() {
        let mask: MaskedKey = "sk_service_aB3z*****".parse().expect("a mask");
        assert_eq!(mask.to_string(), "sk_service_aB3z*****");
    }

    #[test]
    fn anything_else_is_no_mask() {
        let table = [
            "",
            "sk_service_*****",
            "sk_service_aB3*****",
            "sk_service_aB3zz*****",
            "sk_service_aB3z****",
            "sk_service_aB3z******",
            "sk_service_aB_z*****",
            "sk_service_é1z*****",
            "pk_service_aB3z*****",
        ];
        for text in table {
            let refused = text.parse::<MaskedKey>().expect_err(text).to_string();
            assert_eq!(refused, "a masked API key is sk_service_, 4 letters or digits, then *****");
        }
    }

    #[test]
    fn known_numbers_are_encoded_as_by_hand() {
        let table: [(&[u8], &str); 6] = [
            (&[], "000000"),
            (&[0, 0, 0, 0], "000000"),
            (&[61], "00000z"),
            (&[62], "000010"),
            (&[1, 0], "000048"), // 256 = 4 * 62 + 8
            (&[0xff, 0xff, 0xff, 0xff], "4gfFC3"),
        ];
        for (number, text) in table {
            assert_eq!(encode::<6>(number), text);
        }
    }

    #[test]
    fn the_largest_key_body_fits_its_width() {
        assert_eq!(encode::<43>(&[0; 32]), "0".repeat(43));
        let largest = encode::<43>(&[0xff; 32]);
        assert_eq!(largest.len(), 43);
        assert_ne!(largest.as_bytes()[0], b'0', "42 digits would be too few");
    }
}
