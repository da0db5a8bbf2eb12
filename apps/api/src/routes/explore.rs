//! The page for people, which shows the data of the service through its own API. It is not an operation, so the
//! document does not list it.

mod links;

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};
use actix_web::web::{Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::cards;
use crate::auth::{Anyone, PublicCaller};
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::operation::undocumented;
use crate::params::Params;
use crate::state::State;

/// The paths of this area that are read.
pub(crate) const PATHS: [&str; 5] =
    ["/explore", "/explore/", "/explore/{version}/{file}", links::GAME, "/figure/{figure}/{view}/{sport}/{market}"];

/// The path of a demo's exchange of a token for its key.
const ONE_CLICK: &str = "/explore/key";

/// The address of the page, relative to the root.
pub(crate) const PAGE: &str = "explore/";

/// The content policy but for who may frame the page: its own scripts, styles and pictures, pictures that it makes of its figures (`blob:`), and
/// requests to this server. Text never becomes markup: the page does not need what `require-trusted-types-for` refuses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; \
                      frame-ancestors ";

/// The time for which the page waits for the address of its picture, which is mostly in memory.
const PICTURE: Duration = Duration::from_millis(500);

/// The caching of a file under the version that its address names: it never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(undocumented(Method::GET, "/explore", redirect))
        .service(undocumented(Method::GET, "/explore/", index))
        .service(undocumented(Method::POST, ONE_CLICK, exchange_token))
        .service(undocumented(Method::GET, "/explore/{version}/{file:.*}", file));
    links::configure(config);
}

async fn redirect(_caller: Anyone) -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, PAGE)).finish()
}

async fn index(_caller: Anyone, request: HttpRequest, state: State) -> HttpResponse {
    // A store that does not answer takes the picture from the page, and nothing else.
    let picture = timeout(PICTURE, cards::picture(&state, None, None)).await.ok().flatten();
    let page = state.site.page.index(picture.as_deref());
    let embedded = request.query_string().split('&').any(|part| part == "embed");
    let framed_by = if embedded { state.site.page.frame_ancestors.as_str() } else { "'none'" };
    with_policy(page.1.send(&request).await, framed_by)
}

async fn file(
    _caller: Anyone,
    request: HttpRequest,
    path: Path<(String, String)>,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (version, name) = path.into_inner();
    let file = state.site.page.file(&name).ok_or(ApiError::NoSuchPath)?;
    let mut response = with_policy(file.send(&request).await, "'none'");
    // While nodes of two builds form one service, a page may request a file from the other build. It is served, but
    // not to be cached for good.
    if version == state.site.page.version {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
    }
    Ok(response)
}

/// Adds the content policy; with 304, too, as a cached copy takes over the headers of the 304.
fn with_policy(mut response: HttpResponse, framed_by: &str) -> HttpResponse {
    // Origins are plain text, so there is always a header.
    if let Ok(policy) = HeaderValue::try_from([POLICY, framed_by].concat()) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

// The way into the page of a demo with one click: the printed address has a token, which is exchanged for the key once.

/// The token from the address.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Token {
    token: String,
}

impl Fields for Token {
    const FIELDS: &'static str = "`token`";
}

/// The key of the demo.
#[derive(Serialize)]
struct Key {
    api_key: String,
}

/// Exchanges the token for the key. Only a demo has one, and only for programs on its own machine.
async fn exchange_token(
    _caller: PublicCaller,
    _params: Params<()>,
    request: HttpRequest,
    body: JsonBody<Token>,
    state: State,
) -> Result<Unstored<Key>, ApiError> {
    let is_near = request.peer_addr().as_ref().map(SocketAddr::ip).is_some_and(|address| address.is_loopback());
    let one_click = state.site.one_click.as_ref().filter(|_| is_near).ok_or(ApiError::NoSuchPath)?;
    let used = "This address was used before, or the demo was started again: use the printed key";
    let api_key = one_click.exchange(&body.0.token).ok_or_else(|| ApiError::Forbidden(used.to_owned()))?;
    Ok(Unstored(Key { api_key }))
}
