use std::cell::Cell;

use async_trait::async_trait;
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector, SpawnedReqwestConnector,
};
use reqwest::StatusCode;
use reqwest::header::{CONTENT_LENGTH, HeaderValue};
use tokio::runtime::Handle;

use crate::retries::PassingErrors;

/// A callback for the names and values of the headers of the current task's trace; no headers if there is no trace.
pub type TraceHeaders = fn() -> Vec<(&'static str, String)>;

tokio::task_local! {
    /// The status of the last response that the current task received.
    static LAST_STATUS: Cell<Option<StatusCode>>;
}

/// Awaits requests; returns their result and the status of the last response, which the library's errors do not have.
pub async fn with_last_status<T>(requests: impl Future<Output = T>) -> (T, Option<StatusCode>) {
    let work = async {
        let result = requests.await;
        (result, LAST_STATUS.get().get())
    };
    LAST_STATUS.scope(Cell::new(None), work).await
}

/// A connector for clients that add the headers of the current trace to their requests and record transient errors.
///
/// Connections run on the runtime on which the store was opened, if any. The runtime of an HTTP worker ends with the
/// worker, while other workers may still use a pooled connection.
#[derive(Debug)]
pub struct TracedConnector(pub TraceHeaders, pub Option<PassingErrors>);

impl HttpConnector for TracedConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = match Handle::try_current() {
            Ok(runtime) => SpawnedReqwestConnector::new(runtime).connect(options)?,
            Err(_) => ReqwestConnector::default().connect(options)?,
        };
        Ok(HttpClient::new(TracedClient { client, trace_headers: self.0, errors: self.1.clone() }))
    }
}

#[derive(Debug)]
struct TracedClient {
    client: HttpClient,
    trace_headers: TraceHeaders,
    errors: Option<PassingErrors>,
}

#[async_trait]
impl HttpService for TracedClient {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        // These headers are not signed: the signature was computed before.
        for (name, value) in (self.trace_headers)() {
            if let Ok(value) = HeaderValue::try_from(value) {
                request.headers_mut().insert(name, value);
            }
        }
        let answer = match self.client.execute(request).await {
            Ok(answer) => received(answer).await,
            Err(error) => Err(error),
        };
        // Only a request whose status is of interest has a place for it.
        let status = answer.as_ref().ok().map(HttpResponse::status);
        let _ = LAST_STATUS.try_with(|last| last.set(status));
        if let Some(errors) = &self.errors {
            errors.note(&answer);
        }
        answer
    }
}

/// The limit for the size of a body that is received before it is handed on, in bytes. Listings and most objects are smaller. Where a
/// longer one is cut off, the client requests the rest.
const RECEIVED_WHOLE: u64 = 1 << 20;

/// Receives a short body to its end. One that is cut off becomes an error of the request, after which the client retries.
async fn received(answer: HttpResponse) -> Result<HttpResponse, HttpError> {
    let length = answer.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > RECEIVED_WHOLE) {
        return Ok(answer);
    }
    let (head, body) = answer.into_parts();
    let body = body.bytes().await.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))?;
    Ok(HttpResponse::from_parts(head, body.into()))
}
