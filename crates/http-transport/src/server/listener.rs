use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Request, Response};
use actix_server::Server as LibraryServer;
use actix_service::boxed::BoxServiceFactory;
use actix_service::{IntoServiceFactory, ServiceFactory, ServiceFactoryExt, boxed, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::AppConfig;
use sports_settings::{Http, Settings};
use tokio::net::TcpSocket;

use super::shutdown::Shutdown;
use super::{API, ListenError, METRICS, Server, Worker};
use crate::connection::ListenAddress;
use crate::connection_table::ConnectionTable;
use crate::socket::most_connections;
use crate::stream::ClientStream;
use crate::supervisor::{Accepted, Supervised, Supervision};

/// The sockets of a server. Connections wait in the system's queue until [`Server::serve`] accepts them.
pub struct Listeners {
    pub(super) api: Listener,
    pub(super) metrics: Option<Listener>,
}

impl Listeners {
    /// Listens on the addresses of the API and of its metrics.
    ///
    /// # Errors
    ///
    /// [`ListenError`] if an address is taken or belongs to another machine.
    pub fn bind(settings: &Settings) -> Result<Self, ListenError> {
        let listen =
            |address, setting| Listener::bind(address).map_err(|error| ListenError { address, setting, error });
        let api = listen(settings.http.bind, API)?;
        let metrics = settings.metrics.bind.map(|address| listen(address, METRICS)).transpose()?;
        Ok(Self { api, metrics })
    }
}

/// A socket that is listened on.
pub(super) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// The most connections in the system's queue.
    const BACKLOG: u32 = 1024;

    /// The connections that are accepted beyond the limit of the table: new ones, and evicted ones that are not closed yet.
    const BEYOND_TABLE: usize = 128;

    /// The most workers that the library starts.
    const MOST_WORKERS: usize = 512;

    /// The time for a client to read the refusal of its body.
    const DISCONNECT: Duration = Duration::from_secs(1);

    /// The time for pending requests at shutdown, in seconds.
    const GRACE: u64 = 10;

    /// Listens on an address; port 0 selects a free port.
    ///
    /// # Errors
    ///
    /// An error if the address is taken or belongs to another machine.
    fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // On Windows this option would permit a second program on the same port.
        socket.set_reuseaddr(cfg!(not(windows)))?;
        socket.bind(address)?;
        let socket = socket.listen(Self::BACKLOG)?.into_std()?;
        Ok(Self { address: socket.local_addr()?, socket })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn into_socket(self) -> TcpListener {
        self.socket
    }

    /// Serves until the shutdown.
    ///
    /// # Errors
    ///
    /// An error if the workers cannot be started.
    pub(super) async fn serve<W, A, S, B>(
        self,
        server: &Server,
        http: &Http,
        worker: W,
        mut shutdown: Shutdown,
    ) -> io::Result<()>
    where
        W: Fn() -> Worker<A> + Clone + Send + 'static,
        A: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig, Error = actix_web::Error, InitError = ()> + 'static,
        S::Response: Into<Response<B>>,
        B: MessageBody + 'static,
    {
        let supervision = supervision(server, http);
        let table = Arc::clone(&supervision.table);
        let workers = worker_count(http);
        let builder = LibraryServer::build()
            .workers(workers)
            .max_concurrent_connections((table.total() + Self::BEYOND_TABLE).div_ceil(workers))
            .shutdown_signal(shutdown.drained())
            .shutdown_timeout(Self::GRACE);
        let (address, closing) = (self.address, builder.graceful_shutdown_signal());
        let service = move || {
            let (closing, Worker { application, ready }) = (closing.clone(), worker());
            let closed = move || {
                let closing = closing.clone();
                async move { closing.notified().await }
            };
            Supervised::new(http_service(application, address, closed), supervision.clone(), ready)
        };
        let running = builder.listen("http", self.socket, service)?.run();
        let handle = running.handle();
        let supervisor = server.tasks.supervise("connections", move |pulse| Arc::clone(&table).supervise(pulse));
        let outcome = tokio::select! {
            outcome = running => outcome,
            () = shutdown.run(handle) => Ok(()),
        };
        supervisor.abort();
        outcome
    }
}

/// Creates the table of connections, and logs a limit that the system does not permit.
fn supervision(server: &Server, http: &Http) -> Supervision {
    let most = most_connections();
    if let Ok(wanted) = usize::try_from(http.max_connections.get())
        && wanted > most
    {
        tracing::warn!(
            wanted,
            most,
            "`http.max_connections` is {wanted}, and the limit of open files leaves room for {most} connections: raise it, \
             such as with `ulimit -n`, or lower the setting"
        );
    }
    let table = Arc::new(ConnectionTable::new(http, most, Arc::clone(&server.tally)));
    let counted = Arc::clone(&table);
    server.metrics.add_source(move |exposition| counted.expose(exposition));
    Supervision { table, refusals: Arc::clone(&server.refusals), tally: Arc::clone(&server.tally) }
}

fn worker_count(http: &Http) -> usize {
    let workers = http.workers.or_else(|| available_parallelism().ok()).map_or(2, NonZeroUsize::get);
    workers.min(Listener::MOST_WORKERS)
}

/// Creates the library's service of an application. The limits of this crate replace those of the library, which bound only
/// the head of the first request.
fn http_service<A, S, B, C, F>(
    application: A,
    address: SocketAddr,
    closed: C,
) -> BoxServiceFactory<(), Accepted, (), DispatchError, ()>
where
    A: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = actix_web::Error, InitError = ()> + 'static,
    S::Response: Into<Response<B>>,
    B: MessageBody + 'static,
    C: Fn() -> F + 'static,
    F: Future<Output = ()> + 'static,
{
    let application = application.into_factory().map_err(|error| error.error_response());
    let service = HttpService::build()
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(Listener::DISCONNECT)
        .graceful_shutdown_signal(closed)
        .on_connect_ext(move |stream: &ClientStream, extensions| {
            extensions.insert(Arc::clone(stream.connection()));
            extensions.insert(ListenAddress(address));
        })
        .finish(map_config(application, |()| AppConfig::default()));
    boxed::factory(service)
}
