use std::fmt;
use std::str::FromStr;

use crate::base62;

/// The masked form of a key, which its owner sees after the first time: the prefix, four characters, five asterisks.
///
/// Several keys may share a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaskedKey([u8; Self::SHOWN]);

/// A text that is not a masked key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a masked API key is {prefix}, {shown} letters or digits, then {stars}",
    prefix = MaskedKey::PREFIX, shown = MaskedKey::SHOWN, stars = MaskedKey::STARS
)]
pub struct NotAMask;

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
    type Err = NotAMask;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix(Self::PREFIX)
            .and_then(|rest| rest.strip_suffix(Self::STARS))
            .filter(|shown| base62::is_base62(shown))
            .and_then(|shown| shown.as_bytes().try_into().ok())
            .map(Self)
            .ok_or(NotAMask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(text.parse::<MaskedKey>(), Err(NotAMask), "{text}");
        }
        assert_eq!(NotAMask.to_string(), "a masked API key is sk_service_, 4 letters or digits, then *****");
    }
}
