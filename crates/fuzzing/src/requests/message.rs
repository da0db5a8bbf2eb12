use actix_web::http::header::{CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::test::TestRequest;
use bytes::Bytes;
use serde_json::Value;

/// A parsed request.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Bytes,
}

/// A response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Request {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let first = line(&mut rest);
        let space = first.iter().position(|byte| *byte == b' ')?;
        let method = Method::from_bytes(&first[..space]).ok()?;
        let uri: Uri = Uri::try_from(&first[space + 1..]).ok().filter(|uri: &Uri| uri.path().starts_with('/'))?;
        let mut headers = Vec::new();
        while !rest.is_empty() {
            let header = line(&mut rest);
            if header.is_empty() {
                break;
            }
            let colon = header.iter().position(|byte| *byte == b':')?;
            let value = HeaderValue::from_bytes(header[colon + 1..].trim_ascii()).ok()?;
            headers.push((HeaderName::from_bytes(&header[..colon]).ok()?, value));
        }
        Some(Self { method, uri, headers, body: Bytes::copy_from_slice(rest) })
    }

    pub(super) fn to_actix(&self) -> TestRequest {
        let request = TestRequest::default().method(self.method.clone()).uri(&self.uri.to_string());
        let request = request.peer_addr(([10, 0, 0, 1], 40_000).into()).set_payload(self.body.clone());
        self.headers.iter().fold(request, |request, header| request.append_header(header.clone()))
    }
}

/// Splits a line off the front, and removes its end.
fn line<'b>(rest: &mut &'b [u8]) -> &'b [u8] {
    let end = rest.iter().position(|byte| *byte == b'\n');
    let (line, after) = end.map_or((*rest, &[][..]), |end| (&rest[..end], &rest[end + 1..]));
    *rest = after;
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Answer {
    pub(super) fn is_well_formed(&self, request: &Request) {
        let is_unavailable = self.status == StatusCode::SERVICE_UNAVAILABLE;
        assert!(!self.status.is_server_error() || is_unavailable, "an internal error: {request:?} {self:?}");
        if self.headers.contains_key(CONTENT_ENCODING) || request.method == Method::HEAD {
            return;
        }
        let json = self.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        let body: Option<Value> = json.then(|| serde_json::from_slice(&self.body).expect("a body of its type, JSON"));
        if self.status.is_client_error() || is_unavailable {
            let body = body.unwrap_or_else(|| panic!("a failure without its body: {request:?} {self:?}"));
            assert_eq!(body["error"], format!("HTTP_{}", self.status.as_u16()), "{request:?}");
        }
        if self.status == StatusCode::PARTIAL_CONTENT {
            let range = self.headers.get(CONTENT_RANGE).and_then(|range| range.to_str().ok()).expect("a range");
            assert_eq!(length_of(range), Some(self.body.len()), "{range}");
        }
    }
}

/// Returns the length of a content range such as `bytes 5-13/34`.
fn length_of(range: &str) -> Option<usize> {
    let (first, last) = range.strip_prefix("bytes ")?.split_once('/')?.0.split_once('-')?;
    Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
}
