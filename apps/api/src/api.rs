//! The application: routes, the pieces that handlers take, and the middleware around them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::App;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use futures::future::BoxFuture;
use sports_http_transport::{Draining, Tally};
use sports_ports::Clock;
use sports_telemetry::access_log::{AccessLog, LogWriter};
use sports_telemetry::dependencies::Dependencies;
use sports_telemetry::metrics::Metrics;
use sports_telemetry::trace::Traces;
use sports_telemetry::{BackgroundTasks, RequestRecorder};
use utoipa_actix_web::AppExt;

use crate::auth::Gate;
use crate::openapi::{Document, Routes};
use crate::params::KnownParams;
use crate::response_cache::{CachedAdmission, PublishedContent, ResponseCache};
use crate::routes::docs::{self, Documentation};
use crate::routes::downloads;
use crate::routes::explore::{self, ExplorePage};
use crate::routes::public::PREFLIGHTED;
use crate::routes::record;
use crate::routes::security_txt;
use crate::routes::verify::{self, Verifiers};
use crate::shell::{Methods, no_such_path, shell};
use crate::{build, json, openapi, routes};

/// The parts of one worker.
pub(crate) struct Worker {
    recorder: RequestRecorder,
    gate: Rc<Gate>,
    cache: Option<ResponseCache>,
}

impl Worker {
    /// Returns its response cache, if it has one.
    pub(crate) const fn cache(&self) -> Option<&ResponseCache> {
        self.cache.as_ref()
    }

    fn configure(&self, config: &mut web::ServiceConfig) {
        config.app_data(self.recorder.clone());
        config.app_data(Rc::clone(&self.gate));
    }
}

type Ending = Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;
type Piece = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// The routes, the pieces that handlers take, and the middleware around them: everything that a worker needs to start.
#[derive(Clone)]
pub struct Api {
    routes: Routes,
    pieces: Vec<Piece>,
    by_type: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    endings: Vec<Ending>,
    clock: Arc<dyn Clock>,
    tally: Arc<Tally>,
    draining: Arc<Draining>,
    tasks: Arc<BackgroundTasks>,
    metrics: Option<Arc<Metrics>>,
    access_log: Option<Arc<LogWriter>>,
    logs_clients: bool,
    dependencies: Dependencies,
}

