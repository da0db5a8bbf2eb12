//! The application: routes, the state that handlers share, and the middleware around them.

use std::sync::Arc;

use actix_web::App;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use utoipa_actix_web::AppExt;

use crate::auth::Gate;
use crate::json;
use crate::openapi::{Interface, Routes};
use crate::response_cache::{CachedAdmission, PublishedContent, ResponseCache};
use crate::routes::public::PREFLIGHTED;
use crate::routes::{cards, docs, downloads, explore, llms, record, releases, security_txt, verify};
use crate::shell::{no_such_path, shell};
use crate::state::{AppState, State};

/// Describes routes of the application: the service's own, or others in tests.
pub fn interface(routes: Routes) -> Interface {
    let undocumented: Vec<_> = docs::PATHS
        .into_iter()
        .chain(explore::PATHS)
        .chain(cards::PATHS)
        .chain(verify::PATHS)
        .chain(llms::PATHS)
        .chain(record::UNDOCUMENTED)
        .chain([downloads::PATH, releases::feed::PATH, security_txt::PATH])
        .collect();
    Interface::new(routes, &undocumented, PREFLIGHTED)
}

/// One worker: its handle of the state, and its response cache.
pub struct Worker {
    state: State,
    cache: Option<ResponseCache>,
}

impl Worker {
    pub fn new(state: &Arc<AppState>) -> Self {
        let state = State::of_worker(state);
        let cache = response_cache(&state);
        Self { state, cache }
    }

    /// Returns the response cache. With an exporter of traces there is none: the application records each request.
    pub(crate) const fn cache(&self) -> Option<&ResponseCache> {
        self.cache.as_ref()
    }

    /// Creates the application.
    pub fn app(
        &self,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse,
            Error = actix_web::Error,
            InitError = (),
        > + use<>,
    > {
        App::new()
            .configure(|config| self.configure(config))
            .configure(json::configure)
            .into_utoipa_app()
            .configure(self.state.interface.routes)
            .into_app()
            .configure(docs::configure)
            .configure(cards::configure)
            .configure(explore::configure)
            .configure(verify::configure)
            .configure(llms::configure)
            .configure(downloads::configure)
            .configure(releases::feed::configure)
            .configure(security_txt::configure)
            .default_service(web::to(no_such_path))
            .wrap(from_fn(shell))
    }

    fn configure(&self, config: &mut web::ServiceConfig) {
        config.app_data(self.state.clone());
        // Read by the transport.
        config.app_data(Data::from(Arc::clone(&self.state.callers.proxies)));
        config.app_data(Data::from(Arc::clone(&self.state.operations.tally)));
    }
}

fn response_cache(state: &State) -> Option<ResponseCache> {
    let operations = &state.operations;
    if operations.traces.is_some() {
        return None;
    }
    let content = PublishedContent(Arc::clone(&state.published.generations));
    let (clock, draining) = (Arc::clone(&state.clock), Arc::clone(&operations.draining));
    let admission = CachedAdmission(Gate(state.clone()));
    Some(ResponseCache::new(admission, Box::new(content), clock, draining, state.recorder().clone()))
}
