use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_http::Protocol;
use actix_http::error::{DispatchError, ParseError};
use actix_service::boxed::{BoxService, BoxServiceFactory};
use actix_service::{Service, ServiceFactory};
use futures::future::{LocalBoxFuture, poll_fn};
use sports_accounts::hide_keys;
use sports_ports::in_one_line;
use tokio::net::TcpStream;

use crate::connection_table::{ConnectionTable, Slot};
use crate::refusal::Refusals;
use crate::requests::{ReadyResponses, Requests};
use crate::socket::ClientSocket;
use crate::stream::ClientStream;
use crate::tally::Tally;

/// The parts that all supervisors share.
#[derive(Clone)]
pub(crate) struct Supervision {
    pub(crate) table: Arc<ConnectionTable>,
    pub(crate) refusals: Arc<dyn Refusals>,
    pub(crate) tally: Arc<Tally>,
}

/// A factory of a [`Supervisor`] for each worker.
pub(crate) struct Supervised {
    http: BoxServiceFactory<(), Accepted, (), DispatchError, ()>,
    supervision: Supervision,
    ready: Option<Rc<dyn ReadyResponses>>,
}

impl Supervised {
    /// Hands connections to `http`, behind the `ready` responses.
    pub(crate) const fn new(
        http: BoxServiceFactory<(), Accepted, (), DispatchError, ()>,
        supervision: Supervision,
        ready: Option<Rc<dyn ReadyResponses>>,
    ) -> Self {
        Self { http, supervision, ready }
    }
}

/// A connection as the HTTP library accepts it.
pub(crate) type Accepted = (ClientStream, Protocol, Option<std::net::SocketAddr>);

impl ServiceFactory<TcpStream> for Supervised {
    type Response = ();
    type Error = DispatchError;
    type Config = ();
    type Service = Supervisor;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<Self::Service, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (http, supervision) = (self.http.new_service(()), self.supervision.clone());
        let ready = self.ready.clone();
        Box::pin(async move { Ok(Supervisor { http: http.await?, supervision, ready }) })
    }
}

/// The service of a worker that admits connections, hands them to the HTTP library, and closes those that are to end.
pub(crate) struct Supervisor {
    http: BoxService<Accepted, (), DispatchError>,
    supervision: Supervision,
    ready: Option<Rc<dyn ReadyResponses>>,
}

impl Service<TcpStream> for Supervisor {
    type Response = ();
    type Error = DispatchError;
    type Future = LocalBoxFuture<'static, Result<(), DispatchError>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), DispatchError>> {
        self.http.poll_ready(context)
    }

    fn call(&self, socket: TcpStream) -> Self::Future {
        // A client that is gone already has no address.
        let Ok(peer) = socket.peer_addr() else { return Box::pin(async { Ok(()) }) };
        let Some(slot) = self.supervision.table.admit(peer.ip()) else { return Box::pin(async { Ok(()) }) };
        configure(&socket);
        let Supervision { refusals, tally, .. } = self.supervision.clone();
        let socket = ClientSocket::new(socket, Arc::clone(slot.connection()), refusals, Arc::clone(&tally));
        let stream = ClientStream::new(socket, Requests::new(peer.ip(), self.ready.clone()));
        let dispatch = self.http.call((stream, Protocol::Http1, Some(peer)));
        Box::pin(supervise(dispatch, slot, tally))
    }
}

/// Makes the socket send at once and buffer little in the system, so that a client that takes nothing is noticed early and
/// costs little memory.
fn configure(socket: &TcpStream) {
    // A response is correct without either option.
    let _ = socket.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        const UNSENT: u32 = 128 * 1024;
        let _ = socket2::SockRef::from(socket).set_tcp_notsent_lowat(UNSENT);
    }
}

/// Runs a connection until it ends by itself or is to be closed.
async fn supervise(
    dispatch: impl Future<Output = Result<(), DispatchError>>,
    slot: Slot,
    tally: Arc<Tally>,
) -> Result<(), DispatchError> {
    let connection = slot.connection();
    let mut dispatch = pin!(dispatch);
    let outcome = poll_fn(|context| {
        let is_ending = connection.poll_ending(context.waker());
        match dispatch.as_mut().poll(context) {
            // The stream has had its chance to send a refusal.
            Poll::Pending if is_ending => Poll::Ready(Ok(())),
            polled => polled,
        }
    });
    let outcome = outcome.await;
    log_end(&outcome, &slot, &tally);
    outcome
}

/// Logs the end of a connection. The log leaves out the library's own lines, since a client can cause any number.
fn log_end(outcome: &Result<(), DispatchError>, slot: &Slot, tally: &Tally) {
    match outcome {
        // Counted and logged when it was refused.
        _ if slot.connection().refused().get().is_some() => {}
        Err(DispatchError::Parse(error @ (ParseError::Io(_) | ParseError::Incomplete))) => {
            tracing::debug!(%error, "a client went away: {error}");
        }
        Err(DispatchError::Parse(error)) => {
            tally.count_malformed();
            tracing::debug!(%error, "a request cannot be read: {error}");
        }
        Err(DispatchError::Body(error)) => {
            let causes = hide_keys(&in_one_line(&**error)).into_owned();
            tracing::error!(causes, "a response ended early: {causes}");
        }
        Err(DispatchError::InternalError | DispatchError::Service(_)) => {
            tracing::error!("the HTTP library failed on a connection");
        }
        Err(error) => tracing::trace!(%error, "a connection ended: {error}"),
        Ok(()) => {}
    }
}
