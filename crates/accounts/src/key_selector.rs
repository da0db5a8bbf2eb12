use std::str::FromStr;

use chrono::{DateTime, Utc};
use sports_domain::FormError;

use crate::{ApiKey, KeyDigest, KeyRecord, MaskedKey};

/// A customer's reference to a key: the key itself or its masked form.
///
/// A full key is kept as its digest, so a selector holds no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySelector {
    /// The complete key.
    Full(KeyDigest),
    /// The form shown in lists. Several keys may share it.
    Masked(MaskedKey),
}

const NOT_A_SELECTOR: FormError = FormError::fixed("neither an API key nor the masked form of one");

impl FromStr for KeySelector {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(mask) = text.parse() {
            return Ok(Self::Masked(mask));
        }
        ApiKey::parse(text).map(|key| Self::Full(key.digest())).map_err(|_| NOT_A_SELECTOR)
    }
}

impl KeySelector {
    /// Returns `true` if it refers to this key, active or not.
    pub fn matches(&self, key: &KeyRecord) -> bool {
        match self {
            Self::Full(digest) => *digest == key.digest,
            Self::Masked(mask) => *mask == key.masked,
        }
    }
}

/// The reason why a selector does not select one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotSelected {
    /// The selector matches no active key of the customer.
    #[error("no active API key matches")]
    NotFound,
    /// Several active keys share the mask. Only the complete key identifies one of them.
    #[error("several active API keys match: give the full key")]
    Ambiguous,
}

/// Returns the active key among a customer's `keys` that the selector refers to.
///
/// Revoked and expired keys are ignored: they are not selected and do not make a mask ambiguous.
///
/// # Errors
///
/// [`NotSelected`] if no active key matches, or more than one.
pub fn select<'a>(
    selector: &KeySelector,
    keys: &'a [KeyRecord],
    now: DateTime<Utc>,
) -> Result<&'a KeyRecord, NotSelected> {
    let mut matching = keys.iter().filter(|key| key.is_active(now) && selector.matches(key));
    match (matching.next(), matching.next()) {
        (None, _) => Err(NotSelected::NotFound),
        (Some(key), None) => Ok(key),
        (Some(_), Some(_)) => Err(NotSelected::Ambiguous),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a_key, a_key_record, second};

    fn full(key: &KeyRecord) -> KeySelector {
        KeySelector::Full(key.digest)
    }

    fn masked(key: &KeyRecord) -> KeySelector {
        KeySelector::Masked(key.masked)
    }

    /// Creates a key with the same mask as another: only the last random byte differs.
    fn twin() -> KeyRecord {
        let mut random = [1; 32];
        random[31] = 2;
        a_key_record().with_key(&ApiKey::from_random(random)).build()
    }

    #[test]
    fn both_forms_of_a_key_are_parsed_and_other_texts_are_refused() {
        let key = a_key(1);
        assert_eq!(key.reveal().parse(), Ok(KeySelector::Full(key.digest())));
        assert_eq!(key.masked().to_string().parse(), Ok(KeySelector::Masked(key.masked())));
        for text in ["", "*", "my key", &key.reveal()[1..], &key.reveal()[..20]] {
            assert_eq!(text.parse::<KeySelector>(), Err(NOT_A_SELECTOR), "{text}");
        }
    }

    #[test]
    fn one_active_key_is_selected_by_either_form() {
        let keys = [a_key_record().build(), a_key_record().seeded(2).build()];
        for key in &keys {
            assert_eq!(select(&full(key), &keys, second(0)), Ok(key));
            assert_eq!(select(&masked(key), &keys, second(0)), Ok(key));
        }
        let stranger = a_key_record().seeded(3).build();
        assert_eq!(select(&full(&stranger), &keys, second(0)), Err(NotSelected::NotFound));
        assert_eq!(select(&masked(&stranger), &keys, second(0)), Err(NotSelected::NotFound));
    }

    #[test]
    fn a_shared_mask_is_ambiguous_and_the_full_key_is_not() {
        let keys = [a_key_record().build(), twin()];
        assert_eq!(keys[0].masked, keys[1].masked);
        assert_eq!(select(&masked(&keys[0]), &keys, second(0)), Err(NotSelected::Ambiguous));
        assert_eq!(select(&full(&keys[1]), &keys, second(0)), Ok(&keys[1]));
    }

    #[test]
    fn an_inactive_key_is_not_selected_and_does_not_make_a_mask_ambiguous() {
        let gone = [a_key_record().revoked(second(5)).build(), a_key_record().expiring(second(5)).build()];
        for gone in gone {
            let keys = [gone, twin()];
            assert_eq!(select(&full(&keys[0]), &keys, second(5)), Err(NotSelected::NotFound));
            assert_eq!(select(&masked(&keys[0]), &keys, second(5)), Ok(&keys[1]));
        }
    }
}
