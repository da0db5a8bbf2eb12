use std::borrow::Cow;
use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::dev::RequestHead;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use sports_accounts::ApiKey;
use sports_http_transport::ProxyTrust;

use super::access::{AdmissionRule, Requirement};
use crate::error::ApiError;
use crate::params::{API_KEY, RawQuery};

/// The header of a key.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The credentials of a caller, as the rule of the operation requires them.
pub(crate) enum Credentials {
    /// A key, the requirement on it, and the address of the client.
    Key(Requirement, ApiKey, IpAddr),
    /// The address of the client.
    Address(IpAddr),
}

impl Credentials {
    /// Reads the credentials of a request that the application receives.
    ///
    /// # Errors
    ///
    /// [`ApiError::KeyRequired`] or [`ApiError::KeyRefused`] without a well-formed key.
    pub(super) fn of_request(rule: AdmissionRule, request: &HttpRequest, address: IpAddr) -> Result<Self, ApiError> {
        match rule.requirement() {
            None => Ok(Self::Address(address)),
            Some(requirement) => Ok(Self::Key(requirement, GivenKey::of_request(request).parse()?, address)),
        }
    }

    /// Returns true if a request has a key, well-formed or not.
    pub(super) fn are_given(request: &HttpRequest) -> bool {
        !matches!(GivenKey::of_request(request).parse(), Err(ApiError::KeyRequired))
    }

    /// Reads the credentials of a request for a cached response. Returns `None` if the application has to refuse it.
    pub(crate) fn of_head(rule: AdmissionRule, head: &RequestHead, proxies: &ProxyTrust) -> Option<Self> {
        expect_one_key(&head.headers).ok()?;
        let address = ProxyTrust::address_behind(Some(proxies), head);
        match rule.requirement() {
            None => Some(Self::Address(address)),
            // No response is stored under a query with a key.
            Some(requirement) => Some(Self::Key(requirement, GivenKey::new(&head.headers, "").parse().ok()?, address)),
        }
    }

    /// Returns the address of the client.
    pub(crate) const fn address(&self) -> IpAddr {
        match self {
            Self::Key(_, _, address) | Self::Address(address) => *address,
        }
    }
}

/// The places of a request that can have a key.
#[derive(Debug, Clone, Copy)]
struct GivenKey<'a> {
    /// The `X-API-Key` header.
    header: Option<&'a [u8]>,
    /// The `Authorization` header.
    authorization: Option<&'a [u8]>,
    query: &'a str,
}

impl<'a> GivenKey<'a> {
    fn of_request(request: &'a HttpRequest) -> Self {
        Self::new(request.headers(), request.query_string())
    }

    fn new(headers: &'a HeaderMap, query: &'a str) -> Self {
        let header = |name: HeaderName| headers.get(name).map(HeaderValue::as_bytes);
        Self { header: header(X_API_KEY), authorization: header(AUTHORIZATION), query }
    }

    /// Returns the key: from `X-API-Key`, else a bearer token that looks like a key of the service, else from the query. Any
    /// other bearer token is an invalid key.
    fn parse(self) -> Result<ApiKey, ApiError> {
        let bearer = self.authorization.and_then(bearer_token);
        let text = self
            .header
            .map(text)
            .filter(|key| !key.is_empty())
            .or_else(|| bearer.clone().filter(|token| ApiKey::looks_like_a_key(token)))
            .or_else(|| from_query(self.query))
            .or(bearer)
            .ok_or(ApiError::KeyRequired)?;
        ApiKey::parse(&text).map_err(|_| ApiError::KeyRefused)
    }
}

/// Refuses a request with two keys in headers of one name: a proxy and the service could read another one of them.
///
/// # Errors
///
/// [`ApiError::BadRequest`] with the name of the header.
pub(crate) fn expect_one_key(headers: &HeaderMap) -> Result<(), ApiError> {
    let repeated = [(X_API_KEY, "X-API-Key"), (AUTHORIZATION, "Authorization")]
        .into_iter()
        .find(|(name, _)| headers.get_all(name).nth(1).is_some());
    repeated.map_or(Ok(()), |(_, shown)| {
        Err(ApiError::BadRequest(format!("The header `{shown}` is given more than once; send it once")))
    })
}

