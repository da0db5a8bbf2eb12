//! The page for people, which shows the data of the service through its own API. It is not an operation, so the
//! document does not list it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::LazyLock;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};
use actix_web::web::{Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sports_domain::content::ObjectHash;

use crate::auth::{Anyone, PublicCaller};
use crate::caching::File;
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::operation::undocumented;
use crate::params::Params;
use crate::state::State;

/// The paths of this area that are read.
pub(crate) const PATHS: [&str; 4] =
    ["/explore", "/explore/", "/explore/{version}/{file}", "/explore/{version}/{folder}/{file}"];

/// The path of a demo's exchange of a token for its key.
const ONE_CLICK: &str = "/explore/key";

/// The address of the page, relative to the root.
pub(crate) const PAGE: &str = "explore/";

/// The content policy: the page's own scripts, styles and pictures, pictures that it makes of its figures (`blob:`), and
/// requests to this server. Text never becomes markup: the page does not need what `require-trusted-types-for` refuses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// The caching of a file under the version that its address names: it never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The placeholder in the page for the version of its files.
const VERSION_PLACEHOLDER: &str = "{version}";

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_bytes!(concat!("../../web/page/", $name)).as_slice())),*] };
}

/// The page itself.
const INDEX: &str = include_str!("../../web/page/index.html");

/// The files that the page loads, by their names under the version's folder. A test compares the list with the
/// folder.
const FILES: [(&str, &[u8]); 71] = files! {
    "address.js"
    "api.js"
    "clock.js"
    "dom.js"
    "entry.js"
    "figures.css"
    "forecasts.js"
    "format.js"
    "icon.svg"
    "key.js"
    "main.js"
    "models.js"
    "scroll.js"
    "site.js"
    "slate.js"
    "style.css"
    "tables.css"
    "words.js"
    "parts/axes.js"
    "parts/calibrations.js"
    "parts/calls.js"
    "parts/checkpoint.js"
    "parts/clv.js"
    "parts/csv.js"
    "parts/curves.js"
    "parts/dates.js"
    "parts/days.js"
    "parts/dumbbell.js"
    "parts/failure.js"
    "parts/figure.js"
    "parts/filter.js"
    "parts/gaps.js"
    "parts/heat-map.js"
    "parts/hit.js"
    "parts/intervals.js"
    "parts/keep-file.js"
    "parts/key-form.js"
    "parts/last-night.js"
    "parts/later.js"
    "parts/lines.js"
    "parts/marks.js"
    "parts/menu.js"
    "parts/moments.js"
    "parts/movement.js"
    "parts/pickers.js"
    "parts/picture.js"
    "parts/popover.js"
    "parts/proof.js"
    "parts/reliability.js"
    "parts/result-table.js"
    "parts/row-chart.js"
    "parts/scores.js"
    "parts/slate-board.js"
    "parts/slate-table.js"
    "parts/sorting.js"
    "parts/status.js"
    "parts/step-plot.js"
    "parts/summaries.js"
    "parts/svg.js"
    "parts/table.js"
    "parts/tones.js"
    "parts/units.js"
    "views/account.js"
    "views/freshness.js"
    "views/overview.js"
    "views/record.js"
    "views/results.js"
    "views/strategies.js"
    "views/teams.js"
    "views/today.js"
    "views/track-record.js"
};

/// The page and its files, all of which are in the program. Addresses are relative, so the page works below a prefix.
static EXPLORE: LazyLock<ExplorePage> = LazyLock::new(ExplorePage::new);

/// The page and its files, ready to send; each is compressed at most once per process.
struct ExplorePage {
    index: File,
    version: String,
    files: HashMap<&'static str, File>,
}

impl ExplorePage {
    fn new() -> Self {
        let mut all = INDEX.as_bytes().to_vec();
        for (name, content) in &FILES {
            all.extend([name.as_bytes(), content].concat());
        }
        let version = ObjectHash::from_bytes(&all).short(16);
        let index = INDEX.replace(VERSION_PLACEHOLDER, &version);
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        let file = |(name, content): &(&'static str, &'static [u8])| {
            (*name, File::new(name, HeaderValue::from_static(media_type(name)), Bytes::from_static(content)))
        };
        Self { index: File::new("explore", html, index.into()), version, files: FILES.iter().map(file).collect() }
    }
}

/// Returns the media type of a file by the extension of its name.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .service(undocumented(Method::GET, "/explore", redirect))
        .service(undocumented(Method::GET, "/explore/", index))
        .service(undocumented(Method::POST, ONE_CLICK, exchange_token))
        .service(undocumented(Method::GET, "/explore/{version}/{file:.*}", file));
}

async fn redirect(_caller: Anyone) -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, PAGE)).finish()
}

async fn index(_caller: Anyone, request: HttpRequest) -> HttpResponse {
    with_policy(EXPLORE.index.send(&request).await)
}

async fn file(_caller: Anyone, request: HttpRequest, path: Path<(String, String)>) -> Result<HttpResponse, ApiError> {
    let (version, name) = path.into_inner();
    let file = EXPLORE.files.get(name.as_str()).ok_or(ApiError::NoSuchPath)?;
    let mut response = with_policy(file.send(&request).await);
    // While nodes of two builds form one service, a page may request a file from the other build. It is served, but
    // not to be cached for good.
    if version == EXPLORE.version {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
    }
    Ok(response)
}

/// Adds the content policy; with 304, too, as a cached copy takes over the headers of the 304.
fn with_policy(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
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
