use std::io;
use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::http::Method;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use tokio::io::ReadBuf;
use tokio::time::Instant;

use super::PreparedAnswers;
use super::answer::{PreparedAnswer, Reply};
use super::gate::Entered;
use super::request::{NotPlain, PlainRequest};
use crate::auth::write_quota_lines;
use crate::connections::{ClientStream, Connection, FirstReader, FirstReaderOf};
use crate::plain_text::put;
use crate::request_id::RequestId;
use crate::shell::{Answered, Request};
use crate::trace::{TraceContext, TraceId};

/// Stands before the HTTP library on one connection and answers what there is a prepared answer for.
///
/// It reads only while the library is at rest, and hands on whole requests, so that it always knows where one begins. As
/// soon as it does not, as after a body, it hands on everything for as long as the connection lasts.
pub(crate) struct Front {
    answers: PreparedAnswers,
    peer: IpAddr,
    /// What was read and is not answered or handed on.
    read: Vec<u8>,
    doing: Doing,
}

enum Doing {
    /// Waiting for a request, or for the library to have answered one.
    Waiting,
    /// The caller of a request is being let in.
    Entering(Asked, Pin<Box<dyn Future<Output = Option<Entered>>>>),
    /// An answer is being sent: its head and its body, and how much of both together is sent.
    Sending { head: Vec<u8>, body: Bytes, sent: usize },
    /// Everything goes to the library.
    Passing,
}

/// A request that there is an answer for.
struct Asked {
    answer: Rc<PreparedAnswer>,
    reply: Reply,
    id: RequestId,
    trace: Option<TraceId>,
    started: Instant,
    now: DateTime<Utc>,
}

/// The most that a request has which is answered here.
const LARGEST_HEAD: usize = 4096;

/// About what is said to one caller alone.
const PER_CALL: usize = 256;

/// Up to here a body that is copied behind its head is sent sooner than one that is sent from where it is.
const SMALL: usize = 8 * 1024;

impl Front {
    /// One for each connection of a worker.
    pub(crate) fn of_each_connection(answers: PreparedAnswers) -> FirstReaderOf {
        Rc::new(move |peer| {
            let answers = answers.clone();
            Box::new(Self { answers, peer, read: Vec::new(), doing: Doing::Waiting })
        })
    }

    /// Begins to answer what was read; says no where that is for the library.
    fn take(&mut self, bytes: &[u8], connection: &Arc<Connection>) -> bool {
        self.read.clear();
        self.read.extend_from_slice(bytes);
        let plain = PlainRequest::parse(bytes);
        let begun = plain.as_ref().ok().and_then(|request| self.answers.begin(request, self.peer, connection));
        if let Some((asked, entering)) = begun {
            connection.asked_in_passing();
            self.doing = Doing::Entering(asked, entering);
            return true;
        }
        if plain.is_err_and(|what| what == NotPlain::Other) {
            self.doing = Doing::Passing;
        }
        false
    }

