//! The application in this process, wired as `serve` wires it, but without a listener: it answers requests to addresses that no
//! socket has.

use std::collections::HashMap;
use std::ffi::OsString;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread::{self, JoinHandle};

use actix_web::HttpResponse;
use actix_web::body::{MessageBody, to_bytes};
use actix_web::http::Method;
use actix_web::rt::{self, System};
use actix_web::test::{TestRequest, init_service, try_call_service};
use bytes::Bytes;
use reqwest::Request;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use sports_api::api::Worker;
use sports_api::state::{RequestLog, Site};
use sports_api::wiring;
use sports_program::settings::{Settings, Sources};
use tokio::sync::{mpsc, oneshot};
use url::Position;

use super::Answer;

type Call = (Request, oneshot::Sender<Answer>);

/// The applications of this process by the hosts of their addresses.
static APPLICATIONS: LazyLock<Mutex<HashMap<String, mpsc::UnboundedSender<Call>>>> = LazyLock::new(Mutex::default);

/// A wired application with a thread of its own, which ends on drop.
pub struct Application {
    host: String,
    thread: Option<JoinHandle<()>>,
}

impl Application {
    /// Wires an application by these variables.
    pub async fn start(environment: Vec<(OsString, OsString)>) -> Self {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let host = format!("application-{}.invalid", STARTED.fetch_add(1, Ordering::Relaxed));
        let (calls, received) = mpsc::unbounded_channel();
        let (wired, is_wired) = oneshot::channel();
        let thread = thread::spawn(move || System::new().block_on(Box::pin(run(environment, wired, received))));
        is_wired.await.expect("the application is wired");
        APPLICATIONS.lock().expect("whole").insert(host.clone(), calls);
        Self { host, thread: Some(thread) }
    }

    /// Returns the address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        APPLICATIONS.lock().expect("whole").remove(&self.host);
        let ended = self.thread.take().expect("it runs").join();
        assert!(ended.is_ok() || thread::panicking(), "the application ends without a panic");
    }
}

/// Returns the answer to a request to an application of this process, or a request to anywhere else.
pub async fn answer(request: Request) -> Result<Answer, Request> {
    let calls = request.url().host_str().and_then(|host| APPLICATIONS.lock().expect("whole").get(host).cloned());
    let Some(calls) = calls else { return Err(request) };
    let (answer, answered) = oneshot::channel();
    calls.send((request, answer)).expect("the application runs");
    Ok(answered.await.expect("the application answers"))
}

/// Answers calls until the last sender is gone, then runs the shutdown hooks.
async fn run(
    environment: Vec<(OsString, OsString)>,
    wired: oneshot::Sender<()>,
    mut calls: mpsc::UnboundedReceiver<Call>,
) {
    sports_api::prices::use_ring();
    let settings = Settings::load(&Sources { environment, ..Sources::default() }).expect("settings");
    let (lock, site) =
        (wiring::lock(&settings).expect("the only server"), Site::from_settings(&settings).expect("no logo"));
    let service = Box::pin(wiring::wire(&settings, site, lock, RequestLog::Off)).await.expect("wired");
    let app = Rc::new(init_service(Worker::new(&service.state).app()).await);
    wired.send(()).expect("somebody waits");
    while let Some((request, answer)) = calls.recv().await {
        let app = Rc::clone(&app);
        rt::spawn(async move {
            let made = match try_call_service(&*app, received(&request).to_request()).await {
                Ok(response) => parts_of(response.into_parts().1).await,
                // The server converts an error that no route turned into a response.
                Err(error) => parts_of(error.error_response()).await,
            };
            // A client that is gone takes no answer.
            let _ = answer.send(made);
        });
    }
    service.end().await;
}

/// Returns a request as the HTTP library hands it over.
fn received(request: &Request) -> TestRequest {
    let url = request.url();
    let received = TestRequest::with_uri(&url[Position::BeforePath..Position::AfterQuery])
        .method(Method::from_bytes(request.method().as_str().as_bytes()).expect("a method"))
        .peer_addr("127.0.0.1:40000".parse().expect("an address"))
        .insert_header(("Host", url.authority()));
    let headers = request.headers().iter();
    let received =
        headers.fold(received, |received, (name, value)| received.append_header((name.as_str(), value.as_bytes())));
    let body = request.body().and_then(|body| body.as_bytes()).map(Bytes::copy_from_slice);
    received.set_payload(body.unwrap_or_default())
}

async fn parts_of<B: MessageBody>(response: HttpResponse<B>) -> Answer {
    let header = |(name, value): (&actix_web::http::header::HeaderName, &actix_web::http::header::HeaderValue)| {
        let name = HeaderName::from_bytes(name.as_str().as_bytes()).expect("a name");
        (name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in response.headers().iter().map(header) {
        headers.append(name, value);
    }
    let status = response.status().as_u16();
    let Ok(body) = to_bytes(response.into_body()).await else { panic!("the body broke off") };
    Answer { status, headers, body }
}
