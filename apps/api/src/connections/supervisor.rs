use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_http::Protocol;
use actix_http::error::{DispatchError, ParseError};
use actix_service::{Service, ServiceFactory};
use futures::future::{LocalBoxFuture, poll_fn};
use sports_accounts::hide_keys;
use sports_ports::in_one_line;
use tokio::net::TcpStream;

use super::refusal::Refusals;
use super::requests::{ReadyResponses, Requests};
use super::room::{Place, Room};
use super::socket::ClientSocket;
use super::stream::ClientStream;
use super::tally::Tally;

/// What all supervisors share.
#[derive(Clone)]
pub(crate) struct Supervision {
    pub(crate) room: Arc<Room>,
    pub(crate) refusals: Arc<Refusals>,
    pub(crate) tally: Arc<Tally>,
}

/// Makes a [`Supervisor`] for each worker.
pub(crate) struct Supervised<F> {
    http: F,
    supervision: Supervision,
    ready: Option<Rc<dyn ReadyResponses>>,
}

impl<F> Supervised<F> {
    /// Hands connections to `http`, behind the `ready` responses.
    pub(crate) const fn new(http: F, supervision: Supervision, ready: Option<Rc<dyn ReadyResponses>>) -> Self {
        Self { http, supervision, ready }
    }
}

type Accepted = (ClientStream, Protocol, Option<std::net::SocketAddr>);

impl<F> ServiceFactory<TcpStream> for Supervised<F>
where
    F: ServiceFactory<Accepted, Config = (), Response = (), Error = DispatchError, InitError = ()>,
    F::Future: 'static,
    <F::Service as Service<Accepted>>::Future: 'static,
{
    type Response = ();
    type Error = DispatchError;
    type Config = ();
    type Service = Supervisor<F::Service>;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<Self::Service, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (http, supervision) = (self.http.new_service(()), self.supervision.clone());
        let ready = self.ready.clone();
        Box::pin(async move { Ok(Supervisor { http: http.await?, supervision, ready }) })
    }
}

/// Takes a worker's connections, or turns them away, and closes those that are to end.
pub(crate) struct Supervisor<S> {
    http: S,
    supervision: Supervision,
    ready: Option<Rc<dyn ReadyResponses>>,
}

impl<S> Service<TcpStream> for Supervisor<S>
where
    S: Service<Accepted, Response = (), Error = DispatchError>,
    S::Future: 'static,
{
    type Response = ();
    type Error = DispatchError;
    type Future = LocalBoxFuture<'static, Result<(), DispatchError>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), DispatchError>> {
        self.http.poll_ready(context)
    }

    fn call(&self, socket: TcpStream) -> Self::Future {
        // A client that is gone already has no address.
        let Ok(peer) = socket.peer_addr() else { return Box::pin(async { Ok(()) }) };
        let Some(place) = self.supervision.room.admit(peer.ip()) else { return Box::pin(async { Ok(()) }) };
        set_up(&socket);
        let Supervision { refusals, tally, .. } = self.supervision.clone();
        let socket = ClientSocket::new(socket, Arc::clone(place.connection()), refusals, Arc::clone(&tally));
        let stream = ClientStream::new(socket, Requests::new(peer.ip(), self.ready.clone()));
        let conversation = self.http.call((stream, Protocol::Http1, Some(peer)));
        Box::pin(supervise(conversation, place, tally))
    }
}

/// Sends at once, and keeps little in the system's buffer, so that a client which takes nothing is seen early and costs
/// little memory.
fn set_up(socket: &TcpStream) {
    // Neither is needed for a right answer.
    let _ = socket.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        const UNSENT: u32 = 128 * 1024;
        let _ = socket2::SockRef::from(socket).set_tcp_notsent_lowat(UNSENT);
    }
}

/// Goes on with a connection until it ends by itself or is to end.
async fn supervise(
    conversation: impl Future<Output = Result<(), DispatchError>>,
    place: Place,
    tally: Arc<Tally>,
) -> Result<(), DispatchError> {
    let connection = place.connection();
    let mut conversation = pin!(conversation);
    let outcome = poll_fn(|context| {
        let has_ended = connection.has_ended(context.waker());
        match conversation.as_mut().poll(context) {
            // There was time to say so to the client.
            Poll::Pending if has_ended => Poll::Ready(Ok(())),
            polled => polled,
        }
    });
    let outcome = outcome.await;
    report(&outcome, &place, &tally);
    outcome
}

/// Logs why a connection ended. The library's own lines are left out of the log, since a client writes them.
fn report(outcome: &Result<(), DispatchError>, place: &Place, tally: &Tally) {
    match outcome {
        // Counted and logged when it was refused.
        _ if place.connection().refused().get().is_some() => {}
        Err(DispatchError::Parse(error @ (ParseError::Io(_) | ParseError::Incomplete))) => {
            tracing::debug!(%error, "a client went away: {error}");
        }
        Err(DispatchError::Parse(error)) => {
            tally.malformed_request();
            tracing::debug!(%error, "a request cannot be read: {error}");
        }
        Err(DispatchError::Body(error)) => {
            let causes = hide_keys(&in_one_line(&**error)).into_owned();
            tracing::error!(causes, "an answer ended early: {causes}");
        }
        Err(DispatchError::InternalError | DispatchError::Service(_)) => {
            tracing::error!("the HTTP library failed on a connection");
        }
        Err(error) => tracing::trace!(%error, "a connection ended: {error}"),
        Ok(()) => {}
    }
}