    /// Hands on as much as there is room for. What is one whole request in two pieces is no longer counted on.
    fn hand_on(&mut self, buffer: &mut ReadBuf<'_>, connection: &Connection) -> io::Result<()> {
        let fits = self.read.len().min(buffer.remaining());
        buffer.put_slice(&self.read[..fits]);
        self.read.drain(..fits);
        if !self.read.is_empty() {
            self.doing = Doing::Passing;
        }
        if connection.heard(fits) { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl FirstReader for Front {
    fn is_answering(&self) -> bool {
        matches!(self.doing, Doing::Entering(..) | Doing::Sending { .. })
    }

    fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        stream: &mut ClientStream,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match self.doing {
                Doing::Passing if self.read.is_empty() => return stream.read(context, buffer),
                Doing::Passing => return Poll::Ready(self.hand_on(buffer, stream.connection())),
                Doing::Waiting if !stream.connection().is_at_rest() => {
                    let before = buffer.filled().len();
                    let read = stream.read(context, buffer);
                    if buffer.filled().len() > before {
                        self.doing = Doing::Passing;
                    }
                    return read;
                }
                Doing::Waiting => {
                    let mut space = [MaybeUninit::uninit(); LARGEST_HEAD];
                    let mut bytes = ReadBuf::uninit(&mut space);
                    ready!(stream.look(context, &mut bytes))?;
                    let bytes = bytes.filled();
                    if bytes.is_empty() {
                        // The client sends no more.
                        return Poll::Ready(Ok(()));
                    }
                    if !self.take(bytes, stream.connection()) {
                        return Poll::Ready(self.hand_on(buffer, stream.connection()));
                    }
                }
                Doing::Entering(..) | Doing::Sending { .. } => {
                    if !ready!(self.poll_answer(context, stream))? {
                        return Poll::Ready(self.hand_on(buffer, stream.connection()));
                    }
                }
            }
        }
    }

    fn poll_answer(&mut self, context: &mut Context<'_>, stream: &mut ClientStream) -> Poll<io::Result<bool>> {
        loop {
            match &mut self.doing {
                Doing::Waiting | Doing::Passing => return Poll::Ready(Ok(true)),
                Doing::Entering(asked, entering) => match entering.as_mut().poll(context) {
                    Poll::Pending => {
                        // A look-up of the key has said so by itself.
                        if stream.connection().is_at_rest() {
                            stream.connection().asked();
                        }
                        return Poll::Pending;
                    }
                    Poll::Ready(None) => {
                        self.doing = Doing::Waiting;
                        return Poll::Ready(Ok(false));
                    }
                    Poll::Ready(Some(entered)) => {
                        let (head, body) = self.answers.head_and_body(asked, &entered);
                        self.read.clear();
                        self.doing = Doing::Sending { head, body, sent: 0 };
                    }
                },
                Doing::Sending { head, body, sent } => {
                    while *sent < head.len() + body.len() {
                        let in_head = (*sent).min(head.len());
                        let (head, body) = (&head[in_head..], &body[*sent - in_head..]);
                        match ready!(stream.write_both(context, head, body))? {
                            0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                            written => *sent += written,
                        }
                    }
                    stream.connection().answered_in_passing();
                    self.doing = Doing::Waiting;
                }
            }
        }
    }
}

type Entering = Pin<Box<dyn Future<Output = Option<Entered>>>>;

impl PreparedAnswers {
    /// Lets the caller of a request in that there is an answer for.
    fn begin(
        &self,
        request: &PlainRequest<'_>,
        peer: IpAddr,
        connection: &Arc<Connection>,
    ) -> Option<(Asked, Entering)> {
        let is_stopping = self.0.draining.has_begun();
        let (table, now) = self.current();
        let answer = table.answer(request).filter(|_| !is_stopping)?;
        drop(table);
        let started = Instant::now();
        let reply = answer.reply(request.if_none_match)?;
        let caller = self.0.gate.caller(answer.entrance(), request, peer)?;
        let trace = request.traceparent.and_then(|parent| TraceContext::parse(str::from_utf8(parent).ok()?));
        let (id, trace) = (RequestId::from_header(request.request_id), trace.map(|trace| trace.id()));
        let (worker, connection) = (Rc::clone(&self.0), Arc::clone(connection));
        let entering = async move { worker.gate.enter(caller, now, reply.status(), &connection).await };
        Some((Asked { answer, reply, id, trace, started, now }, Box::pin(entering)))
    }

    /// What is sent to a caller who was let in.
    fn head_and_body(&self, asked: &Asked, entered: &Entered) -> (Vec<u8>, Bytes) {
        let Asked { answer, reply, id, trace, started, now } = asked;
        let (constant, body) = answer.parts(*reply);
        let copied = if body.len() <= SMALL { body.len() } else { 0 };
        let mut head = Vec::with_capacity(constant.len() + PER_CALL + copied);
        head.extend_from_slice(constant);
        put(&mut head, &["x-request-id: ", id.as_str(), "\r\n"]);
        if let Some(quota) = &entered.quota {
            write_quota_lines(quota, &mut head);
        }
        put(&mut head, &["date: ", self.0.date.borrow_mut().of(*now), "\r\n\r\n"]);
        let answered = Answered {
            route: Some(answer.route()),
            near: None,
            sport: answer.sport(),
            customer: entered.customer,
            status: reply.status(),
        };
        let request = Request { id, method: &Method::GET, trace: *trace, took: started.elapsed() };
        self.0.watcher.note(&request, &answered);
        if copied == 0 {
            return (head, body);
        }
        head.extend_from_slice(&body);
        (head, Bytes::new())
    }
}
