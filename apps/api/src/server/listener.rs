use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_http::{HttpService, KeepAlive};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, map_config};
use actix_web::dev::AppConfig;
use sports_settings::Http;
use tokio::net::TcpSocket;

use super::stopping::Stopping;
use crate::api::Api;
use crate::connections::{
    ClientStream, ListenAddress, ReadyResponses, Refusals, Room, Supervised, Supervision, most_connections,
};

/// An address that is listened on.
pub(super) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// How many connections may wait to be accepted.
    const BACKLOG: u32 = 1024;

    /// How many connections beyond those there is room for are accepted at a time: newcomers that take a place, and
    /// those that gave one up and are not closed yet.
    const IN_PASSING: usize = 128;

    /// The library takes no more.
    const MOST_WORKERS: usize = 512;

    /// How long a client that is refused a body may go on sending while it reads why.
    const FAREWELL: Duration = Duration::from_secs(1);

    /// Listens; port 0 takes any free port.
    ///
    /// # Errors
    ///
    /// When the address is taken or not this machine's.
    pub(super) fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // On Windows it would let a second program take the same port.
        socket.set_reuseaddr(cfg!(not(windows)))?;
        socket.bind(address)?;
        let socket = socket.listen(Self::BACKLOG)?.into_std()?;
        Ok(Self { address: socket.local_addr()?, socket })
    }

    /// Where it listens.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How long a stopping server waits for the requests it has begun, in seconds.
    const GRACE: u64 = 10;

    /// Serves until it is to stop, then gives requests that have begun some seconds to end.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub(super) async fn serve(self, api: &Api, http: &Http, mut stopping: Stopping) -> io::Result<()> {
        let most = most_connections();
        let room = Arc::new(Room::new(http, most, api.tally()));
        if let Ok(wanted) = usize::try_from(http.max_connections.get())
            && wanted > most
        {
            tracing::warn!(
                wanted,
                most,
                "`http.max_connections` is {wanted}, and the limit of open files leaves room for {most} connections: \
                 raise it, such as with `ulimit -n`, or lower the setting"
            );
        }
        if let Some(metrics) = api.metrics() {
            let room = Arc::clone(&room);
            metrics.add_source(move |exposition| room.expose(exposition));
        }
        let supervision =
            Supervision { room: Arc::clone(&room), refusals: Arc::new(Refusals::new(api.clock())), tally: api.tally() };
        let workers = http.workers.or_else(|| available_parallelism().ok()).map_or(2, NonZeroUsize::get);
        let workers = workers.min(Self::MOST_WORKERS);
        let builder = Server::build()
            .workers(workers)
            .max_concurrent_connections((room.total() + Self::IN_PASSING).div_ceil(workers))
            .shutdown_signal(stopping.drained())
            .shutdown_timeout(Self::GRACE);
        let (api, address, closing) = (api.clone(), self.address, builder.graceful_shutdown_signal());
        let service = move || {
            let closing = closing.clone();
            let worker = api.worker();
            let ready = worker.cache().cloned().map(|cache| Rc::new(cache) as Rc<dyn ReadyResponses>);
            let application = api.app_of(&worker).into_factory().map_err(|error| error.error_response());
            let http = HttpService::build()
                // Bounds of our own take the place of the library's, which know the first head only.
                .keep_alive(KeepAlive::Os)
                .client_request_timeout(Duration::ZERO)
                .client_disconnect_timeout(Self::FAREWELL)
                .graceful_shutdown_signal(move || {
                    let closing = closing.clone();
                    async move { closing.notified().await }
                })
                .on_connect_ext(move |stream: &ClientStream, extensions| {
                    extensions.insert(Arc::clone(stream.connection()));
                    extensions.insert(ListenAddress(address));
                })
                .finish(map_config(application, |()| AppConfig::default()));
            Supervised::new(http, supervision.clone(), ready)
        };
        let server = builder.listen("http", self.socket, service)?.run();
        let (keeper, handle) = (tokio::spawn(room.keep()), server.handle());
        let outcome = tokio::select! {
            outcome = server => outcome,
            () = stopping.at_once(handle) => Ok(()),
        };
        keeper.abort();
        outcome
    }
}
