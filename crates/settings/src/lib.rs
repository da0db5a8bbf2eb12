#![doc = include_str!("../README.md")]

mod byte_size;
mod connection_url;
mod display;
mod error;
mod networks;
mod secret;
mod service_url;
mod sources;

use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::time::Duration;

use chrono::{DateTime, Utc};

pub use byte_size::{ByteSize, NotAByteSize};
pub use connection_url::{ConnectionUrl, NotAnAddress};
pub use error::SettingsError;
pub use networks::{Networks, NotANetwork};
pub use secret::{Secret, TooShort};
pub use service_url::{NotABaseAddress, ServiceUrl};
use sources::Entry;
pub use sources::{Flag, Sources};

/// Everything an operator can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `[http]`: how the API is reached.
    pub http: Http,
    /// `[store]`: where published data lives.
    pub store: Store,
    /// `[database]`: where customers and keys live.
    pub database: Database,
    /// `[prices]`: where prediction-market prices come from.
    pub prices: Prices,
    /// `[limits]`: how much callers may ask.
    pub limits: Limits,
    /// `[downloads]`: links to datasets.
    pub downloads: Downloads,
    /// `[memory]`: what may be kept in memory.
    pub memory: Memory,
    /// `[clock]`: what time it is.
    pub clock: Clock,
}

/// How the API is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    /// The listen address; port 0 takes any free port.
    pub bind: SocketAddr,
    /// The address that clients see, when it is not the listen address.
    pub public_url: Option<ServiceUrl>,
    /// Whose word about a client's address is taken.
    pub trusted_proxies: Networks,
    /// How many threads answer requests; one a core when not set.
    pub workers: Option<NonZeroUsize>,
    /// The most connections at a time.
    pub max_connections: NonZeroU32,
    /// The most connections at a time from one address that is no trusted proxy.
    pub max_connections_per_address: NonZeroU32,
    /// How long a client is waited for, wherever it can make the server wait.
    pub patience: Patience,
}

/// How long a client is waited for before its connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the connection to its first byte, and from a request's first byte to the end of its head.
    pub head: Duration,
    /// From the end of a head to the end of the body.
    pub body: Duration,
    /// For each 64 KiB of an answer, and for what is left of it.
    pub answer: Duration,
    /// From an answer to the next request.
    pub idle: Duration,
}

impl Patience {
    /// The longest that any of them may be.
    pub const LONGEST: Duration = Duration::from_secs(90);
}

/// Where published data lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its address.
    pub url: ConnectionUrl,
    /// The wait between two looks for a newer generation.
    pub poll_interval: Duration,
}

/// Where customers and keys live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// Its address.
    pub url: ConnectionUrl,
}

/// Where prediction-market prices come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The base address of the Kalshi exchange; nobody is asked when not set.
    pub kalshi_url: Option<ServiceUrl>,
}

/// How much callers may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls a customer has each calendar month.
    pub monthly: NonZeroU64,
    /// Calls a customer has within any one second.
    pub per_second: NonZeroU32,
    /// Calls an address has within any one second where no key is asked for.
    pub public_per_second: NonZeroU32,
    /// Calls with a key that is not valid which an address has within any one second.
    pub failed_keys_per_second: NonZeroU32,
}

/// Links to datasets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloads {
    /// What signs links to a local store; made and kept in the database when not set.
    pub secret: Option<Secret>,
}

/// What may be kept in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The ceiling of what is kept of seasons: rows, figures and answers together.
    pub archives: ByteSize,
}

/// What time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The instant the clock starts from; the machine's time when not set.
    pub as_of: Option<DateTime<Utc>>,
}

/// What the plan sells: 200,000 calls a month.
const MONTHLY: NonZeroU64 = NonZeroU64::new(200_000).unwrap();

/// And 50 of them a second, as many as an address without a key has.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(50).unwrap();

/// Far more mistakes than customers make behind one address, and far fewer than guessing takes.
const FAILED_KEYS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Each caller's last second is kept call by call, so it cannot be endless.
const MOST_PER_SECOND: u32 = 100_000;

/// Some 100 MB where all of them are idle.
const MAX_CONNECTIONS: NonZeroU32 = NonZeroU32::new(4096).unwrap();

/// A quarter of all: an office behind one address has enough, and no address has everything.
const MAX_CONNECTIONS_PER_ADDRESS: NonZeroU32 = NonZeroU32::new(1024).unwrap();

/// As many as there are descriptors in a process of Linux at most.
const MOST_CONNECTIONS: u32 = 1 << 20;

/// Idle connections are kept for longer than the usual proxies keep theirs, so that no proxy sends a request to one that
/// is being closed.
const PATIENCE: Patience = Patience {
    head: Duration::from_secs(10),
    body: Duration::from_secs(30),
    answer: Duration::from_secs(30),
    idle: Duration::from_secs(75),
};

