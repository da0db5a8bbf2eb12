//! Clients for buckets of object stores, and the buckets' names in messages.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector, SpawnedReqwestConnector,
};
use object_store::prefix::PrefixStore;
use object_store::signer::Signer;
use object_store::{BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig};
use reqwest::header::{CONTENT_LENGTH, HeaderValue};
use reqwest::{StatusCode, Url};
use sports_ports::calls::CallObserver;
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::OpenError;
use crate::open_error::{BucketAddress, Service};

/// The time limit for opening a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The time for which an idle connection is kept. It is shorter than the timeout of a request, so a retry after a
/// timeout never uses a connection from before, which the network may have dropped.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// The limits of retries: the time since the first attempt, and their number. The timeout of a request ends them as
/// well.
const RETRY_TIMEOUT: Duration = Duration::from_secs(4);

const RETRIES: usize = 3;

/// The limit of retries that are reported: a command has more time than a server with waiting clients.
const REPORTED_RETRY_TIMEOUT: Duration = Duration::from_secs(30);

/// The options with which a store is opened. All but the observer are for buckets.
#[derive(Clone)]
pub struct OpenOptions {
    /// Environment variables: credentials, endpoint and other settings of the client.
    pub variables: Vec<(String, String)>,
    /// The callback for the headers of the current trace.
    pub trace_headers: TraceHeaders,
    /// The observer of calls to the store.
    pub observer: CallObserver,
    /// Called with each transient error. If set, requests are retried for 30 seconds, else for four.
    pub on_retry: Option<OnRetry>,
}

/// The variables of this process, without traces and without a retry callback.
impl Default for OpenOptions {
    fn default() -> Self {
        let variables = std::env::vars_os();
        let variables =
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self {
            variables: variables.collect(),
            trace_headers: Vec::new,
            observer: CallObserver::ignoring(),
            on_retry: None,
        }
    }
}

/// Omits the variables, which may be secrets.
impl fmt::Debug for OpenOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOptions").finish_non_exhaustive()
    }
}

/// The bucket of a store.
#[derive(Debug, Clone)]
pub struct Bucket {
    address: String,
    endpoint: String,
    variables: &'static str,
    /// Signs download links with a file name; `None` if links of this service have no file name.
    signer: Option<Arc<dyn Signer>>,
}

impl Bucket {
    /// Creates the client of the store at an address. Sends no request.
    pub fn open(
        address: &BucketAddress,
        options: &OpenOptions,
        errors: Option<&PassingErrors>,
    ) -> Result<(Arc<dyn ObjectStore>, Self), OpenError> {
        // Without a provider the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(OpenError::NoCryptoProvider);
        }
        match address.service {
            Service::S3 => s3(address, options, errors),
            Service::GoogleCloud => google_cloud(address, options, errors),
            Service::Azure => azure(address, options, errors),
        }
    }

    /// Returns the bucket's address and endpoint, for messages.
    pub fn location(&self) -> String {
        format!("{} at {}", self.address, self.endpoint)
    }

    /// Returns the signer of its download links, if the service supports them.
    pub fn signer(&self) -> Option<&Arc<dyn Signer>> {
        self.signer.as_ref()
    }

    /// Converts a failed listing, with the status of its last response, to an error. Statuses other than 400, 401, 403 and 404
    /// count as transient.
    pub fn refusal(&self, source: object_store::Error, status: Option<StatusCode>) -> OpenError {
        let Self { address, endpoint, variables, signer: _ } = self.clone();
        match status.map(|status| status.as_u16()) {
            Some(404) => OpenError::NoBucket { address, endpoint },
            Some(400 | 401 | 403) => OpenError::Refused { address, endpoint, variables },
            _ => OpenError::Unreachable { address, endpoint, source },
        }
    }
}

/// Returns the options of an HTTP client.
fn client() -> ClientOptions {
    // The store limits the time of each request, and of each piece of a long response.
    let client = ClientOptions::new().with_connect_timeout(CONNECT_TIMEOUT).with_timeout_disabled();
    client.with_pool_idle_timeout(POOL_IDLE_TIMEOUT)
}

fn retries(errors: Option<&PassingErrors>) -> RetryConfig {
    let (max_retries, retry_timeout) = match errors {
        None => (RETRIES, RETRY_TIMEOUT),
        Some(_) => (usize::MAX, REPORTED_RETRY_TIMEOUT),
    };
    let backoff =
        BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 };
    RetryConfig { backoff, max_retries, retry_timeout }
}

