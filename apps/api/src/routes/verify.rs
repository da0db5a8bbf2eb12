//! The verifiers of proofs: a page that works when saved to disk, and a program in Python. Neither is an operation, so the
//! document does not list them.

use std::sync::LazyLock;

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::web::ServiceConfig;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use sports_domain::content::ObjectHash;

use crate::auth::Anyone;
use crate::caching::File;
use crate::operation::undocumented;

/// The paths of this area.
pub(crate) const PATHS: [&str; 2] = ["/verify", "/verify.py"];

/// One file, made by `web/verify/build.mjs` of the modules that the page at `/explore` uses, too.
const PAGE: &str = include_str!("../../web/verify/verify.html");
const PROGRAM: &str = include_str!("../../web/verify/verify.py");

/// Both verifiers, which are in the program.
static VERIFIERS: LazyLock<Verifiers> = LazyLock::new(Verifiers::new);

/// Both verifiers, ready to send; each is compressed at most once per process.
struct Verifiers {
    page: File,
    policy: HeaderValue,
    program: File,
}

impl Verifiers {
    fn new() -> Self {
        let file = |name, media_type, content| File::new(name, HeaderValue::from_static(media_type), content);
        Self {
            policy: HeaderValue::from_str(&policy(PAGE)).unwrap_or(HeaderValue::from_static("default-src 'none'")),
            page: file("verify", "text/html; charset=utf-8", Bytes::from_static(PAGE.as_bytes())),
            program: file("verify.py", "text/x-python; charset=utf-8", Bytes::from_static(PROGRAM.as_bytes())),
        }
    }
}

/// Returns the content policy of the page: its scripts and its style, named by their hashes since they stand in the page, and no
/// requests at all.
fn policy(page: &str) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        source_hashes(page, "script"),
        source_hashes(page, "style"),
    )
}

/// Returns the hashes of the texts in the page's elements with this name.
fn source_hashes(page: &str, element: &str) -> String {
    let (open, close) = (format!("<{element}>"), format!("</{element}>"));
    let hash = |text: &str| {
        let digest = hex::decode(ObjectHash::from_bytes(text.as_bytes()).to_string()).unwrap_or_default();
        format!("'sha256-{}'", STANDARD.encode(digest))
    };
    let texts = page.split(&open).skip(1).filter_map(|rest| rest.split_once(&close));
    texts.map(|(text, _)| hash(text)).collect::<Vec<_>>().join(" ")
}

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATHS[0], page)).service(undocumented(Method::GET, PATHS[1], program));
}

async fn page(_caller: Anyone, request: HttpRequest) -> HttpResponse {
    let mut response = VERIFIERS.page.send(&request).await;
    // With 304, too: a cached copy takes over the headers of the 304.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, VERIFIERS.policy.clone());
    response
}

async fn program(_caller: Anyone, request: HttpRequest) -> HttpResponse {
    VERIFIERS.program.send(&request).await
}