impl Default for Settings {
    fn default() -> Self {
        Self {
            http: Http {
                bind: (Ipv4Addr::LOCALHOST, 8080).into(),
                public_url: None,
                trusted_proxies: Networks::default(),
                workers: None,
                max_connections: MAX_CONNECTIONS,
                max_connections_per_address: MAX_CONNECTIONS_PER_ADDRESS,
                patience: PATIENCE,
            },
            store: Store { url: ConnectionUrl::literal("file:./var/store"), poll_interval: Duration::from_secs(1) },
            database: Database { url: ConnectionUrl::literal("sqlite:./var/sports.db") },
            prices: Prices { kalshi_url: None },
            limits: Limits {
                monthly: MONTHLY,
                per_second: PER_SECOND,
                public_per_second: PER_SECOND,
                failed_keys_per_second: FAILED_KEYS_PER_SECOND,
            },
            downloads: Downloads { secret: None },
            memory: Memory { archives: ByteSize::mib(512) },
            clock: Clock { as_of: None },
        }
    }
}

impl Settings {
    /// The name of every setting.
    pub const KEYS: [&str; 21] = [
        "http.bind",
        "http.public_url",
        "http.trusted_proxies",
        "http.workers",
        "http.max_connections",
        "http.max_connections_per_address",
        "http.head_timeout",
        "http.body_timeout",
        "http.answer_timeout",
        "http.idle_timeout",
        "store.url",
        "store.poll_interval",
        "database.url",
        "prices.kalshi_url",
        "limits.monthly",
        "limits.per_second",
        "limits.public_per_second",
        "limits.failed_keys_per_second",
        "downloads.secret",
        "memory.archives",
        "clock.as_of",
    ];

