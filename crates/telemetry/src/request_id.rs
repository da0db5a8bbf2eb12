use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
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
    pub fn from_header(given: Option<&[u8]>) -> Self {
        let given = given.filter(|given| is_valid(given)).and_then(|given| str::from_utf8(given).ok());
        given.map_or_else(Self::new, |given| Self(given.into()))
    }

    /// Creates an id of 64 bits in hexadecimal digits, which reveals nothing about other requests: the hash of a counter under
    /// a random key of the process.
    #[expect(clippy::new_without_default, reason = "each call returns another id")]
    pub fn new() -> Self {
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let id = KEY.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
        Self(format!("{id:016x}").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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

    /// Ids of a counter, or with a part that the process keeps, have bits that are equal or follow each other.
    #[test]
    fn new_ids_share_no_part_and_have_no_order() {
        let ids: Vec<_> = (0..1000).map(|_| RequestId::new().to_string()).collect();
        let numbers: Vec<_> = ids.iter().map(|id| u64::from_str_radix(id, 16).expect("hexadecimal digits")).collect();
        assert!(ids.iter().all(|id| id.len() == 16));
        let ones = numbers.iter().fold([0_u32; 64], |mut ones, number| {
            ones.iter_mut().enumerate().for_each(|(bit, ones)| *ones += u32::from(number >> bit & 1 == 1));
            ones
        });
        // 500 of 1000 is expected; 300 and 700 are twelve standard deviations away.
        assert!(ones.iter().all(|ones| (300..700).contains(ones)), "{ones:?}");
        let ascending = numbers.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((300..700).contains(&ascending), "{ascending}");
    }
}
