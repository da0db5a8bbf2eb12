//! Clients for buckets of object stores, and the buckets' names in messages.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::prefix::PrefixStore;
use object_store::signer::Signer;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use reqwest::StatusCode;
use sports_ports::calls::{CallObserver, Unobserved};

use crate::OpenError;
use crate::address::{BucketAddress, Service};
use crate::endpoint;
use crate::retries::{OnRetry, PassingErrors};
use crate::traced_client::{TraceHeaders, TracedConnector};

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
    pub observer: Arc<dyn CallObserver>,
    /// Called with each transient error. If set, requests are retried for 30 seconds, else for four.
    pub on_retry: Option<OnRetry>,
}

/// The variables of this process, without traces, an observer and a retry callback.
impl Default for OpenOptions {
    fn default() -> Self {
        let variables = std::env::vars_os();
        let variables =
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self { variables: variables.collect(), trace_headers: Vec::new, observer: Arc::new(Unobserved), on_retry: None }
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
    endpoint::check_headers(&builder)?;
    let endpoint = endpoint::configured(&builder)?.unwrap_or_else(|| "Amazon S3".to_owned());
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
