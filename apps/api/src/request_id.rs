//! The id of a request, in its answer and in every log line about it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use sports_accounts::{ApiKey, hide_keys};

/// Finds one request in logs: the client's own id when it is 1 to 64 of `A-Za-z0-9._-` and holds no key, with its prefix
/// or without, else a new one.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(Box<str>);

impl RequestId {
    /// The header that has it.
    pub(crate) const NAME: HeaderName = HeaderName::from_static("x-request-id");

    const LONGEST: usize = 64;

    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        Self::from_header(headers.get(Self::NAME).map(HeaderValue::as_bytes))
    }

    /// The same by what its header says.
    pub(crate) fn from_header(given: Option<&[u8]>) -> Self {
        let given = given.filter(|given| is_sane(given)).and_then(|given| str::from_utf8(given).ok());
        given.map_or_else(Self::new, |given| Self(given.into()))
    }

    /// Unique among all processes by its random half, and in this one by its counted half.
    pub(crate) fn new() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut id = [b'-'; 16 + 1 + 16];
        write_hex(*PROCESS, &mut id[..16]);
        let digits = usize::try_from((u64::BITS - count.leading_zeros()).div_ceil(4).max(1)).unwrap_or(16);
        write_hex(count, &mut id[17..17 + digits]);
        Self(str::from_utf8(&id[..17 + digits]).unwrap_or("none").into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn mark(&self, headers: &mut HeaderMap) {
        let value = HeaderValue::from_str(&self.0).unwrap_or(HeaderValue::from_static("none"));
        headers.insert(Self::NAME, value);
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The last digits of a number.
fn write_hex(mut number: u64, digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number & 0xF) as usize];
        number >>= 4;
    }
}

fn is_sane(id: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let holds_a_key = |id: &str| id.contains(ApiKey::PREFIX) || matches!(hide_keys(id), Cow::Owned(_));
    let is_short = (1..=RequestId::LONGEST).contains(&id.len());
    is_short && id.iter().all(allowed) && str::from_utf8(id).is_ok_and(|id| !holds_a_key(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What follows the prefix of the key that is made of zeros.
    const KEY_BODY: &str = "00000000000000000000000000000000000000000002CZclj";

    fn id_from_header(id: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(RequestId::NAME, HeaderValue::from_str(id).expect("a header"));
        RequestId::from_headers(&headers).to_string()
    }

    #[test]
    fn a_sane_id_is_kept() {
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
            assert!(is_sane(new.as_bytes()), "{new}");
        }
    }

    #[test]
    fn new_ids_differ() {
        assert_ne!(RequestId::new().to_string(), RequestId::new().to_string());
    }
}
