use std::io;
use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_http::h1::{Codec, Message};
use bytes::{Bytes, BytesMut};
use futures::future::LocalBoxFuture;
use tokio::io::ReadBuf;
use tokio_util::codec::Decoder;

use crate::connection::Connection;
use crate::head::RequestHead;
use crate::limits::HEAD;
use crate::phase::Phase;
use crate::socket::ClientSocket;

/// A source of responses that need neither the HTTP library nor the application.
pub trait ReadyResponses {
    /// Begins the response to a request, or returns `None` if the library has to make it. The future yields `None` if the
    /// caller is not admitted: then the library makes it, too.
    fn respond(
        &self,
        head: &RequestHead<'_, '_>,
        peer: IpAddr,
        connection: &Arc<Connection>,
    ) -> Option<LocalBoxFuture<'static, Option<ReadyResponse>>>;
}

/// A response as it is sent.
pub struct ReadyResponse {
    /// The head, perhaps with a small body behind it.
    pub head: Vec<u8>,
    /// The rest of the body.
    pub body: Bytes,
}

/// The requests of one connection, one at a time.
///
/// # Contract
///
/// - The library receives one head, then its body, and nothing further until the response is sent. So it never has a queue,
///   and its state of the last head (such as its method `HEAD`) belongs to the response that it writes.
/// - While a response is pending, up to [`HEAD`] bytes are read ahead, so that a client that hangs up is noticed.
/// - A head that is too large or not HTTP is refused here, in the error shape, and the connection closes. Bytes that follow
///   are discarded for a while, so that the client can read the refusal.
pub(crate) struct Requests {
    peer: IpAddr,
    ready: Option<Rc<dyn ReadyResponses>>,
    received: Vec<u8>,
    /// The length of `received` that was parsed, and is no whole head.
    parsed: usize,
    has_ended: bool,
    state: State,
}

enum State {
    /// Receiving a head.
    Head,
    /// Admitting the caller of a request that has a ready response. The head has `length` bytes.
    Admission { length: usize, response: LocalBoxFuture<'static, Option<ReadyResponse>> },
    /// Sending a ready response, of which `sent` bytes are sent.
    Sending { response: ReadyResponse, sent: usize },
    /// Handing `length` bytes of a head to the library, and then its body, if it has one.
    Forwarding { length: usize, body: Option<Box<Codec>> },
    /// Handing a body to the library.
    Body(Box<Codec>),
    /// The library makes the response.
    Response,
    /// The request was refused.
    Refused,
}

/// The most bytes of one read.
const READ: usize = 4096;

impl Requests {
    /// Returns the requests of a connection from `peer`.
    pub(crate) const fn new(peer: IpAddr, ready: Option<Rc<dyn ReadyResponses>>) -> Self {
        Self { peer, ready, received: Vec::new(), parsed: 0, has_ended: false, state: State::Head }
    }

    /// Returns true while a ready response is made or sent.
    pub(crate) const fn is_responding(&self) -> bool {
        matches!(self.state, State::Admission { .. } | State::Sending { .. })
    }

    /// Returns true if the next read does not depend on the socket.
    pub(crate) const fn has_more(&self) -> bool {
        !self.received.is_empty() || self.has_ended
    }

    /// Reads bytes for the library. Makes and sends ready responses meanwhile.
    pub(crate) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        socket: &mut ClientSocket,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match &mut self.state {
                State::Head => {
                    let has_begun = !self.received.is_empty() && self.begin(context, socket);
                    if !has_begun && ready!(self.poll_receive(context, socket))? == 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
                State::Admission { .. } | State::Sending { .. } => ready!(self.poll_respond(context, socket))?,
                State::Forwarding { .. } => {
                    self.forward_head(buffer);
                    return Poll::Ready(Ok(()));
                }
                State::Body(_) => {
                    let has_ended = self.received.is_empty() && ready!(self.poll_receive(context, socket))? == 0;
                    if has_ended || self.forward_body(buffer) > 0 {
                        return Poll::Ready(Ok(()));
                    }
                }
                State::Response if socket.connection().is_at_rest() => self.state = State::Head,
                State::Response if socket.connection().phase() == Phase::Closing => {
                    return self.poll_discard(context, socket);
                }
                State::Response => return self.poll_read_ahead(context, socket),
                State::Refused => {
                    ready!(self.poll_discard(context, socket))?;
                    return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
                }
            }
        }
    }