impl Api {
    /// Creates the API with the service's own routes.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self::with_routes(routes::all, clock)
    }

    /// Creates the API with other routes: tests add some that fail.
    pub fn with_routes(routes: Routes, clock: Arc<dyn Clock>) -> Self {
        let document = openapi::document(routes);
        let tally = Arc::new(Tally::default());
        let undocumented: Vec<_> = docs::PATHS
            .into_iter()
            .chain(explore::PATHS)
            .chain(verify::PATHS)
            .chain(record::UNDOCUMENTED)
            .chain([downloads::PATH, security_txt::PATH])
            .collect();
        let methods = Methods::new(&document.paths, &undocumented, PREFLIGHTED);
        let draining = Arc::new(Draining::default());
        let tasks = Arc::new(BackgroundTasks::default());
        let (pieces, endings) = (Vec::new(), Vec::new());
        let api = Self {
            routes,
            pieces,
            by_type: HashMap::new(),
            endings,
            clock: Arc::clone(&clock),
            tally: Arc::clone(&tally),
            draining: Arc::clone(&draining),
            tasks: Arc::clone(&tasks),
            metrics: None,
            access_log: None,
            logs_clients: true,
            dependencies: Dependencies::default(),
        };
        api.provide(clock)
            .provide(tally)
            .provide(draining)
            .provide(tasks)
            .provide(Arc::new(methods))
            .provide(Arc::new(KnownParams::documented(&document.paths)))
            .provide(Arc::new(Documentation::new(&Document::from_document(&document))))
            .provide(Arc::new(ExplorePage::default()))
            .provide(Arc::new(Verifiers::default()))
    }

    /// Adds a piece, which handlers take as `Data<T>`, and a trait object as `Data<dyn Port>`.
    pub fn provide<T: ?Sized + Send + Sync + 'static>(mut self, piece: Arc<T>) -> Self {
        self.by_type.insert(TypeId::of::<Arc<T>>(), Arc::new(Arc::clone(&piece)));
        let data = Data::from(piece);
        self.pieces.push(Arc::new(move |config| {
            config.app_data(data.clone());
        }));
        self
    }

    /// Returns a piece that was added.
    pub(crate) fn piece<T: ?Sized + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.by_type.get(&TypeId::of::<Arc<T>>())?.downcast_ref::<Arc<T>>().cloned()
    }

    /// Adds metrics of requests, connections, dependencies and tasks.
    pub fn measured_by(self, metrics: &Arc<Metrics>) -> Self {
        let (tally, tasks, dependencies) =
            (Arc::clone(&self.tally), Arc::clone(&self.tasks), self.dependencies.clone());
        metrics.add_source(move |exposition| tasks.expose(exposition));
        metrics.add_source(build::expose);
        metrics.add_source(move |exposition| tally.expose(exposition));
        metrics.add_source(move |exposition| dependencies.expose(exposition));
        Self { metrics: Some(Arc::clone(metrics)), ..self }.provide(Arc::clone(metrics))
    }

    /// Logs each request.
    pub fn logged_to(self, log: LogWriter) -> Self {
        let log = Arc::new(log);
        if let Some(metrics) = &self.metrics {
            let writer = Arc::clone(&log);
            metrics.add_source(move |exposition| writer.expose(exposition));
        }
        let ending = Arc::clone(&log);
        let api = Self { access_log: Some(log), ..self };
        api.at_the_end(move || {
            let ending = Arc::clone(&ending);
            async move { ending.finish() }
        })
    }

    /// Leaves the networks of clients out of the log.
    pub fn without_client_networks(self) -> Self {
        Self { logs_clients: false, ..self }
    }

    /// Returns the metrics, if there are any.
    pub(crate) const fn metrics(&self) -> Option<&Arc<Metrics>> {
        self.metrics.as_ref()
    }

    /// Returns the counts of failed dependencies.
    pub(crate) const fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// Returns the draining state.
    pub(crate) fn draining(&self) -> Arc<Draining> {
        Arc::clone(&self.draining)
    }

    /// Returns the tasks in the background.
    pub fn tasks(&self) -> Arc<BackgroundTasks> {
        Arc::clone(&self.tasks)
    }

    /// Returns the clock of the service.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// Returns the counts of what happened on connections.
    pub(crate) fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Adds a shutdown hook, which runs after the last response.
    pub fn at_the_end<F: Future<Output = ()> + Send + 'static>(
        mut self,
        ending: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        self.endings.push(Arc::new(move || Box::pin(ending())));
        self
    }

    /// Runs the shutdown hooks.
    pub async fn end(&self) {
        for ending in &self.endings {
            ending().await;
        }
    }

    /// Creates the parts of one worker.
    pub(crate) fn worker(&self) -> Worker {
        let log = self.access_log.as_deref().map(AccessLog::new);
        let recorder = RequestRecorder::new(log, self.metrics.clone(), self.logs_clients);
        let gate = Rc::new(self.gate());
        Worker { cache: self.response_cache(&recorder, &gate), recorder, gate }
    }

    /// Creates the gate of a worker, of the pieces there are.
    fn gate(&self) -> Gate {
        Gate {
            ring: self.piece(),
            meter: self.piece(),
            addresses: self.piece(),
            failed_keys: self.piece(),
            limits: self.piece(),
            trust: self.piece(),
            metrics: self.metrics.clone(),
            uses: self.piece(),
            clock: self.clock(),
        }
    }

    /// Creates the response cache of a worker. Returns `None` without published content, and with an exporter of traces, for
    /// which the application records each request.
    fn response_cache(&self, recorder: &RequestRecorder, gate: &Rc<Gate>) -> Option<ResponseCache> {
        if self.piece::<Traces>().is_some() {
            return None;
        }
        let (admission, content) = (CachedAdmission(Rc::clone(gate)), PublishedContent(self.piece()?));
        Some(ResponseCache::new(admission, Box::new(content), self.clock(), self.draining(), recorder.clone()))
    }

    /// Creates the application of a separate worker.
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
        self.app_of(&self.worker())
    }

    /// Creates the application of a worker.
    pub(crate) fn app_of(
        &self,
        worker: &Worker,
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
            .configure(|config| self.pieces.iter().for_each(|piece| piece(config)))
            .configure(|config| worker.configure(config))
            .configure(json::configure)
            .into_utoipa_app()
            .configure(self.routes)
            .into_app()
            .configure(docs::configure)
            .configure(explore::configure)
            .configure(verify::configure)
            .configure(downloads::configure)
            .configure(security_txt::configure)
            .default_service(web::to(no_such_path))
            .wrap(from_fn(shell))
    }
}
