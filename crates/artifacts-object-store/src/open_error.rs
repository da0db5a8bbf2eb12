use std::path::PathBuf;

/// The reason why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is of a kind that this version does not support.
    #[error(
        "`{0}` is not a store address; expected `file:` and a folder, such as file:./var/store, or `s3://` and a bucket, such as s3://sports/live"
    )]
    UnknownAddress(String),
    /// The folder does not exist.
    #[error("there is no store folder {0}")]
    NoFolder(PathBuf),
    /// The path is not a folder.
    #[error("the store {0} is not a folder: remove it, or name a folder with --store (store.url)")]
    NotAFolder(PathBuf),
    /// The folder cannot be created or used.
    #[error(
        "the store folder {folder} cannot be used: remove what is in its place, or name another with --store (store.url)"
    )]
    Folder {
        folder: PathBuf,
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The operation needs a local store, and the address names a bucket.
    #[error("the store {0} is not a folder of this machine")]
    NoLocalStore(String),
    /// The part after the scheme is not a bucket's name, with or without a prefix.
    #[error(
        "the address of the store names no bucket: expected {0}://BUCKET or {0}://BUCKET/PREFIX, such as {0}://sports/live; \
         credentials are variables and no part of it"
    )]
    NotABucket(&'static str),
    /// The program was built without support for this service.
    #[error("{address} cannot be opened by this program: build it with --features {feature}")]
    NotBuiltIn {
        address: String,
        /// The Cargo feature that adds the support.
        feature: &'static str,
    },
    /// The program did not install a crypto provider for TLS.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The variables that configure the client cannot be used.
    #[error("{address} cannot be opened: look at the variables that begin with {variables}")]
    Configuration {
        address: String,
        /// The prefix of these variables.
        variables: &'static str,
        /// The error of the client.
        source: object_store::Error,
    },
    /// The value of a variable cannot be used. It is not shown: it may be a password or contain one.
    #[error("{name} cannot be used: {reason}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// The problem and its remedy.
        reason: &'static str,
    },
    /// The service responds that the bucket does not exist.
    #[error("there is no bucket for {address} at {endpoint}: make it, or name another with --store (store.url)")]
    NoBucket {
        address: String,
        /// The endpoint that responded.
        endpoint: String,
    },
    /// The service refuses the credentials.
    #[error(
        "{endpoint} refuses this program at {address}: look at the credentials (variables that begin with {variables}), \
         their rights and the machine's clock"
    )]
    Refused {
        address: String,
        /// The endpoint that refused them.
        endpoint: String,
        /// The prefix of the variables with credentials.
        variables: &'static str,
    },
    /// The service does not respond.
    #[error("{address} does not answer at {endpoint}: look at the endpoint and at the network")]
    Unreachable {
        address: String,
        /// The endpoint of the requests.
        endpoint: String,
        /// The error of the last request.
        source: object_store::Error,
    },
}

impl OpenError {
    /// Returns `true` for a transient error: opening the store again may succeed without a change here.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }

    /// Returns `true` if another address or setting is needed. A service that refuses the credentials may look at rights or a clock,
    /// which change without a setting.
    pub const fn blames_the_address(&self) -> bool {
        !matches!(self, Self::Unreachable { .. } | Self::Refused { .. })
    }
}
