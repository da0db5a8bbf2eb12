use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::{FutureExt, Stream, StreamExt, stream};
use http_body_util::StreamBody;
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request that the server received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The path, such as `/markets`.
    pub path: String,
    query: Vec<(String, String)>,
}

impl Request {
    fn from_uri(uri: &hyper::Uri) -> Self {
        // The base supplies a host, without which the address is not a URL.
        let url = url::Url::parse("http://exchange").and_then(|base| base.join(&uri.to_string()));
        let query = url.map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default();
        Self { path: uri.path().to_owned(), query }
    }

    /// Returns the value of a query parameter.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}

/// A response of the server.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    /// The value of the `Content-Type` header.
    pub content_type: &'static str,
    pub body: Bytes,
    /// The value of the `Location` header of a redirect.
    pub location: Option<String>,
    /// The delay before the response.
    pub after: Duration,
    /// The point at which the connection ends early, if it does.
    pub cut_short: Option<CutShort>,
}

/// The point at which a connection ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutShort {
    /// After the request, before the response.
    BeforeTheAnswer,
    /// In the middle of the body.
    InTheBody,
}

impl Reply {
    /// Creates a JSON response, without delay.
    pub fn json(status: u16, body: impl Into<Bytes>) -> Self {
        let (content_type, after) = ("application/json", Duration::ZERO);
        Self { status, content_type, body: body.into(), location: None, after, cut_short: None }
    }

    /// Creates a redirect, without delay.
    pub fn redirect(status: u16, location: String) -> Self {
        Self { location: Some(location), ..Self::json(status, "{}") }
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// A running server, which stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    listening: JoinHandle<()>,
}

impl Server {
    /// Listens on a free port of this machine, and responds with the result of `answer`.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot listen on a port.
    pub async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let (address, requests) = (listener.local_addr()?, Arc::new(AtomicUsize::new(0)));
        let (answer, count): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&requests));
        let listening = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                // Head and body are sent separately: without this, the body is delayed until the head is
                // acknowledged.
                connection.set_nodelay(true).unwrap_or_default();
                tokio::spawn(serve(connection, Arc::clone(&answer), Arc::clone(&count)));
            }
        });
        Ok(Self { address, requests, listening })
    }

    /// Returns the base address, such as `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of received requests.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn serve(connection: TcpStream, answer: Arc<Answer>, count: Arc<AtomicUsize>) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        count.fetch_add(1, Ordering::SeqCst);
        let reply = answer(&Request::from_uri(request.uri()));
        async move {
            tokio::time::sleep(reply.after).await;
            if reply.cut_short == Some(CutShort::BeforeTheAnswer) {
                return Err(io::Error::other("cut short on request"));
            }
            Ok(response(reply))
        }
    });
    // A client may disconnect at any time.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

fn response(reply: Reply) -> hyper::Response<StreamBody<impl Stream<Item = io::Result<Frame<Bytes>>>>> {
    let length = reply.body.len();
    let frames = if reply.cut_short.is_some() {
        vec![Ok(Frame::data(reply.body.slice(..length / 2))), Err(io::Error::other("cut short on request"))]
    } else {
        vec![Ok(Frame::data(reply.body))]
    };
    // A frame is sent before the next one is produced, so that an early end falls in the body.
    let frames = stream::iter(frames).then(|frame| tokio::task::yield_now().map(|()| frame));
    let mut response = hyper::Response::new(StreamBody::new(frames));
    *response.status_mut() = hyper::StatusCode::from_u16(reply.status).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    if let Some(location) = reply.location.and_then(|location| HeaderValue::try_from(location).ok()) {
        headers.insert(LOCATION, location);
    }
    headers.insert(CONTENT_LENGTH, length.into());
    response
}