/// Passes each variable with this prefix, if the builder knows its name, to the builder.
fn with_variables<B, K: std::str::FromStr>(
    builder: B,
    options: &OpenOptions,
    beginning: &str,
    with: impl Fn(B, K, String) -> B,
) -> B {
    let variables = options.variables.iter().filter(|(name, _)| name.starts_with(beginning));
    variables.fold(builder, |builder, (name, value)| match name.to_ascii_lowercase().parse() {
        Ok(key) => with(builder, key, value.clone()),
        Err(_) => builder,
    })
}

fn s3(
    address: &BucketAddress,
    options: &OpenOptions,
    errors: Option<&PassingErrors>,
) -> Result<(Arc<dyn ObjectStore>, Bucket), OpenError> {
    let variables = "AWS_";
    let builder = AmazonS3Builder::new().with_client_options(client());
    let builder = with_variables(builder, options, variables, AmazonS3Builder::with_config)
        .with_bucket_name(&address.bucket)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_retry(retries(errors))
        .with_http_connector(TracedConnector(options.trace_headers, errors.cloned()));
    check_headers(&builder)?;
    let endpoint = configured(&builder)?.unwrap_or_else(|| "Amazon S3".to_owned());
    let built = builder.build().map_err(|source| unusable(address, variables, source))?;
    let store = Arc::new(PrefixStore::new(built, address.prefix.clone()));
    let bucket = Bucket { address: address.to_string(), endpoint, variables, signer: Some(store.clone()) };
    Ok((store, bucket))
}

#[cfg(feature = "gcp")]
fn google_cloud(
    address: &BucketAddress,
    options: &OpenOptions,
    errors: Option<&PassingErrors>,
) -> Result<(Arc<dyn ObjectStore>, Bucket), OpenError> {
    use object_store::gcp::GoogleCloudStorageBuilder;
    let variables = "GOOGLE_";
    let builder = GoogleCloudStorageBuilder::new().with_client_options(client());
    let builder = with_variables(builder, options, variables, GoogleCloudStorageBuilder::with_config)
        .with_bucket_name(&address.bucket)
        .with_retry(retries(errors))
        .with_http_connector(TracedConnector(options.trace_headers, errors.cloned()));
    let built = builder.build().map_err(|source| unusable(address, variables, source))?;
    let store = Arc::new(PrefixStore::new(built, address.prefix.clone()));
    let endpoint = "Google Cloud Storage".to_owned();
    let bucket = Bucket { address: address.to_string(), endpoint, variables, signer: Some(store.clone()) };
    Ok((store, bucket))
}

#[cfg(not(feature = "gcp"))]
fn google_cloud(
    address: &BucketAddress,
    _: &OpenOptions,
    _: Option<&PassingErrors>,
) -> Result<(Arc<dyn ObjectStore>, Bucket), OpenError> {
    Err(OpenError::NotBuiltIn { address: address.to_string(), feature: "gcp" })
}

#[cfg(feature = "azure")]
fn azure(
    address: &BucketAddress,
    options: &OpenOptions,
    errors: Option<&PassingErrors>,
) -> Result<(Arc<dyn ObjectStore>, Bucket), OpenError> {
    use object_store::azure::MicrosoftAzureBuilder;
    let variables = "AZURE_";
    let builder = MicrosoftAzureBuilder::new().with_client_options(client());
    let builder = with_variables(builder, options, variables, MicrosoftAzureBuilder::with_config)
        .with_container_name(&address.bucket)
        .with_retry(retries(errors))
        .with_http_connector(TracedConnector(options.trace_headers, errors.cloned()));
    let built = builder.build().map_err(|source| unusable(address, variables, source))?;
    let store = Arc::new(PrefixStore::new(built, address.prefix.clone()));
    let endpoint = "Azure Blob Storage".to_owned();
    // A link of this service cannot set the file name of the download.
    Ok((store, Bucket { address: address.to_string(), endpoint, variables, signer: None }))
}

#[cfg(not(feature = "azure"))]
fn azure(
    address: &BucketAddress,
    _: &OpenOptions,
    _: Option<&PassingErrors>,
) -> Result<(Arc<dyn ObjectStore>, Bucket), OpenError> {
    Err(OpenError::NotBuiltIn { address: address.to_string(), feature: "azure" })
}

fn unusable(address: &BucketAddress, variables: &'static str, source: object_store::Error) -> OpenError {
    OpenError::Configuration { address: address.to_string(), variables, source }
}

// Checks of the endpoint and credentials of an S3 client, as configured by variables.

