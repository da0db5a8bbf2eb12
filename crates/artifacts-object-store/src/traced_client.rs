use async_trait::async_trait;
use object_store::HeaderValue;
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
    SpawnedReqwestConnector,
};
use tokio::runtime::Handle;

use crate::retries::PassingErrors;

/// Gives names and values of the headers that say which trace the current task is part of, if it is part of one.
pub type TraceHeaders = fn() -> Vec<(&'static str, String)>;

/// Connects clients whose requests carry the current trace, and whose passing errors are noted.
///
/// Their connections are driven by the runtime that the store was opened on, where there is one: the runtime of an HTTP
/// worker ends with the worker, while requests on other workers still use a pooled connection.
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
        // Not part of what is signed, which was computed before.
        for (name, value) in (self.trace_headers)() {
            if let Ok(value) = HeaderValue::try_from(value) {
                request.headers_mut().insert(name, value);
            }
        }
        let answer = self.client.execute(request).await;
        if let Some(errors) = &self.errors {
            errors.note(&answer);
        }
        answer
    }
}
