use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Request};
use actix_server::{GracefulShutdownSignal, Server as LibraryServer};
use actix_service::boxed::BoxServiceFactory;
use actix_service::{IntoServiceFactory, ServiceFactory, boxed, fn_factory};
use actix_web::dev::{AppConfig, ServiceResponse};
use futures::future::LocalBoxFuture;
use sports_program::settings::{Bind, Http, Settings};
use tokio::net::TcpSocket;

use super::acceptor::{Accepted, AcceptedSocket, Acceptor, LOCAL_CLIENT, Shared};
use super::shutdown::Shutdown;
use super::tls::Tls;
#[cfg(unix)]
use super::unix_socket;
use super::{API, ListenError, METRICS, Server, Worker};
use crate::connection::{Connection, ListenAddress};
use crate::connection_table::ConnectionTable;
use crate::front::Front;
use crate::open_files::most_connections;
use crate::response_cache::Admission;
use crate::stream::ClientStream;

/// The sockets of a server. Connections wait in the system's queue until [`Server::serve`] accepts them.
pub struct Listeners {
    pub(super) api: Listener,
    pub(super) tls: Option<Tls>,
    pub(super) metrics: Option<(TcpListener, SocketAddr)>,
}

impl Listeners {
    /// Reads certificates, and listens on the addresses of the API and of its metrics.
    ///
    /// # Errors
    ///
    /// [`ListenError`] if an address is taken or belongs to another machine, or a certificate cannot be used.
    pub fn bind(settings: &Settings) -> Result<Self, ListenError> {
        let tls = Tls::from_settings(settings)?;
        let api = match &settings.http.bind {
            Bind::Address(address) => {
                let (socket, address) = listen(*address, API)?;
                Listener::Address(socket, address)
            }
            #[cfg(unix)]
            Bind::Socket(path) => Listener::Socket(unix_socket::bind(path)?, settings.http.bind.clone()),
            #[cfg(not(unix))]
            Bind::Socket(_) => return Err(ListenError::NoSockets),
        };
        let metrics = settings.metrics.bind.map(|address| listen(address, METRICS)).transpose()?;
        Ok(Self { api, tls, metrics })
    }
}

/// A socket that is listened on.
pub(super) enum Listener {
    Address(TcpListener, SocketAddr),
    #[cfg(unix)]
    Socket(std::os::unix::net::UnixListener, Bind),
}

impl Listener {
    /// The connections that are accepted beyond the limit of the table: new ones, and evicted ones that are not closed yet.
    const BEYOND_TABLE: usize = 128;

    /// The most workers that the library starts.
    const MOST_WORKERS: usize = 512;

    /// The time for pending requests at shutdown, in seconds.
    const GRACE: u64 = 10;

    /// Returns the address in the form of a link.
    pub(super) fn url(&self, is_encrypted: bool) -> String {
        match self {
            Self::Address(_, address) => format!("{}://{address}", scheme(is_encrypted)),
            #[cfg(unix)]
            Self::Socket(_, bind) => bind.to_string(),
        }
    }

    /// Returns the address in links of clients that send none.
    const fn listen_address(&self, is_encrypted: bool) -> ListenAddress {
        let address = match self {
            Self::Address(_, address) => *address,
            #[cfg(unix)]
            Self::Socket(..) => LOCAL_CLIENT,
        };
        ListenAddress { address, scheme: scheme(is_encrypted) }
    }

