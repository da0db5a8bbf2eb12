//! Requests for a part of a file (`Range`), and `HEAD`.

use std::ops::Range;

use actix_web::HttpRequest;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, ByteRangeSpec, Header, IF_RANGE};

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
    #[must_use]
    pub fn by(request: &HttpRequest, size: u64, etag: &str) -> Self {
        let is_current = request.headers().get(IF_RANGE).is_none_or(|given| given.as_bytes() == etag.as_bytes());
        if !is_current || !request.headers().contains_key(header::RANGE) {
            return Self::Whole;
        }
        match header::Range::parse(request) {
            Ok(header::Range::Bytes(ranges)) => match ranges.as_slice() {
                [one] => Self::one(one, size),
                _ => Self::Whole,
            },
            _ => Self::Whole,
        }
    }

    /// Returns the value of `Content-Range` for a part of a file of `size` bytes.
    #[must_use]
    pub fn content_range(part: &Range<u64>, size: u64) -> String {
        format!("bytes {}-{}/{size}", part.start, part.end - 1)
    }

    fn one(range: &ByteRangeSpec, size: u64) -> Self {
        match range.to_satisfiable_range(size) {
            Some((first, last)) => Self::Part(first..last + 1),
            // A range that ends before it begins is malformed.
            None if matches!(range, ByteRangeSpec::FromTo(first, last) if first > last) => Self::Whole,
            None => Self::Nothing,
        }
    }
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
        ];
        for (range, expected) in table {
            let request = TestRequest::default();
            let request = range.map_or(TestRequest::default(), |range| request.insert_header((RANGE, range)));
            assert_eq!(RequestedRange::by(&request.to_http_request(), 10, "\"x\""), expected, "{range:?}");
        }
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
