//! The description of the service.

use actix_web::http::header::{Accept, Header, LOCATION, VARY};
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Sport;
use sports_program::settings::Contact;
use utoipa_actix_web::service_config::ServiceConfig;

use super::explore::PAGE;
use crate::auth::Anyone;
use crate::build::{COMMIT, VERSION};
use crate::codes::{Code, SportCode};
use crate::operation::operation;
use crate::params::Params;
use crate::state::{Site, State};
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(get_root));
}

wire! {
    /// A description of the service and the place of its documentation.
    #[schema(as = ServerDescription)]
    pub struct RootResponse(message: &str, published: Published, contact: Option<&Contact>, commit: &str) {
        /// A sentence about the data, which mentions if it is simulated.
        message: String = message.to_owned(),
        /// True if any league's record is simulated: it has releases that were published at a time set by hand.
        simulated: bool = published.simulated,
        /// The leagues of which something is published.
        leagues: Vec<SportCode> = published.leagues,
        /// The way to reach the operator, who gives out keys; null if the operator set none.
        #[schema(example = "keys@example.com")]
        contact: Option<String> = contact.map(ToString::to_string),
        /// The version of the service.
        version: &'static str = VERSION,
        /// The commit of this build, `unknown` if it was built without one.
        commit: String = commit.to_owned(),
        /// The path of the documentation page.
        docs: &'static str = "/docs",
        /// The security checks of the program, which say nothing about this server.
        security_scan: &'static str =
            "the project of this program checks the sources, licences and known vulnerabilities of its dependencies; this \
             server was not scanned by it",
        /// The tests of the program, and the commit of this build; they say nothing about this server.
        deployment_test: String = format!(
            "commit {commit}; the project of this program tests its commits against a running server; this deployment is \
             checked at /api/v1/health"
        ),
    }
}

/// The published leagues, as the description has them.
pub struct Published {
    simulated: bool,
    leagues: Vec<SportCode>,
}

impl RootResponse {
    /// Returns the description of a server with one league, for the document.
    fn example() -> Self {
        let published = Published { simulated: false, leagues: vec![Code(Sport::Nfl)] };
        Self {
            contact: Some("keys@example.com".to_owned()),
            ..Self::new(Site::MESSAGE, published, None, "0123456789ab")
        }
    }
}

/// Describe the server
///
/// The data of this server, its version, and the place of its documentation. A browser, which prefers HTML by its
/// `Accept`, is redirected to the page that shows the data.
#[utoipa::path(
    get, path = "/",
    tag = "service",
    responses(
        (status = 200, description = "About this server", body = RootResponse,
            example = json!(RootResponse::example())),
        (status = 307, description = "For a browser: the page to look at", headers(
            ("Location" = String, description = "The address of the page, relative to this path"),
        )),
    ),
)]
async fn get_root(_caller: Anyone, _params: Params<()>, request: HttpRequest, state: State) -> HttpResponse {
    if prefers_html(&request) {
        return HttpResponse::TemporaryRedirect()
            .insert_header((LOCATION, PAGE))
            .insert_header((VARY, "Accept"))
            .finish();
    }
    let generations = &state.published.generations;
    let leagues = generations.published_leagues().into_iter().map(Code).collect();
    let published = Published { simulated: generations.has_simulated_records(), leagues };
    let root = RootResponse::new(&state.site.message, published, state.site.contact.as_ref(), COMMIT);
    HttpResponse::Ok().insert_header((VARY, "Accept")).json(root)
}

/// Returns true if a client accepts HTML and ranks it before JSON, as browsers do when a person opens an address.
fn prefers_html(request: &HttpRequest) -> bool {
    let ranked = Accept::parse(request).map(|accept| accept.ranked()).unwrap_or_default();
    let known = ["text/html", "application/json"];
    ranked.iter().find(|media| known.contains(&media.essence_str())).is_some_and(|media| *media == known[0])
}
