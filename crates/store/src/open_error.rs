use std::fmt;
use std::path::PathBuf;

use object_store::path::Path;

/// The reason why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is of a kind that this version does not support.
    #[error(
        "`{0}` is not a store address; expected `file:` and a folder, such as file:./var/store, or `s3://` and a bucket, such as s3://sports/live"
    )]
    UnknownAddress(String),
    /// The folder does not exist.
    #[error("there is no store folder {0}: mount its disk, or name another with --store (store.url)")]
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
    /// which change without a setting, and a folder that is not there may be on a disk that is not mounted yet.
    pub const fn blames_the_address(&self) -> bool {
        !matches!(self, Self::Unreachable { .. } | Self::Refused { .. } | Self::NoFolder(_))
    }
}

// The address of a store, as settings write it.

/// A parsed store address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket of an object store.
    Bucket(BucketAddress),
}

/// A bucket and the prefix of all names that the store uses in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketAddress {
    pub service: Service,
    pub bucket: String,
    /// Empty if the store uses the whole bucket.
    pub prefix: Path,
}

/// The service, and so the protocol, of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    S3,
    GoogleCloud,
    Azure,
}

impl Service {
    const ALL: [Self; 3] = [Self::S3, Self::GoogleCloud, Self::Azure];

    /// Returns the scheme of its addresses, without `://`.
    pub const fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::GoogleCloud => "gs",
            Self::Azure => "az",
        }
    }
}

impl Address {
    /// Parses `file:FOLDER`, `file://FOLDER`, `FOLDER` or `SCHEME://BUCKET[/PREFIX]`.
    pub fn parse(url: &str) -> Result<Self, OpenError> {
        if !url.is_empty() && !url.contains(':') {
            return Ok(Self::Folder(PathBuf::from(url)));
        }
        if let Some(folder) = url.strip_prefix("file:") {
            return Ok(Self::Folder(PathBuf::from(folder.strip_prefix("//").unwrap_or(folder))));
        }
        let services = Service::ALL.into_iter();
        let found =
            services.filter_map(|service| Some((service, url.strip_prefix(service.scheme())?.strip_prefix(':')?)));
        match found.take(1).next() {
            Some((service, rest)) => bucket(service, rest).map(Self::Bucket),
            None => Err(OpenError::UnknownAddress(url.to_owned())),
        }
    }

    /// Returns the folder of a local store.
    pub fn folder(self) -> Result<PathBuf, OpenError> {
        match self {
            Self::Folder(folder) => Ok(folder),
            Self::Bucket(bucket) => Err(OpenError::NoLocalStore(bucket.to_string())),
        }
    }
}

/// Parses the part of a bucket's address that follows the scheme. Errors do not repeat the text: it may have a
/// password in it.
fn bucket(service: Service, rest: &str) -> Result<BucketAddress, OpenError> {
    let not_a_bucket = || OpenError::NotABucket(service.scheme());
    let rest = rest.strip_prefix("//").ok_or_else(not_a_bucket)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
    if !is_name(bucket)
        || !(prefix.is_empty() || prefix.split('/').all(|part| is_name(part) && part != "." && part != ".."))
    {
        return Err(not_a_bucket());
    }
    Ok(BucketAddress { service, bucket: bucket.to_owned(), prefix: Path::from(prefix) })
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { service, bucket, prefix } = self;
        let slash = if prefix.as_ref().is_empty() { "" } else { "/" };
        write!(f, "{}://{bucket}{slash}{prefix}", service.scheme())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_folder_or_a_bucket_with_or_without_a_prefix() {
        for (url, folder) in [
            ("file:./var/store", "./var/store"),
            ("file:///srv/store", "/srv/store"),
            ("file:/a", "/a"),
            ("var/store", "var/store"),
        ] {
            assert_eq!(Address::parse(url).expect(url), Address::Folder(folder.into()));
        }
        for (url, shown, prefix) in [
            ("s3://sports", "s3://sports", ""),
            ("s3://sports/", "s3://sports", ""),
            ("s3://sports.example/live/2026/", "s3://sports.example/live/2026", "live/2026"),
            ("gs://sports/live", "gs://sports/live", "live"),
            ("az://sports", "az://sports", ""),
        ] {
            let Address::Bucket(address) = Address::parse(url).expect(url) else { panic!("{url} is a bucket") };
            assert_eq!((address.to_string().as_str(), address.prefix.as_ref()), (shown, prefix));
        }
    }

    #[test]
    fn an_address_that_names_no_bucket_is_refused_and_not_repeated() {
        for url in [
            "s3:",
            "s3:sports",
            "s3:/sports",
            "s3://",
            "s3:///live",
            "s3://ann:secret@sports",
            "s3://sports//live",
            "s3://sports/../live",
            "s3://sports?secret=1",
            "gs://a b",
        ] {
            let refused = Address::parse(url).expect_err(url);
            assert!(matches!(refused, OpenError::NotABucket(_)), "{url}: {refused}");
            assert!(!refused.to_string().contains("secret"), "{refused}");
        }
        assert!(matches!(Address::parse("ftp://somewhere"), Err(OpenError::UnknownAddress(_))));
    }
}