    /// Serves until the shutdown.
    ///
    /// # Errors
    ///
    /// An error if the workers cannot be started.
    pub(super) async fn serve<W, F, S, A>(
        self,
        server: &Server,
        http: &Http,
        tls: Option<Tls>,
        worker: W,
        mut shutdown: Shutdown,
    ) -> io::Result<()>
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
        let shared = shared(server, http, tls);
        let (table, workers) = (Arc::clone(&shared.table), worker_count(http));
        let builder = LibraryServer::build()
            .workers(workers)
            .max_concurrent_connections((table.total() + Self::BEYOND_TABLE).div_ceil(workers))
            .shutdown_signal(shutdown.drained())
            .shutdown_timeout(Self::GRACE);
        let closing = builder.graceful_shutdown_signal();
        let listens_on = self.listen_address(shared.tls.is_some());
        let supervised = shared.clone();
        let service = move || Acceptors {
            http: Rc::new(http_service(worker(), &shared, listens_on, closing.clone())),
            shared: shared.clone(),
        };
        let builder = match self {
            Self::Address(socket, _) => builder.listen("http", socket, service)?,
            #[cfg(unix)]
            Self::Socket(socket, _) => builder.listen_uds("http", socket, service)?,
        };
        let running = builder.run();
        let handle = running.handle();
        let draining = Arc::clone(&server.draining);
        let supervisor = server
            .tasks
            .supervise("connections", move |pulse| Arc::clone(&table).supervise(pulse, Arc::clone(&draining)));
        let renewal =
            supervised.tls.map(|tls| server.tasks.supervise("certificate", move |pulse| tls.clone().renew(pulse)));
        let outcome = tokio::select! {
            outcome = running => outcome,
            () = shutdown.run(handle) => Ok(()),
        };
        supervisor.abort();
        if let Some(renewal) = renewal {
            renewal.abort();
        }
        outcome
    }
}

const fn scheme(is_encrypted: bool) -> &'static str {
    if is_encrypted { "https" } else { "http" }
}

/// Listens on an address; port 0 selects a free port.
///
/// # Errors
///
/// [`ListenError`] if the address is taken or belongs to another machine.
fn listen(address: SocketAddr, setting: &'static str) -> Result<(TcpListener, SocketAddr), ListenError> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // On Windows this option would permit a second program on the same port.
        socket.set_reuseaddr(cfg!(not(windows)))?;
        socket.bind(address)?;
        let socket = socket.listen(BACKLOG)?.into_std()?;
        let address = socket.local_addr()?;
        Ok((socket, address))
    };
    listen().map_err(|error| ListenError::Address { address, setting, error })
}

/// The most connections in the system's queue.
const BACKLOG: u32 = 1024;

/// Creates the parts that all workers share, and logs a limit that the system does not permit.
fn shared(server: &Server, http: &Http, tls: Option<Tls>) -> Shared {
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
    Shared { table, refusals: Arc::clone(&server.refusals), tally: Arc::clone(&server.tally), tls }
}

fn worker_count(http: &Http) -> usize {
    let workers = http.workers.or_else(|| available_parallelism().ok()).map_or(2, NonZeroUsize::get);
    workers.min(Listener::MOST_WORKERS)
}

/// A factory of an [`Acceptor`] for each worker.
struct Acceptors {
    http: Rc<BoxServiceFactory<(), Accepted, (), DispatchError, ()>>,
    shared: Shared,
}

impl<T: AcceptedSocket> ServiceFactory<T> for Acceptors {
    type Response = ();
    type Error = DispatchError;
    type Config = ();
    type Service = Acceptor;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<Acceptor, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (http, shared) = (self.http.new_service(()), self.shared.clone());
        Box::pin(async move { Ok(Acceptor { http: Rc::new(http.await?), shared }) })
    }
}

/// Creates the library's service of a worker. The stream of a connection and the table have the timeouts, which the library has
/// for first requests alone.
fn http_service<F, S, A>(
    worker: Worker<F, A>,
    shared: &Shared,
    listens_on: ListenAddress,
    closing: GracefulShutdownSignal,
) -> BoxServiceFactory<(), Accepted, (), DispatchError, ()>
where
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
    let Worker { application, cache } = worker;
    let (application, refusals, tally) =
        (application.into_factory(), Arc::clone(&shared.refusals), Arc::clone(&shared.tally));
    let front = fn_factory(move || {
        let application = application.new_service(AppConfig::default());
        let (cache, refusals, tally) = (cache.clone(), Arc::clone(&refusals), Arc::clone(&tally));
        async move { Ok::<_, ()>(Front { application: Rc::new(application.await?), cache, refusals, tally }) }
    });
    let service = HttpService::build()
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(Connection::CLOSING)
        .graceful_shutdown_signal(move || {
            let closing = closing.clone();
            async move { closing.notified().await }
        })
        .on_connect_ext(move |stream: &ClientStream, extensions| {
            extensions.insert(Arc::clone(stream.connection()));
            extensions.insert(listens_on);
        })
        .finish(front);
    boxed::factory(service)
}