/// Headers that are taken for `X-API-Key`.
const TAKEN_FOR_X_API_KEY: [&str; 4] = ["apikey", "api-key", "x-apikey", "x-api-token"];

/// Returns the challenge that explains the place of a key that was not read; `None` if no key seems to be in such a place.
pub(super) fn misplaced(headers: &HeaderMap) -> Option<HeaderValue> {
    let mistake = match headers.get(AUTHORIZATION).map(|value| text(value.as_bytes())) {
        Some(value) if bearer_token(value.as_bytes()).is_some() => None,
        Some(value) if ApiKey::looks_like_a_key(&value) => Some(
            "Authorization has a key without a scheme: send Authorization: Bearer and the key, or X-API-Key".into(),
        ),
        Some(value) if value.contains(' ') => Some(
            "Authorization has another scheme than Bearer: send Authorization: Bearer and the key, or X-API-Key".into(),
        ),
        _ => None,
    };
    let named = || {
        let name = TAKEN_FOR_X_API_KEY.into_iter().find(|name| headers.contains_key(*name))?;
        Some(format!("the header {name} is not read: send the key as X-API-Key"))
    };
    let mistake = mistake.or_else(named)?;
    let challenge = format!("Bearer realm=\"sports\", error=\"invalid_request\", error_description=\"{mistake}\"");
    HeaderValue::from_str(&challenge).ok()
}

fn bearer_token(value: &[u8]) -> Option<Cow<'_, str>> {
    let (scheme, token) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| text(token)).filter(|token| !token.is_empty())
}

fn from_query(query: &str) -> Option<Cow<'_, str>> {
    // Few clients send the key here, so most queries are not decoded.
    if !query.contains("api") && !query.contains('%') {
        return None;
    }
    RawQuery::parse(query).first(API_KEY).filter(|key| !key.is_empty()).map(|key| Cow::Owned(key.to_owned()))
}

