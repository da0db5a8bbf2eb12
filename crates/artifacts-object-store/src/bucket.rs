//! Buckets of object stores: clients for them, and what they are called in messages.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::prefix::PrefixStore;
use object_store::signer::Signer;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use sports_ports::in_one_line;

use crate::OpenError;
use crate::address::{BucketAddress, Service};
use crate::endpoint;
use crate::retries::{OnRetry, PassingErrors};
use crate::traced_client::{TraceHeaders, TracedConnector};

/// How long a connection may take to be made.
const CONNECTION_PATIENCE: Duration = Duration::from_secs(2);

/// For how long a connection is kept for the next request. Less than the store's patience: what is asked after a request
/// was given up never waits for a connection from before, which the network may have forgotten.
const IDLE_CONNECTIONS: Duration = Duration::from_secs(4);

/// For how long after its begin a request is tried again, and how often. The store's patience ends it at the latest.
const RETRIED_FOR: Duration = Duration::from_secs(4);
const RETRIES: usize = 3;

/// For how long it is tried again where somebody is told of it: a command can wait, and has nobody waiting for it.
const PATIENTLY_RETRIED_FOR: Duration = Duration::from_secs(30);

/// How a store in a bucket is reached.
#[derive(Clone)]
pub struct OpenOptions {
    /// Variables with credentials, endpoint and the like.
    pub variables: Vec<(String, String)>,
    /// The trace that a request to the store is part of.
    pub trace_headers: TraceHeaders,
    /// Told of each error that may pass. With it, a request is sent again for 30 seconds; else for four.
    pub on_retry: Option<OnRetry>,
}

/// The variables of this process, no traces and nobody who is told of errors.
impl Default for OpenOptions {
    fn default() -> Self {
        let variables = std::env::vars_os();
        let variables =
            variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self { variables: variables.collect(), trace_headers: Vec::new, on_retry: None }
    }
}

/// Values may be secrets.
impl fmt::Debug for OpenOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOptions").finish_non_exhaustive()
    }
}

/// A bucket that a store is in.
#[derive(Debug, Clone)]
pub struct Bucket {
    address: String,
    endpoint: String,
    variables: &'static str,
    /// Signs links that open an object by themselves and say under which name it is saved.
    signer: Option<Arc<dyn Signer>>,
}

impl Bucket {
    /// The client of the store at an address. Nothing is asked yet.
    pub fn open(
        address: &BucketAddress,
        options: &OpenOptions,
        errors: Option<&PassingErrors>,
    ) -> Result<(Arc<dyn ObjectStore>, Self), OpenError> {
        // Without one the client would panic.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            return Err(OpenError::NoCryptoProvider);
        }
        match address.service {
            Service::S3 => s3(address, options, errors),
            Service::GoogleCloud => google_cloud(address, options, errors),
            Service::Azure => azure(address, options, errors),
        }
    }

    /// Returns its address and where that is asked.
    pub fn location(&self) -> String {
        format!("{} at {}", self.address, self.endpoint)
    }

    pub fn signer(&self) -> Option<&Arc<dyn Signer>> {
        self.signer.as_ref()
    }

    /// What it means that a listing failed. A store that is asked too often, or at a bad moment, may answer later.
    pub fn refusal(&self, source: object_store::Error) -> OpenError {
        let Self { address, endpoint, variables, signer: _ } = self.clone();
        match listing_status(&source) {
            Some(404) => OpenError::NoBucket { address, endpoint },
            Some(400 | 401 | 403) => OpenError::Refused { address, endpoint, variables },
            _ => OpenError::Unreachable { address, endpoint, source },
        }
    }
}

/// The status that a listing was refused with: the library keeps it to itself, but for its message.
fn listing_status(error: &object_store::Error) -> Option<u16> {
    let said = in_one_line(error);
    let (_, after) = said.split_once("status code: ")?;
    after.get(..3)?.parse().ok()
}

fn client() -> ClientOptions {
    // The store limits the time of each request, and of each piece of a long answer.
    let client = ClientOptions::new().with_connect_timeout(CONNECTION_PATIENCE).with_timeout_disabled();
    client.with_pool_idle_timeout(IDLE_CONNECTIONS)
}

fn retries(errors: Option<&PassingErrors>) -> RetryConfig {
    let (max_retries, retry_timeout) = match errors {
        None => (RETRIES, RETRIED_FOR),
        Some(_) => (usize::MAX, PATIENTLY_RETRIED_FOR),
    };
    let backoff =
        BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(1), base: 2.0 };
    RetryConfig { backoff, max_retries, retry_timeout }
}

/// Gives each of the variables that has this beginning, and is known, to a builder.
fn configured<B, K: std::str::FromStr>(
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
    let builder = configured(builder, options, variables, AmazonS3Builder::with_config)
        .with_bucket_name(&address.bucket)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_retry(retries(errors))
        .with_http_connector(TracedConnector(options.trace_headers, errors.cloned()));
    endpoint::check_headers(&builder)?;
    let endpoint = endpoint::checked(&builder)?.unwrap_or_else(|| "Amazon S3".to_owned());
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
    let builder = configured(builder, options, variables, GoogleCloudStorageBuilder::with_config)
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
    let builder = configured(builder, options, variables, MicrosoftAzureBuilder::with_config)
        .with_container_name(&address.bucket)
        .with_retry(retries(errors))
        .with_http_connector(TracedConnector(options.trace_headers, errors.cloned()));
    let built = builder.build().map_err(|source| unusable(address, variables, source))?;
    let store = Arc::new(PrefixStore::new(built, address.prefix.clone()));
    let endpoint = "Azure Blob Storage".to_owned();
    // A link of this store cannot say under which name the file is saved.
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
