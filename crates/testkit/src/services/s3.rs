//! An S3-compatible store in the test's process.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::IF_NONE_MATCH;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, oneshot};

/// An S3 server that stores its objects in a separate folder. It ends when it is dropped.
///
/// The server is `s3s-fs` rather than `moto`, which accepts changed and expired links. This wrapper adds the missing
/// feature of `s3s-fs`: of several concurrent conditional puts for one name, one succeeds.
pub struct S3Server {
    folder: tempfile::TempDir,
    address: SocketAddr,
    buckets: AtomicUsize,
    /// The number of requests still to be answered with 503.
    busy: Arc<AtomicUsize>,
    _ends: oneshot::Sender<()>,
}

/// The access key for every bucket, and its secret.
const ACCESS_KEY: &str = "AKIDTESTS";
const SECRET: &str = "the-secret-of-the-tests";

impl S3Server {
    /// Starts a server on a free port.
    ///
    /// # Panics
    ///
    /// Panics if the machine has no temporary folder or no free port.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).expect("a folder"));
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET));
        let service = service.build();
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        listener.set_nonblocking(true).expect("not blocking");
        let (ends, ended) = oneshot::channel::<()>();
        let busy = Arc::<AtomicUsize>::default();
        let is_busy = Arc::clone(&busy);
        // A separate thread keeps the server independent of the test's runtime.
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).expect("a listener");
                tokio::select! {
                    () = listen(listener, service, is_busy) => {}
                    _ = ended => {}
                }
            });
        });
        Self { folder, address, buckets: AtomicUsize::new(0), busy, _ends: ends }
    }

    /// Returns the address of the server.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers this number of requests with 503, without executing them.
    pub fn answer_busy(&self, requests: usize) {
        self.busy.store(requests, Ordering::Relaxed);
    }

    /// Creates a bucket; returns its name.
    ///
    /// # Panics
    ///
    /// Panics if its folder cannot be created.
    pub fn fresh_bucket(&self) -> String {
        let name = format!("bucket-{}", self.buckets.fetch_add(1, Ordering::Relaxed));
        fs::create_dir(self.folder_of(&name)).expect("made");
        name
    }

    /// Returns the folder of a bucket's content: a file for each object, under the object's name.
    pub fn folder_of(&self, bucket: &str) -> PathBuf {
        self.folder.path().join(bucket)
    }

    /// Returns the environment variables for a program that uses the server directly.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        Self::variables_at(&format!("http://{}", self.address))
    }

    /// Returns the environment variables for another endpoint, such as a proxy to the server.
    pub fn variables_at(endpoint: &str) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            ("AWS_ENDPOINT_URL", endpoint.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
        ]
    }
}

async fn listen(listener: TcpListener, service: S3Service, busy: Arc<AtomicUsize>) {
    let put_lock = Arc::new(Mutex::new(()));
    while let Ok((client, _)) = listener.accept().await {
        let _ = client.set_nodelay(true);
        let (service, put_lock, busy) = (service.clone(), Arc::clone(&put_lock), Arc::clone(&busy));
        let answered = service_fn(move |request| {
            let is_busy = busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
            let answer = answer(service.clone(), Arc::clone(&put_lock), request);
            async move { if is_busy { Ok(slow_down()) } else { answer.await } }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(client), answered));
    }
}

fn slow_down() -> Response<Body> {
    let mut busy = Response::new(Body::empty());
    *busy.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    busy
}

async fn answer(
    service: S3Service,
    put_lock: Arc<Mutex<()>>,
    request: Request<Incoming>,
) -> Result<Response<Body>, HttpError> {
    if !request.headers().contains_key(IF_NONE_MATCH) {
        return service.call(request.map(Body::from)).await;
    }
    // The server checks that the name is free before it writes. The body is read before the lock is taken, so that slow
    // requests do not hold it.
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_or_else(|_| Body::empty(), |body| Body::from(body.to_bytes()));
    let _turn = put_lock.lock().await;
    service.call(Request::from_parts(head, body)).await
}
