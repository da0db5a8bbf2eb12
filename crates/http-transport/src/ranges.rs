//! Requests for a part of a file (`Range`), and `HEAD`.

use std::ops::Range;

use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue, IF_RANGE};

/// The requested bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedRange {
    /// The whole file.
    Whole,
    /// A range of bytes.
    Part(Range<u64>),
    /// Bytes that the file does not have.
    Nothing,
}

impl RequestedRange {
    /// Reads the range of a request for a file of `size` bytes with this `etag`. A malformed range, several ranges, and a range
    /// of another version mean the whole file.
    pub fn by(request: &HttpRequest, size: u64, etag: &str) -> Self {
        let is_current = request.headers().get(IF_RANGE).is_none_or(|given| given.as_bytes() == etag.as_bytes());
        let mut given = request.headers().get_all(header::RANGE);
        match (given.next(), given.next()) {
            (Some(range), None) if is_current => Self::one(range, size).unwrap_or(Self::Whole),
            _ => Self::Whole,
        }
    }

    /// Returns the value of `Content-Range` for a part of a file of `size` bytes.
    pub fn content_range(part: &Range<u64>, size: u64) -> String {
        format!("bytes {}-{}/{size}", part.start, part.end - 1)
    }

    /// Reads one range of bytes. Returns `None` for anything else.
    fn one(range: &HeaderValue, size: u64) -> Option<Self> {
        let (first, last) = range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
        let part = match (position(first)?, position(last)?) {
            (None, None) => return None,
            (Some(first), Some(last)) if first > last => return None,
            (Some(first), last) => first..last.map_or(size, |last| last.saturating_add(1).min(size)),
            (None, Some(length)) => size.saturating_sub(length)..size,
        };
        Some(if part.is_empty() { Self::Nothing } else { Self::Part(part) })
    }
}

/// Reads a position or a length, which may be empty, of digits alone. A number beyond `u64` is beyond every file.
#[expect(clippy::option_option, reason = "an empty number is one of the forms of a range")]
fn position(digits: &str) -> Option<Option<u64>> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX)))
}

/// Turns a `HEAD` into a `GET` for routing. The connection sends no body for it. Ranges apply to `GET` alone, so it has none.
pub fn route_head_as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        let head = request.head_mut();
        head.method = Method::GET;
        head.headers_mut().remove(header::RANGE);
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::RANGE;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_single_range_of_bytes_is_read() {
        let table = [
            (None, RequestedRange::Whole),
            (Some("bytes=0-0"), RequestedRange::Part(0..1)),
            (Some("bytes=2-5"), RequestedRange::Part(2..6)),
            (Some("bytes=2-"), RequestedRange::Part(2..10)),
            (Some("bytes=-3"), RequestedRange::Part(7..10)),
            (Some("bytes=-30"), RequestedRange::Part(0..10)),
            (Some("bytes=9-99"), RequestedRange::Part(9..10)),
            (Some("bytes=10-"), RequestedRange::Nothing),
            (Some("bytes=10-12"), RequestedRange::Nothing),
            (Some("bytes=-0"), RequestedRange::Nothing),
            (Some("bytes=5-2"), RequestedRange::Whole),
            (Some("bytes=0-1,4-5"), RequestedRange::Whole),
            (Some("lines=0-1"), RequestedRange::Whole),
            (Some("bytes"), RequestedRange::Whole),
            (Some("bytes=a-b"), RequestedRange::Whole),
            (Some("bytes=2-99999999999999999999999"), RequestedRange::Part(2..10)),
            (Some("bytes=-99999999999999999999999"), RequestedRange::Part(0..10)),
            (Some("bytes=99999999999999999999999-"), RequestedRange::Nothing),
            (Some("bytes=002-05"), RequestedRange::Part(2..6)),
        ];
        for (range, expected) in table {
            let request = TestRequest::default();
            let request = range.map_or(TestRequest::default(), |range| request.insert_header((RANGE, range)));
            assert_eq!(RequestedRange::by(&request.to_http_request(), 10, "\"x\""), expected, "{range:?}");
        }
    }

    /// A position is of digits alone, and a request has one range.
    #[test]
    fn a_range_of_other_characters_or_beside_another_is_the_whole_file() {
        for range in [
            "bytes=1-+3",
            "bytes=+1-3",
            "bytes=+1-",
            "bytes=-+3",
            "bytes=1--3",
            "bytes=--3",
            "bytes=-",
            "bytes=",
            "bytes= 1-3",
            "bytes=1 -3",
            "bytes=1- 3",
            "bytes=1-3,",
            "bytes=1-3,a-b",
            "bytes=1-3;",
            "bytes=1_0-",
            "bytes=0x1-3",
            "bytes=1.0-3",
            "bytes=1e0-3",
            "bytes=١-٣",
            "bytes =1-3",
            "byte=1-3",
            "=1-3",
            "1-3",
        ] {
            let request = TestRequest::default()
                .insert_header((RANGE, HeaderValue::from_bytes(range.as_bytes()).expect("a value")));
            assert_eq!(RequestedRange::by(&request.to_http_request(), 10, "\"x\""), RequestedRange::Whole, "{range}");
        }
        let twice = TestRequest::default().append_header((RANGE, "bytes=1-3")).append_header((RANGE, "bytes=1-3"));
        assert_eq!(RequestedRange::by(&twice.to_http_request(), 10, "\"x\""), RequestedRange::Whole);
    }

    #[test]
    fn a_range_of_another_version_is_the_whole_file() {
        for (if_range, expected) in [
            ("\"x\"", RequestedRange::Part(2..6)),
            ("\"y\"", RequestedRange::Whole),
            ("W/\"x\"", RequestedRange::Whole),
            ("Sat, 29 Oct 1994 19:43:31 GMT", RequestedRange::Whole),
        ] {
            let request =
                TestRequest::default().insert_header((RANGE, "bytes=2-5")).insert_header((IF_RANGE, if_range));
            assert_eq!(RequestedRange::by(&request.to_http_request(), 10, "\"x\""), expected, "{if_range}");
        }
    }
}
