//! One application put together.

use std::sync::Arc;

use actix_web::App;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_ENCODING, ContentEncoding};
use actix_web::middleware::{Compress, Next, from_fn};
use actix_web::web::{self, Data};
use futures::future::BoxFuture;
use sports_ports::Clock;
use utoipa_actix_web::AppExt;

use crate::connections::{AnswerBody, Answering, Tally};
use crate::dependencies::Dependencies;
use crate::draining::Draining;
use crate::metrics::Metrics;
use crate::openapi::{Document, Routes};
use crate::params::KnownParams;
use crate::routes::docs::{self, Documentation};
use crate::routes::downloads;
use crate::routes::public::PREFLIGHTED;
use crate::shell::{Methods, judge_head, no_such_path, shell};
use crate::{json, openapi, routes};

type Ending = Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;
type Piece = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// Routes, what their handlers ask, and the shell around them: everything a worker needs to start.
#[derive(Clone)]
pub struct Api {
    routes: Routes,
    pieces: Vec<Piece>,
    endings: Vec<Ending>,
    clock: Arc<dyn Clock>,
    tally: Arc<Tally>,
    draining: Arc<Draining>,
    metrics: Option<Arc<Metrics>>,
    dependencies: Dependencies,
}

impl Api {
    /// The service's own routes.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self::with_routes(routes::all, clock)
    }

    /// Other routes: tests add some that misbehave.
    #[must_use]
    pub fn with_routes(routes: Routes, clock: Arc<dyn Clock>) -> Self {
        let document = openapi::document(routes);
        let tally = Arc::new(Tally::default());
        let undocumented: Vec<_> = docs::PATHS.into_iter().chain([downloads::PATH]).collect();
        let methods = Methods::new(&document.paths, &undocumented, PREFLIGHTED);
        let draining = Arc::new(Draining::default());
        let (pieces, endings) = (Vec::new(), Vec::new());
        let api = Self {
            routes,
            pieces,
            endings,
            clock: Arc::clone(&clock),
            tally: Arc::clone(&tally),
            draining: Arc::clone(&draining),
            metrics: None,
            dependencies: Dependencies::default(),
        };
        api.provide(clock)
            .provide(tally)
            .provide(draining)
            .provide(Arc::new(methods))
            .provide(Arc::new(KnownParams::documented(&document.paths)))
            .provide(Arc::new(Documentation::new(&Document::from_document(&document))))
    }

    /// Hands one piece to the handlers: they take it as `Data<T>`, and a trait object as `Data<dyn Port>`.
    #[must_use]
    pub fn provide<T: ?Sized + Send + Sync + 'static>(mut self, piece: Arc<T>) -> Self {
        let data = Data::from(piece);
        self.pieces.push(Arc::new(move |config| {
            config.app_data(data.clone());
        }));
        self
    }

    /// Counts what it does.
    #[must_use]
    pub fn measured_by(self, metrics: &Arc<Metrics>) -> Self {
        let (tally, dependencies) = (Arc::clone(&self.tally), self.dependencies.clone());
        metrics.ask(move |exposition| tally.expose(exposition));
        metrics.ask(move |exposition| dependencies.expose(exposition));
        Self { metrics: Some(Arc::clone(metrics)), ..self }.provide(Arc::clone(metrics))
    }

    /// What counts what it does, if anything does.
    pub(crate) const fn metrics(&self) -> Option<&Arc<Metrics>> {
        self.metrics.as_ref()
    }

    /// How often the parts that it depends on failed.
    pub(crate) const fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// Whether it is about to stop.
    pub(crate) fn draining(&self) -> Arc<Draining> {
        Arc::clone(&self.draining)
    }

    /// The clock its answers go by.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// The counts of connections that its health reports.
    pub(crate) fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Has something done once the last request is answered.
    #[must_use]
    pub fn at_the_end<F: Future<Output = ()> + Send + 'static>(
        mut self,
        ending: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        self.endings.push(Arc::new(move || Box::pin(ending())));
        self
    }

    /// Does what is to be done once the last request is answered.
    pub async fn end(&self) {
        for ending in &self.endings {
            ending().await;
        }
    }

    /// One worker's application.
    pub fn app(
        &self,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<AnswerBody>,
            Error = actix_web::Error,
            InitError = (),
        > + use<>,
    > {
        App::new()
            .configure(|config| self.pieces.iter().for_each(|piece| piece(config)))
            .configure(json::configure)
            .into_utoipa_app()
            .configure(self.routes)
            .into_app()
            .configure(docs::configure)
            .configure(downloads::configure)
            .default_service(web::to(no_such_path))
            .wrap(from_fn(shell))
            .wrap(Compress::default())
            .wrap(from_fn(boxed))
    }
}

/// Gives compressed and plain bodies one type, and keeps the compressor from requests that it would refuse by itself. Its
/// connection is at work meanwhile, and until the body's end.
async fn boxed(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<AnswerBody>, actix_web::Error> {
    let answering = Answering::begin(&request);
    judge_head(&mut request);
    let mut response = next.call(request).await?.map_into_boxed_body();
    // A handler says `identity` to be left alone by the compressor; it is no content encoding that is ever sent.
    let headers = response.headers_mut();
    if headers.get(CONTENT_ENCODING).is_some_and(|encoding| encoding == ContentEncoding::Identity.as_str()) {
        headers.remove(CONTENT_ENCODING);
    }
    Ok(response.map_body(|_, body| AnswerBody::new(body, answering)))
}
