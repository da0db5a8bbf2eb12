//! HTTP requests, as method, address, headers and body.

mod world;

use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH,
};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::test::TestRequest;
use actix_web::web::Query;
use bytes::Bytes;
use serde_json::Value;

use self::world::World;

/// Sends a request to the service. The first line of the input is a method and an address, then a header follows on
/// each line, and the body after an empty line. `{KEY}` and `{LINK}` stand for a customer's key and the path of a
/// download.
///
/// It checks for any request that:
///
/// - the response is not an internal error, and a failure has an error body;
/// - the response does not contain the request's key;
/// - a response with an `ETag` is 304 for a client that has it;
/// - a partial response has the length of its `Content-Range`;
/// - a query in another encoding has the same response.
pub fn send(bytes: &[u8]) {
    World::with(|world| {
        let Some(request) = Request::read(&world.fill_in(bytes)) else { return };
        let answer = world.send(&request);
        answer.is_well_formed(&request);
        if !request.headers.iter().any(|(name, _)| name == ACCEPT_ENCODING) {
            assert!(!world.shows_the_key(&answer), "the response contains the key: {answer:?}");
        }
        if request.method == Method::GET {
            unchanged(world, &request, &answer);
            with_another_encoding(world, &request, &answer);
        }
    });
}

/// A parsed request.
#[derive(Debug, Clone)]
struct Request {
    method: Method,
    uri: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

/// A response.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Request {
    fn read(bytes: &[u8]) -> Option<Self> {
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

    fn to_actix(&self) -> TestRequest {
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
    fn is_well_formed(&self, request: &Request) {
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

/// Checks that a client with this response gets 304.
fn unchanged(world: &World, request: &Request, answer: &Answer) {
    let Some(etag) = answer.headers.get(ETAG).filter(|_| answer.status == StatusCode::OK) else { return };
    let mut again = request.clone();
    again.headers.retain(|(name, _)| name != IF_NONE_MATCH);
    again.headers.push((IF_NONE_MATCH, etag.clone()));
    let again = world.send(&again);
    assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{request:?}");
    assert!(again.body.is_empty(), "{request:?} {again:?}");
}

/// Checks that the query has the same response with every byte of every name and value percent-encoded.
fn with_another_encoding(world: &World, request: &Request, answer: &Answer) {
    let Some(query) = request.uri.query().filter(|query| !query.is_empty()) else { return };
    let Ok(pairs) = Query::<Vec<(String, String)>>::from_query(query) else { return };
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    let mut other = request.clone();
    let Ok(uri) = format!("{}?{}", request.uri.path(), pairs.join("&")).parse() else { return };
    other.uri = uri;
    let other = world.send(&other);
    let status_and_etag = |answer: &Answer| (answer.status, answer.headers.get(ETAG).cloned());
    assert_eq!(status_and_etag(&other), status_and_etag(answer), "{request:?}");
}

fn encoded(text: &str) -> String {
    text.bytes().flat_map(|byte| ['%', digit(byte >> 4), digit(byte & 15)]).collect()
}

fn digit(half: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(half)])
}