    /// The defaults, overridden by every source in its order.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a file that cannot be read, or a setting that is unknown or malformed.
    pub fn load(sources: &Sources) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for entry in sources.entries()? {
            settings.apply(&entry)?;
        }
        Ok(settings)
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), SettingsError> {
        match entry.key.as_str() {
            "http.bind" => self.http.bind = entry.parse("an address and a port, such as 127.0.0.1:8080")?,
            "http.public_url" => self.http.public_url = Some(entry.service_url()?),
            "http.trusted_proxies" => {
                self.http.trusted_proxies = entry.parse("addresses and networks, such as 10.0.0.0/8, 192.0.2.7")?;
            }
            "http.workers" => self.http.workers = Some(entry.parse("a whole number above zero")?),
            "http.max_connections" => self.http.max_connections = entry.up_to(MOST_CONNECTIONS)?,
            "http.max_connections_per_address" => {
                self.http.max_connections_per_address = entry.up_to(MOST_CONNECTIONS)?;
            }
            "http.head_timeout" => self.http.patience.head = entry.duration_up_to(Patience::LONGEST)?,
            "http.body_timeout" => self.http.patience.body = entry.duration_up_to(Patience::LONGEST)?,
            "http.answer_timeout" => self.http.patience.answer = entry.duration_up_to(Patience::LONGEST)?,
            "http.idle_timeout" => self.http.patience.idle = entry.duration_up_to(Patience::LONGEST)?,
            "store.url" => self.store.url = entry.connection_url(&["file"])?,
            "store.poll_interval" => self.store.poll_interval = entry.duration()?,
            "database.url" => self.database.url = entry.connection_url(&["sqlite"])?,
            "prices.kalshi_url" => self.prices.kalshi_url = Some(entry.service_url()?),
            "limits.monthly" => self.limits.monthly = entry.parse("a whole number above zero")?,
            "limits.per_second" => self.limits.per_second = entry.up_to(MOST_PER_SECOND)?,
            "limits.public_per_second" => self.limits.public_per_second = entry.up_to(MOST_PER_SECOND)?,
            "limits.failed_keys_per_second" => {
                self.limits.failed_keys_per_second = entry.up_to(MOST_PER_SECOND)?;
            }
            "downloads.secret" => self.downloads.secret = Some(entry.secret()?),
            "memory.archives" => self.memory.archives = entry.parse("a size, such as 64MiB")?,
            "clock.as_of" => self.clock.as_of = Some(entry.instant()?),
            _ => return Err(SettingsError::unknown(entry)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: [(&str, &str); Settings::KEYS.len()] = [
        ("http.bind", "0.0.0.0:0"),
        ("http.public_url", "https://api.example.com"),
        ("http.trusted_proxies", "10.0.0.0/8, 192.0.2.7, 2001:db8::/32"),
        ("http.workers", "2"),
        ("http.max_connections", "500"),
        ("http.max_connections_per_address", "50"),
        ("http.head_timeout", "5s"),
        ("http.body_timeout", "1m 30s"),
        ("http.answer_timeout", "20s"),
        ("http.idle_timeout", "15s"),
        ("store.url", "file:/srv/store"),
        ("store.poll_interval", "500ms"),
        ("database.url", "sqlite:/srv/sports.db"),
        ("prices.kalshi_url", "https://external-api.kalshi.com/trade-api/v2"),
        ("limits.monthly", "1000"),
        ("limits.per_second", "7"),
        ("limits.public_per_second", "100000"),
        ("limits.failed_keys_per_second", "3"),
        ("downloads.secret", "thirty-two characters or more, all of them secret"),
        ("memory.archives", "64MiB"),
        ("clock.as_of", "2024-11-24T15:00:00Z"),
    ];

    fn one(key: &str, value: &str) -> Result<Settings, SettingsError> {
        let name = format!("SPORTS_{}", key.to_uppercase().replace('.', "__"));
        Settings::load(&Sources { environment: vec![(name.into(), value.into())], ..Sources::default() })
    }

    #[test]
    fn every_key_can_be_set_and_changes_something() {
        assert_eq!(GOOD.map(|(key, _)| key), Settings::KEYS);
        for (key, value) in GOOD {
            let settings = one(key, value).expect(key);
            assert_ne!(settings, Settings::default(), "{key}");
            let is_secret = key == "downloads.secret";
            assert_eq!(settings.to_string().contains(value), !is_secret, "{settings}");
            assert!(!format!("{settings:?}").contains("all of them secret"), "{settings:?}");
        }
    }

    #[test]
    fn a_bad_value_is_refused_with_its_name_its_source_and_what_was_expected() {
        let table = [
            ("http.bind", "8080", "an address and a port"),
            ("http.public_url", "api.example.com", "an address that starts with https: or http:"),
            ("http.public_url", "https://api.example.com?x=1", "; this one has a query"),
            ("http.public_url", "https://", "; this one has no host"),
            ("http.trusted_proxies", "10.0.0.0/33", "addresses and networks"),
            ("http.trusted_proxies", "the proxy", "addresses and networks"),
            ("limits.monthly", "0", "a whole number above zero"),
            ("limits.monthly", "many", "a whole number above zero"),
            ("limits.per_second", "0", "a whole number from 1 to 100000"),
            ("limits.per_second", "100001", "a whole number from 1 to 100000"),
            ("limits.public_per_second", "-1", "a whole number from 1 to 100000"),
            ("limits.failed_keys_per_second", "0", "a whole number from 1 to 100000"),
            ("downloads.secret", "short", "at least 32 characters"),
            ("http.workers", "0", "a whole number above zero"),
            ("http.max_connections", "0", "a whole number from 1 to 1048576"),
            ("http.max_connections_per_address", "all", "a whole number from 1 to 1048576"),
            ("http.head_timeout", "0s", "a duration above zero and no longer than 1m 30s"),
            ("http.body_timeout", "91s", "a duration above zero and no longer than 1m 30s"),
            ("http.answer_timeout", "30", "a duration above zero and no longer than 1m 30s"),
            ("http.idle_timeout", "2h", "a duration above zero and no longer than 1m 30s"),
            ("store.url", "./var/store", "an address that starts with file:"),
            ("store.url", "file:", "an address that starts with file:"),
            ("store.poll_interval", "soon", "a duration"),
            ("store.poll_interval", "0s", "a duration above zero"),
            ("database.url", "mysql://root@db", "an address that starts with sqlite:"),
            ("prices.kalshi_url", "external-api.kalshi.com", "an address that starts with https: or http:"),
            ("prices.kalshi_url", "https://market.example.com/#v2", "; this one has a fragment"),
            ("prices.kalshi_url", "https://market.example.com/v 2", "; this one has a blank"),
            ("memory.archives", "plenty", "a size"),
            ("clock.as_of", "yesterday", "an RFC 3339 instant"),
            ("clock.as_of", "1899-12-31T23:59:59Z", "in the years 1900 to 2200"),
            ("clock.as_of", "+262142-12-31T23:00:00Z", "in the years 1900 to 2200"),
        ];
        for (key, value, expected) in table {
            let message = one(key, value).expect_err(key).to_string();
            let variable = format!("SPORTS_{}", key.to_uppercase().replace('.', "__"));
            assert!(message.starts_with(&format!("environment variable {variable}: `{key}`")), "{message}");
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_refused_secret_is_not_repeated() {
        let message = one("downloads.secret", "hunter2").expect_err("too short").to_string();
        assert!(message.contains("cannot be `*****`") && !message.contains("hunter2"), "{message}");
    }

    #[test]
    fn an_unknown_setting_is_refused_and_the_known_ones_are_named() {
        let message = one("http.bnid", "127.0.0.1:1").expect_err("no such key").to_string();
        assert!(message.contains("environment variable SPORTS_HTTP__BNID: `http.bnid` is not a setting"), "{message}");
        for key in Settings::KEYS {
            assert!(message.contains(key), "{message}");
        }
    }
}