/// Returns the text of a header, without the space around it.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.trim_ascii();
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use sports_accounts::testing::a_key;

    use super::*;

    /// The keys in the three places of a request, and the key that counts.
    struct Row<'a>(Option<&'a str>, Option<&'a str>, Option<&'a str>, Result<&'a str, &'a str>);

    fn request_with(header: Option<&str>, bearer: Option<&str>, query: Option<&str>) -> HttpRequest {
        let mut request = TestRequest::with_uri(&format!("/?season=2024&{}", query.unwrap_or("x=1")));
        if let Some(key) = header {
            request = request.insert_header(("X-API-Key", key));
        }
        if let Some(token) = bearer {
            request = request.insert_header((AUTHORIZATION, token));
        }
        request.to_http_request()
    }

    #[test]
    fn the_places_of_a_key_have_the_specified_order() {
        const NONE: Result<&str, &str> = Err("API key required");
        const BAD: Result<&str, &str> = Err("Invalid or expired API key");
        const JWT: Option<&str> = Some("Bearer eyJhbGciOiJIUzI1NiJ9.e30.x");

        let keys = [1, 2, 3].map(a_key);
        let [one, two, three] = keys.each_ref().map(ApiKey::reveal);
        let typo = one.replace("sk_service_", "sk_service_x");
        let texts = [format!("Bearer {two}"), format!("bearer  {two} "), format!("Bearer {typo}")];
        let [bearer, spaced, mistyped] = texts.each_ref().map(|text| Some(text.as_str()));
        let texts = [format!("api_key={three}"), format!("api_key={typo}")];
        let [query, query_typo] = texts.each_ref().map(|text| Some(text.as_str()));

        let table = [
            Row(None, None, None, NONE),
            Row(Some(one), None, None, Ok(one)),
            Row(None, bearer, None, Ok(two)),
            Row(None, None, query, Ok(three)),
            Row(Some(one), bearer, query, Ok(one)),
            Row(None, bearer, query, Ok(two)),
            Row(Some(one), JWT, None, Ok(one)),
            Row(None, JWT, query, Ok(three)),
            Row(None, JWT, None, BAD),
            Row(Some(&typo), bearer, query, BAD),
            Row(Some("sk_service_short"), bearer, query, BAD),
            Row(Some("hunter2"), bearer, query, BAD),
            Row(None, mistyped, query, BAD),
            Row(None, None, query_typo, BAD),
            Row(Some(" "), bearer, None, Ok(two)),
            Row(None, spaced, None, Ok(two)),
            Row(None, Some("Bearer "), None, NONE),
            Row(None, Some("Basic YW5uOnNlY3JldA=="), None, NONE),
            Row(None, Some("Basic YW5uOnNlY3JldA=="), query, Ok(three)),
            Row(None, None, Some("api_key="), NONE),
        ];
        for (number, Row(header, bearer, query, expected)) in table.into_iter().enumerate() {
            let found = GivenKey::of_request(&request_with(header, bearer, query)).parse();
            let found = found.map(|key| key.reveal().to_owned()).map_err(|error| error.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "row {number}");
        }
    }

    #[test]
    fn a_key_in_a_place_that_is_not_read_is_explained() {
        let key = a_key(1);
        let key = key.reveal();
        let (scheme, no_scheme) = ("another scheme than Bearer", "a key without a scheme");
        let table = [
            ("apiKey", key.to_owned(), Some("the header apikey is not read")),
            ("Api-Key", "x".to_owned(), Some("the header api-key is not read")),
            ("Authorization", key.to_owned(), Some(no_scheme)),
            ("Authorization", format!("Token {key}"), Some(scheme)),
            ("Authorization", "Basic YW5uOnNlY3JldA==".to_owned(), Some(scheme)),
            ("Authorization", format!("Bearer {key}"), None),
            ("Authorization", "hunter2".to_owned(), None),
            ("X-API-Key", key.to_owned(), None),
            ("X-Other", key.to_owned(), None),
        ];
        for (name, value, expected) in table {
            let request = TestRequest::default().insert_header((name, value.as_str())).to_http_request();
            let found = misplaced(request.headers());
            let found = found.as_ref().map(|challenge| challenge.to_str().expect("text"));
            assert_eq!(found.is_some(), expected.is_some(), "{name}: {value}");
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!(found.starts_with("Bearer realm=\"sports\", error=\"invalid_request\""), "{found}");
                assert!(found.contains(expected) && !found.contains(key), "{found}");
            }
        }
    }

    #[test]
    fn two_headers_with_keys_are_refused_and_two_places_are_not() {
        let one = a_key(1);
        let with = |headers: &[&'static str]| {
            let request = headers
                .iter()
                .fold(TestRequest::default(), |request, name| request.append_header((*name, one.reveal())));
            expect_one_key(request.to_http_request().headers()).map_err(|error| error.to_string())
        };
        let refused = |name: &str| Err(format!("The header `{name}` is given more than once; send it once"));
        assert_eq!(with(&["X-API-Key", "Authorization"]), Ok(()));
        assert_eq!(with(&["X-API-Key", "x-api-key"]), refused("X-API-Key"));
        assert_eq!(with(&["Authorization", "X-API-Key", "Authorization"]), refused("Authorization"));
    }

    #[test]
    fn a_key_in_the_query_may_be_percent_encoded() {
        let key = a_key(1);
        let encoded = key.reveal().replace("sk_", "sk%5F");
        let request = TestRequest::with_uri(&format!("/?%61pi_key={encoded}")).to_http_request();
        assert_eq!(GivenKey::of_request(&request).parse().expect("a key").reveal(), key.reveal());
    }
}