/// The variables that name an endpoint. The first one that is set applies.
const ENDPOINTS: [(AmazonS3ConfigKey, &str); 2] =
    [(AmazonS3ConfigKey::S3Endpoint, "AWS_ENDPOINT_URL_S3"), (AmazonS3ConfigKey::Endpoint, "AWS_ENDPOINT_URL")];

/// Returns the endpoint of the client, if a variable names one. It is shown in messages and is part of customers'
/// download links.
pub fn configured(builder: &AmazonS3Builder) -> Result<Option<String>, OpenError> {
    let named = ENDPOINTS.iter().find_map(|(key, name)| Some((*name, builder.get_config_value(key)?)));
    let Some((name, endpoint)) = named else { return Ok(None) };
    let unusable = |reason| Err(OpenError::Variable { name, reason });
    let Some(url) = Url::parse(&endpoint).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
        return unusable("it must be http:// or https:// and a host, such as https://store.example:9000");
    };
    if !url.username().is_empty() || url.password().is_some() {
        return unusable("it has credentials in it: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return unusable("nothing may follow its path: remove `?` or `#` and what comes after");
    }
    if !endpoint.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&byte)) {
        return unusable("a character of it is no part of an address, such as a space or the end of a line: remove it");
    }
    if url.scheme() == "http" && is_encryption_required(builder) {
        let name = "AWS_ALLOW_HTTP";
        let reason = "it is not `true`, and the endpoint begins with http://, which has no encryption: set it to `true`, \
                      or name an https:// endpoint";
        return Err(OpenError::Variable { name, reason });
    }
    Ok(Some(endpoint))
}

/// Returns `true` if the client would refuse an endpoint without encryption. The client itself rejects values that
/// are neither yes nor no.
fn is_encryption_required(builder: &AmazonS3Builder) -> bool {
    let allowed = builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
    let no = ["false", "0", "off", "no", "n"];
    allowed.is_none_or(|allowed| no.contains(&allowed.to_ascii_lowercase().as_str()))
}

/// The variables that are sent in headers of requests, or that sign them.
const IN_HEADERS: [(AmazonS3ConfigKey, &str); 4] = [
    (AmazonS3ConfigKey::AccessKeyId, "AWS_ACCESS_KEY_ID"),
    (AmazonS3ConfigKey::SecretAccessKey, "AWS_SECRET_ACCESS_KEY"),
    (AmazonS3ConfigKey::Token, "AWS_SESSION_TOKEN"),
    (AmazonS3ConfigKey::Region, "AWS_REGION"),
];

/// Refuses credentials and regions that are not valid in headers, because the client would panic.
pub fn check_headers(builder: &AmazonS3Builder) -> Result<(), OpenError> {
    let is_visible = |value: &str| value.bytes().all(|byte| byte.is_ascii_graphic());
    for (key, name) in IN_HEADERS {
        if builder.get_config_value(&key).is_some_and(|value| !is_visible(&value)) {
            let reason = "it has a space, the end of a line or another character that no key has: remove it, and where \
                          the value comes from a file, the end of the file's line";
            return Err(OpenError::Variable { name, reason });
        }
    }
    Ok(())
}

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

/// A callback for each transient error of a store. Its argument is the reason.
pub type OnRetry = Arc<dyn Fn(&str) + Send + Sync>;

/// The transient errors of a store: the time of the latest, and the callback that receives them.
#[derive(Clone)]
pub struct PassingErrors {
    on_retry: OnRetry,
    latest: Arc<Mutex<Option<Instant>>>,
}

impl PassingErrors {
    pub fn reported_to(on_retry: OnRetry) -> Self {
        Self { on_retry, latest: Arc::default() }
    }

    /// Records a response after which the client retries the request.
    pub fn note(&self, answer: &Result<HttpResponse, HttpError>) {
        let reason = match answer {
            Ok(answer) if answer.status().is_server_error() || [408, 429].contains(&answer.status().as_u16()) => {
                answer.status().to_string()
            }
            Err(error)
                if matches!(
                    error.kind(),
                    HttpErrorKind::Connect | HttpErrorKind::Request | HttpErrorKind::Interrupted
                ) =>
            {
                "no connection".to_owned()
            }
            _ => return,
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        (self.on_retry)(&reason);
    }

    /// Returns the time of the latest error.
    pub fn latest(&self) -> Option<Instant> {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PassingErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PassingErrors").field("latest", &self.latest()).finish_non_exhaustive()
    }
}