    /// Makes and sends the ready response that was begun, if any.
    pub(crate) fn poll_respond(
        &mut self,
        context: &mut Context<'_>,
        socket: &mut ClientSocket,
    ) -> Poll<io::Result<()>> {
        loop {
            match &mut self.state {
                State::Admission { length, response } => {
                    let Poll::Ready(response) = response.as_mut().poll(context) else {
                        socket.connection().on_admission_pending();
                        return Poll::Pending;
                    };
                    let length = *length;
                    self.state = if let Some(response) = response {
                        self.received.drain(..length);
                        State::Sending { response, sent: 0 }
                    } else {
                        socket.connection().begin_head();
                        State::Forwarding { length, body: None }
                    };
                }
                State::Sending { response: ReadyResponse { head, body }, sent } => {
                    while *sent < head.len() + body.len() {
                        let of_head = (*sent).min(head.len());
                        match ready!(socket.poll_write(context, &head[of_head..], &body[*sent - of_head..]))? {
                            0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                            written => *sent += written,
                        }
                    }
                    socket.connection().end_cached();
                    self.state = State::Head;
                }
                _ => return Poll::Ready(Ok(())),
            }
        }
    }

    /// Begins a request if its head is received; returns false if it is not.
    fn begin(&mut self, context: &mut Context<'_>, socket: &mut ClientSocket) -> bool {
        // A head ends with the end of a line, so it is parsed again only after a new line break.
        if self.parsed > 0 && self.received.len() <= HEAD && !self.received[self.parsed..].contains(&b'\n') {
            return false;
        }
        let mut space = RequestHead::space();
        let connection = socket.connection();
        self.state = match RequestHead::parse(&self.received, &mut space) {
            Ok(None) => {
                connection.begin_head();
                self.parsed = self.received.len();
                return false;
            }
            Ok(Some(head)) => {
                let length = head.length();
                let response = self.ready.as_ref().and_then(|ready| ready.respond(&head, self.peer, connection));
                if let Some(response) = response {
                    connection.begin_cached();
                    State::Admission { length, response }
                } else {
                    connection.begin_head();
                    State::Forwarding { length, body: head.body_decoder(&self.received[..length]).map(Box::new) }
                }
            }
            Err(refusal) => {
                socket.refuse_and_close(context, refusal);
                State::Refused
            }
        };
        self.parsed = 0;
        true
    }

    /// Copies bytes of a head into the library's buffer.
    fn forward_head(&mut self, buffer: &mut ReadBuf<'_>) {
        let State::Forwarding { length, body } = &mut self.state else { return };
        let fits = buffer.remaining().min(*length);
        buffer.put_slice(&self.received[..fits]);
        self.received.drain(..fits);
        *length -= fits;
        if *length == 0 {
            self.state = body.take().map_or(State::Response, State::Body);
        }
    }

    /// Copies received bytes of a body into the library's buffer; returns their number.
    fn forward_body(&mut self, buffer: &mut ReadBuf<'_>) -> usize {
        let State::Body(decoder) = &mut self.state else { return 0 };
        let fits = buffer.remaining().min(self.received.len());
        let mut rest = BytesMut::from(&self.received[..fits]);
        let is_over = loop {
            match decoder.decode(&mut rest) {
                Ok(Some(Message::Chunk(Some(_)))) => {}
                Ok(None) => break false,
                Ok(Some(_)) => break true,
                Err(_) => {
                    // The library refuses the same bytes.
                    rest.clear();
                    break true;
                }
            }
        };
        let consumed = fits - rest.len();
        buffer.put_slice(&self.received[..consumed]);
        self.received.drain(..consumed);
        if is_over {
            self.state = State::Response;
        }
        consumed
    }

    /// Reads ahead while a response is pending. The library sees the end of the stream if no request precedes it.
    fn poll_read_ahead(&mut self, context: &mut Context<'_>, socket: &mut ClientSocket) -> Poll<io::Result<()>> {
        while self.received.len() < HEAD && !self.has_ended {
            ready!(self.poll_receive(context, socket))?;
        }
        // Otherwise the flush of the response wakes the task.
        if self.received.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    /// Discards the bytes of the client until it stops sending.
    fn poll_discard(&mut self, context: &mut Context<'_>, socket: &mut ClientSocket) -> Poll<io::Result<()>> {
        loop {
            self.received = Vec::new();
            if ready!(self.poll_receive(context, socket))? == 0 {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Receives some bytes; returns their number, zero at the end of the stream.
    fn poll_receive(&mut self, context: &mut Context<'_>, socket: &mut ClientSocket) -> Poll<io::Result<usize>> {
        if self.has_ended {
            return Poll::Ready(Ok(0));
        }
        if self.received.is_empty() && self.received.capacity() > READ {
            self.received = Vec::new();
        }
        let mut space = [MaybeUninit::uninit(); READ];
        let mut bytes = ReadBuf::uninit(&mut space);
        ready!(socket.poll_read(context, &mut bytes))?;
        let bytes = bytes.filled();
        self.received.extend_from_slice(bytes);
        self.has_ended = bytes.is_empty();
        if self.has_ended {
            socket.connection().on_hang_up();
        }
        let is_head = matches!(self.state, State::Head);
        if !is_head && socket.connection().is_too_much(bytes.len()) {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(bytes.len()))
    }
}
