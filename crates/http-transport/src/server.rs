mod listen_error;
mod listener;
mod metrics_listener;
mod parts;
mod shutdown;

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use actix_http::{Request, Response};
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::body::MessageBody;
use actix_web::dev::AppConfig;
use sports_settings::Settings;

use shutdown::Shutdown;

pub use listen_error::ListenError;
pub use listener::Listeners;
pub use metrics_listener::MetricsListener;
pub use parts::{Server, Worker};

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
        let metrics = metrics.zip(self.metrics.as_ref());
        let metrics = metrics.map(|(listener, metrics)| MetricsListener::start(listener, metrics)).transpose()?;
        let shutdown = Shutdown::on_signals(settings.http.drain, Arc::clone(&self.draining))?;
        on_listening(listener.address(), metrics.as_ref().map(MetricsListener::address));
        listener.serve(self, &settings.http, worker, shutdown).await?;
        Ok(metrics)
    }
}
