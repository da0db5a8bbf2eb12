use async_trait::async_trait;
use object_store::HeaderValue;
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};

/// Gives the `traceparent` of what the current task does, if that is part of a trace.
pub type TraceParent = fn() -> Option<String>;

/// Connects clients whose requests carry the current trace.
#[derive(Debug)]
pub struct TracedConnector(pub TraceParent);

impl HttpConnector for TracedConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(TracedClient { client, trace_parent: self.0 }))
    }
}

#[derive(Debug)]
struct TracedClient {
    client: HttpClient,
    trace_parent: TraceParent,
}

#[async_trait]
impl HttpService for TracedClient {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        // Not part of what is signed, which was computed before.
        if let Some(value) = (self.trace_parent)().and_then(|text| HeaderValue::try_from(text).ok()) {
            request.headers_mut().insert("traceparent", value);
        }
        self.client.execute(request).await
    }
}
