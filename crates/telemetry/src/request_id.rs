use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sports_accounts::{ApiKey, hide_keys};

/// The id of a request, in its response and in every log line about it. The client's own id is used if it is 1 to 64 of
/// `A-Za-z0-9._-` and contains no key, with its prefix or without.
#[derive(Debug, Clone)]
pub struct RequestId(Box<str>);

impl RequestId {
    /// The name of its header.
    pub const HEADER: &str = "x-request-id";

    const LONGEST: usize = 64;

    /// Returns the id in a header of a request, or a new one.
    #[must_use]
    pub fn from_header(given: Option<&[u8]>) -> Self {
        let given = given.filter(|given| is_valid(given)).and_then(|given| str::from_utf8(given).ok());
        given.map_or_else(Self::new, |given| Self(given.into()))
    }

    /// Creates an id, unique among all processes by its random half and in this process by its counted half.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "each call returns another id")]
    pub fn new() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut id = [b'-'; 16 + 1 + 16];
        write_hex(*PROCESS, &mut id[..16]);
        let digits = usize::try_from((u64::BITS - count.leading_zeros()).div_ceil(4).max(1)).unwrap_or(16);
        write_hex(count, &mut id[17..17 + digits]);
        Self(str::from_utf8(&id[..17 + digits]).unwrap_or("none").into())
    }

    /// Returns its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Writes the last hexadecimal digits of a number.
fn write_hex(mut number: u64, digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number & 0xF) as usize];
        number >>= 4;
    }
}

fn is_valid(id: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let contains_key = |id: &str| id.contains(ApiKey::PREFIX) || matches!(hide_keys(id), Cow::Owned(_));
    let is_short = (1..=RequestId::LONGEST).contains(&id.len());
    is_short && id.iter().all(allowed) && str::from_utf8(id).is_ok_and(|id| !contains_key(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the prefix in the key that is made of zeros.
    const KEY_BODY: &str = "00000000000000000000000000000000000000000002CZclj";

    fn id_from_header(id: &str) -> String {
        RequestId::from_header(Some(id.as_bytes())).to_string()
    }

    #[test]
    fn a_valid_request_id_is_kept() {
        for id in ["a", "018f-3A.b_c", &"x-y.".repeat(16), &"0a".repeat(32), &"0a".repeat(20)] {
            assert_eq!(id_from_header(id), id);
        }
    }

    #[test]
    fn an_invalid_request_id_is_replaced() {
        for id in [
            "",
            "a b",
            "a\"b",
            "id=1",
            "é",
            "sk_service_abc",
            &"x.".repeat(33),
            &format!("id-{KEY_BODY}"),
            &KEY_BODY[1..],
        ] {
            let new = id_from_header(id);
            assert_ne!(new, id);
            assert!(is_valid(new.as_bytes()), "{new}");
        }
    }

    #[test]
    fn new_ids_differ() {
        assert_ne!(RequestId::new().to_string(), RequestId::new().to_string());
    }
}
