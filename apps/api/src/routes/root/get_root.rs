use actix_web::http::header::{Accept, Header, LOCATION, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use sports_usecases::record::CurrentGenerations;
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::build::{COMMIT, VERSION};
use crate::params::Params;
use crate::routes::explore::PAGE;

/// What the root says first. Another one can be provided: a demo says what its data is.
#[derive(Debug, Clone)]
pub struct Greeting(pub String);

impl Default for Greeting {
    fn default() -> Self {
        let message = "Sports model data. Model outputs are research signals, not a validated betting selector, \
                       and no edge is guaranteed.";
        Self(message.to_owned())
    }
}

/// What the service is and where its documentation is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServerDescription)]
pub struct RootResponse {
    /// A sentence on what is served; it says so where data is simulated.
    message: String,
    /// Whether any league's record is simulated: it has releases that were published at a time set by hand.
    simulated: bool,
    /// The version of the service.
    version: &'static str,
    /// The commit this build was made from, `unknown` where the build did not know.
    commit: String,
    /// The path of the documentation page.
    docs: &'static str,
    /// The security checks that a build goes through.
    security_scan: &'static str,
    /// Which tests a build goes through, and the commit this one was made from.
    deployment_test: String,
}

impl RootResponse {
    fn new(greeting: Greeting, simulated: bool, commit: &str) -> Self {
        Self {
            message: greeting.0,
            simulated,
            version: VERSION,
            commit: commit.to_owned(),
            docs: "/docs",
            security_scan: "continuous integration runs cargo-deny over the sources and licences of all dependencies, and \
                            over known vulnerabilities where the advisory database can be reached",
            deployment_test: format!(
                "commit {commit}; continuous integration runs the test suite, a client generated from /openapi.json \
                 and a fuzzer against a running server"
            ),
        }
    }
}

/// Describe the server
///
/// What is served here, its version, and where its documentation is. A browser, which prefers HTML by its `Accept`, is
/// sent on to the page that shows all of it.
#[utoipa::path(
    get, path = "/",
    tag = "service",
    responses(
        (status = 200, description = "About this server", body = RootResponse,
            example = json!(RootResponse::new(Greeting::default(), false, "0123456789ab"))),
        (status = 307, description = "For a browser: the page to look at", headers(
            ("Location" = String, description = "Where the page is, relative to this path"),
        )),
    ),
)]
pub(super) async fn get_root(
    _caller: Anyone,
    _params: Params<()>,
    request: HttpRequest,
    greeting: Option<Data<Greeting>>,
    published: Data<CurrentGenerations>,
) -> HttpResponse {
    if prefers_html(&request) {
        return HttpResponse::TemporaryRedirect()
            .insert_header((LOCATION, PAGE))
            .insert_header((VARY, "Accept"))
            .finish();
    }
    let greeting = greeting.map_or_else(Greeting::default, |greeting| Greeting::clone(&greeting));
    let root = RootResponse::new(greeting, published.has_simulated_records(), COMMIT);
    HttpResponse::Ok().insert_header((VARY, "Accept")).json(root)
}

/// Whether a client names HTML, and before JSON: as browsers do when a person opens an address.
fn prefers_html(request: &HttpRequest) -> bool {
    let ranked = Accept::parse(request).map(|accept| accept.ranked()).unwrap_or_default();
    let known = ["text/html", "application/json"];
    ranked.iter().find(|media| known.contains(&media.essence_str())).is_some_and(|media| *media == known[0])
}
