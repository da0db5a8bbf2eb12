use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_http::Protocol;
use actix_http::error::{DispatchError, ParseError};
use actix_service::Service;
use actix_service::boxed::BoxService;
use futures::future::LocalBoxFuture;
use sports_accounts::hide_keys;
use sports_ports::error_chain;
use tokio::net::TcpStream;

use super::tls::Tls;
use crate::connection::Connection;
use crate::connection_table::ConnectionTable;
use crate::phase::Phase;
use crate::refusal::Refusals;
use crate::stream::{ClientStream, Socket};
use crate::tally::Tally;

/// A connection as the HTTP library accepts it.
pub(super) type Accepted = (ClientStream, Protocol, Option<SocketAddr>);

/// The service of a worker that admits connections, encrypts them, and hands them to the HTTP library.
pub(super) struct Acceptor {
    pub(super) http: Rc<BoxService<Accepted, (), DispatchError>>,
    pub(super) shared: Shared,
}

/// The parts that the acceptors of all workers share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) table: Arc<ConnectionTable>,
    pub(super) refusals: Arc<dyn Refusals>,
    pub(super) tally: Arc<Tally>,
    pub(super) tls: Option<Tls>,
}

/// A socket that was accepted.
pub(super) trait AcceptedSocket: Socket + Sized + 'static {
    /// Returns the address of the client; `None` if it is gone already.
    fn peer(&self) -> Option<SocketAddr>;

    /// Makes the socket send at once and buffer little in the system, so that a client that takes nothing is noticed early and
    /// costs little memory.
    fn configure(&self) {}
}

impl AcceptedSocket for TcpStream {
    fn peer(&self) -> Option<SocketAddr> {
        self.peer_addr().ok()
    }

    fn configure(&self) {
        // A response is correct without either option.
        let _ = self.set_nodelay(true);
        #[cfg(target_os = "linux")]
        {
            const UNSENT: u32 = 128 * 1024;
            let _ = socket2::SockRef::from(self).set_tcp_notsent_lowat(UNSENT);
        }
    }
}

#[cfg(unix)]
impl AcceptedSocket for tokio::net::UnixStream {
    fn peer(&self) -> Option<SocketAddr> {
        Some(LOCAL_CLIENT)
    }
}

/// The address of a client on a Unix socket, which is on this machine.
pub(super) const LOCAL_CLIENT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

impl<T: AcceptedSocket> Service<T> for Acceptor {
    type Response = ();
    type Error = DispatchError;
    type Future = LocalBoxFuture<'static, Result<(), DispatchError>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), DispatchError>> {
        self.http.poll_ready(context)
    }

    fn call(&self, socket: T) -> Self::Future {
        let slot = socket.peer().and_then(|peer| Some((peer, self.shared.table.admit(peer.ip())?)));
        let Some((peer, slot)) = slot else { return Box::pin(async { Ok(()) }) };
        socket.configure();
        let (http, Shared { refusals, tally, tls, .. }) = (Rc::clone(&self.http), self.shared.clone());
        Box::pin(async move {
            let connection = slot.connection();
            let (socket, protocol): (Box<dyn Socket>, _) = match tls {
                None => (Box::new(socket), Protocol::Http1),
                Some(tls) => match tls.accept(socket, connection).await {
                    Some((socket, protocol)) => (Box::new(socket), protocol),
                    None => return Ok(()),
                },
            };
            if protocol == Protocol::Http2 {
                connection.multiplex();
            }
            let stream = ClientStream::new(socket, Arc::clone(connection), refusals, Arc::clone(&tally));
            let outcome = http.call((stream, protocol, Some(peer))).await;
            log_end(&outcome, connection, &tally);
            outcome
        })
    }
}

/// Logs the end of a connection. The log leaves out the library's own lines, since a client can cause any number.
fn log_end(outcome: &Result<(), DispatchError>, connection: &Connection, tally: &Tally) {
    match outcome {
        // Counted and logged when it was refused.
        _ if connection.phase() == Phase::Closing => {}
        Err(DispatchError::Parse(error @ (ParseError::Io(_) | ParseError::Incomplete))) => {
            tracing::debug!(%error, "a client went away: {error}");
        }
        Err(DispatchError::Parse(error)) => {
            tally.count_malformed();
            tracing::debug!(%error, "a request cannot be read: {error}");
        }
        Err(DispatchError::Body(error)) => {
            let causes = hide_keys(&error_chain(&**error)).into_owned();
            tracing::error!(causes, "a response ended early: {causes}");
        }
        Err(DispatchError::InternalError | DispatchError::Service(_)) => {
            tracing::error!("the HTTP library failed on a connection");
        }
        Err(error) => tracing::trace!(%error, "a connection ended: {error}"),
        Ok(()) => {}
    }
}
