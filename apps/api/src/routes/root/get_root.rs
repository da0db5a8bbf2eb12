use actix_web::web::{Data, Json};
use serde::Serialize;
use sports_usecases::record::CurrentGenerations;
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::build::{COMMIT, VERSION};

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
#[schema(as = Root)]
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
/// What is served here, its version, and where its documentation is.
#[utoipa::path(
    get, path = "/",
    tag = "service",
    responses((status = 200, description = "About this server", body = RootResponse,
        example = json!(RootResponse::new(Greeting::default(), false, "0123456789ab")))),
)]
pub(super) async fn get_root(
    _caller: Anyone,
    greeting: Option<Data<Greeting>>,
    published: Data<CurrentGenerations>,
) -> Json<RootResponse> {
    let greeting = greeting.map_or_else(Greeting::default, |greeting| Greeting::clone(&greeting));
    Json(RootResponse::new(greeting, published.has_simulated_records(), COMMIT))
}
