use std::path::PathBuf;

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is of a kind this version does not read.
    #[error(
        "`{0}` is not a store address; expected `file:` and a folder, such as file:./var/store, or `s3://` and a bucket, such as s3://sports/live"
    )]
    UnknownAddress(String),
    /// There is no such folder.
    #[error("there is no store folder {0}")]
    NoFolder(PathBuf),
    /// There is something else.
    #[error("the store {0} is not a folder: remove it, or name a folder with --store (store.url)")]
    NotAFolder(PathBuf),
    /// The folder cannot be made or used.
    #[error(
        "the store folder {folder} cannot be used: remove what is in its place, or name another with --store (store.url)"
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A folder was needed.
    #[error("the store {0} is not a folder of this machine")]
    NoLocalStore(String),
    /// What follows the scheme names no bucket.
    #[error(
        "the address of the store names no bucket: expected {0}://BUCKET or {0}://BUCKET/PREFIX, such as {0}://sports/live; \
         credentials are variables and no part of it"
    )]
    NotABucket(&'static str),
    /// The program was built without that kind of store.
    #[error("{address} cannot be opened by this program: build it with --features {feature}")]
    NotBuiltIn {
        /// The store.
        address: String,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// The program forgot to choose its cryptography.
    #[error("no crypto provider is installed for TLS")]
    NoCryptoProvider,
    /// The variables that say how to reach the store cannot be used.
    #[error("{address} cannot be opened: look at the variables that begin with {variables}")]
    Configuration {
        /// The store.
        address: String,
        /// What they begin with.
        variables: &'static str,
        /// What is wrong.
        source: object_store::Error,
    },
    /// A variable says something that cannot be used. Its value is not repeated: it may be a password or have one in it.
    #[error("{name} cannot be used: {reason}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// What is wrong, and what to do.
        reason: &'static str,
    },
    /// The store answers that there is no such bucket.
    #[error("there is no bucket for {address} at {endpoint}: make it, or name another with --store (store.url)")]
    NoBucket {
        /// The store.
        address: String,
        /// Where it was looked for.
        endpoint: String,
    },
    /// The store does not let this program in.
    #[error(
        "{endpoint} refuses this program at {address}: look at the credentials (variables that begin with {variables}), \
         their rights and the machine's clock"
    )]
    Refused {
        /// The store.
        address: String,
        /// Who refused.
        endpoint: String,
        /// What variables of credentials begin with.
        variables: &'static str,
    },
    /// The store does not answer.
    #[error("{address} does not answer at {endpoint}: look at the endpoint and at the network")]
    Unreachable {
        /// The store.
        address: String,
        /// Where it was asked.
        endpoint: String,
        /// What happened.
        source: object_store::Error,
    },
}

impl OpenError {
    /// Whether the store may answer later with nothing changed here.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}
