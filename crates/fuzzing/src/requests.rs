//! HTTP requests, as method, address, headers and body.

mod message;
mod world;

use actix_web::http::header::{ACCEPT_ENCODING, ETAG, IF_NONE_MATCH};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Query;

use self::message::{Answer, Request};
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
