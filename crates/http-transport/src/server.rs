mod listener;
mod shutdown;

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use actix_http::{Request, Response};
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServerHandle};
use actix_web::web::Data;
use actix_web::{App, HttpResponse, HttpServer, web};
use sports_settings::Settings;
use sports_telemetry::BackgroundTasks;
use sports_telemetry::metrics::{CONTENT_TYPE, Metrics};

use crate::connection::Draining;
use crate::refusal::Refusals;
use crate::requests::ReadyResponses;
use crate::tally::Tally;
use listener::Listener;
use shutdown::Shutdown;

pub use listener::Listeners;

impl Server {
    /// Serves until SIGTERM, SIGHUP or Ctrl-C, drains for `http.drain`, then finishes the requests that have begun. `worker` creates the
    /// application of each worker; `on_listening` receives the addresses of the API and of its metrics. Returns the listener
    /// of metrics, which serves until it is dropped.
    ///
    /// # Errors
    ///
    /// An error of a worker's start.
    pub async fn serve<W, A, S, B>(
        &self,
        settings: &Settings,
        listeners: Listeners,
        worker: W,
        on_listening: impl FnOnce(SocketAddr, Option<SocketAddr>),
    ) -> Result<Option<MetricsListener>, Box<dyn Error + Send + Sync>>
    where
        W: Fn() -> Worker<A> + Clone + Send + 'static,
        A: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig, Error = actix_web::Error, InitError = ()> + 'static,
        S::Response: Into<Response<B>>,
        B: MessageBody + 'static,
    {
        let Listeners { api: listener, metrics } = listeners;
        let metrics = metrics.map(|listener| MetricsListener::start(listener, &self.metrics)).transpose()?;
        let shutdown = Shutdown::on_signals(settings.http.drain, Arc::clone(&self.draining))?;
        on_listening(listener.address(), metrics.as_ref().map(MetricsListener::address));
        listener.serve(self, &settings.http, worker, shutdown).await?;
        Ok(metrics)
    }
}

/// The setting of the address that the API listens on.
const API: &str = "--bind";

/// The setting of the address that metrics are read from.
const METRICS: &str = "`metrics.bind`";

/// The reason that the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(*.address, .setting, .error))]
pub struct ListenError {
    address: SocketAddr,
    setting: &'static str,
    error: io::Error,
}

fn reason(address: SocketAddr, setting: &str, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AddrInUse {
        let free = SocketAddr::new(address.ip(), 0);
        format!(
            "another program does; stop that one, or name another port with {setting}, such as {free} for any free one"
        )
    } else {
        format!("{error}; name another address with {setting}")
    }
}

/// The parts of a server that its workers share.
#[derive(Clone)]
pub struct Server {
    /// The responses to input that is not HTTP.
    pub refusals: Arc<dyn Refusals>,
    /// The counts of what happens on connections.
    pub tally: Arc<Tally>,
    /// The draining state.
    pub draining: Arc<Draining>,
    /// The metrics, which are served if there is a listener for them.
    pub metrics: Arc<Metrics>,
    /// The tasks in the background.
    pub tasks: Arc<BackgroundTasks>,
}

/// The application of one worker, and its source of ready responses.
pub struct Worker<A> {
    pub application: A,
    /// The ready responses, if there are any.
    pub ready: Option<Rc<dyn ReadyResponses>>,
}

/// The listener for Prometheus: it serves `GET /metrics` and nothing else, on a separate thread, until the drop.
pub struct MetricsListener {
    address: SocketAddr,
    server: ServerHandle,
}

impl MetricsListener {
    /// Serves at a listener.
    ///
    /// # Errors
    ///
    /// An error if the socket cannot be used.
    fn start(listener: Listener, metrics: &Arc<Metrics>) -> io::Result<Self> {
        let address = listener.address();
        let metrics = Data::from(Arc::clone(metrics));
        let application = move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(expose));
        let server = HttpServer::new(application).workers(1).disable_signals().listen(listener.into_socket())?.run();
        let handle = server.handle();
        tokio::spawn(server);
        Ok(Self { address, server: handle })
    }

    const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MetricsListener {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn expose(metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok().content_type(CONTENT_TYPE).body(metrics.expose())
}
