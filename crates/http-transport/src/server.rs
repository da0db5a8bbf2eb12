mod acceptor;
mod listener;
mod shutdown;
mod tls;
#[cfg(unix)]
mod unix_socket;

use std::error::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use actix_http::Request;
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::dev::{AppConfig, ServerHandle, ServiceResponse};
use actix_web::web::Data;
use actix_web::{App, HttpResponse, HttpServer, web};
use sports_program::settings::Settings;
use sports_telemetry::BackgroundTasks;
use sports_telemetry::metrics::{CONTENT_TYPE, Metrics};

use crate::connection::Draining;
use crate::refusal::Refusals;
use crate::response_cache::{Admission, ResponseCache};
use crate::tally::Tally;
use shutdown::Shutdown;

pub use listener::Listeners;
pub use tls::TlsError;

impl Server {
    /// Serves until SIGTERM, SIGHUP or Ctrl-C, drains for `http.drain`, then finishes the requests that have begun. `worker` creates the
    /// application of each worker; `on_listening` receives the address of the API in the form of a link, and that of its metrics. Returns the listener
    /// of metrics, which serves until it is dropped.
    ///
    /// # Errors
    ///
    /// An error of a worker's start.
    pub async fn serve<W, F, S, A>(
        &self,
        settings: &Settings,
        listeners: Listeners,
        worker: W,
        on_listening: impl FnOnce(&str, Option<SocketAddr>),
    ) -> Result<Option<MetricsListener>, Box<dyn Error + Send + Sync>>
    where
        W: Fn() -> Worker<F, A> + Clone + Send + 'static,
        F: IntoServiceFactory<S, Request>,
        S: ServiceFactory<
                Request,
                Config = AppConfig,
                Response = ServiceResponse,
                Error = actix_web::Error,
                InitError = (),
            > + 'static,
        A: Admission,
    {
        let Listeners { api: listener, tls, metrics } = listeners;
        let metrics = metrics.map(|listener| MetricsListener::start(listener, &self.metrics)).transpose()?;
        let shutdown = Shutdown::on_signals(settings.http.drain, Arc::clone(&self.draining))?;
        on_listening(&listener.url(tls.is_some()), metrics.as_ref().map(MetricsListener::address));
        listener.serve(self, &settings.http, tls, worker, shutdown).await?;
        Ok(metrics)
    }
}

/// The setting of the address that the API listens on.
const API: &str = "--bind";

/// The setting of the address that metrics are read from.
const METRICS: &str = "`metrics.bind`";

/// The reason that the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// An address is taken, or is not one of this machine.
    #[error("cannot listen on {address}: {}", reason(*.address, .setting, .error))]
    Address { address: SocketAddr, setting: &'static str, error: io::Error },
    /// There is something else at the path of a socket.
    #[error("cannot listen on unix:{}: there is a file that is no socket; name another path with {API}", path.display())]
    NotASocket { path: PathBuf },
    /// Another program listens on a socket.
    #[error("cannot listen on unix:{}: another program does; stop that one, or name another path with {API}", path.display())]
    SocketInUse { path: PathBuf },
    /// A socket cannot be created.
    #[error("cannot listen on unix:{}: {error}; name another path with {API}", path.display())]
    Socket { path: PathBuf, error: io::Error },
    /// The system has no Unix sockets.
    #[error("this system has no Unix sockets: name an address and a port with {API}")]
    NoSockets,
    /// Connections cannot be encrypted.
    #[error(transparent)]
    Tls(#[from] TlsError),
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

/// The application of one worker, and its response cache.
pub struct Worker<F, A: Admission> {
    pub application: F,
    /// The response cache, if there is one.
    pub cache: Option<ResponseCache<A>>,
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
    fn start((socket, address): (TcpListener, SocketAddr), metrics: &Arc<Metrics>) -> io::Result<Self> {
        let metrics = Data::from(Arc::clone(metrics));
        let application = move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(expose));
        let server = HttpServer::new(application).workers(1).disable_signals().listen(socket)?.run();
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
