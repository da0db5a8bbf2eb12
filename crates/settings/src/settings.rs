use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::time::Duration;

use chrono::{DateTime, Utc};
use strsim::damerau_levenshtein;

use crate::byte_size::ByteSize;
use crate::connection_url::ConnectionUrl;
use crate::entry::Entry;
use crate::error::SettingsError;
use crate::left_out::LeftOut;
use crate::networks::Networks;
use crate::patience::Patience;
use crate::secret::Secret;
use crate::service_url::ServiceUrl;
use crate::shown::{Show, Shown};
use crate::sources::Sources;

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

/// Longer than the usual proxies keep their idle connections, so that no proxy sends a request to one that is being
/// closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// As long as a load balancer may take to notice.
const LONGEST_DRAIN: Duration = Duration::from_mins(5);

settings! {
    /// `[http]`: how the API is reached.
    http: Http {
        /// The listen address; port 0 takes any free port.
        bind: SocketAddr = (Ipv4Addr::LOCALHOST, 8080).into(),
            |entry| entry.parse("an address and a port, such as 127.0.0.1:8080");
        /// The address that clients see, when it is not the listen address.
        public_url: Option<ServiceUrl> = None, |entry| entry.service_url().map(Some);
        /// The proxies whose `X-Forwarded-For` is believed.
        trusted_proxies: Networks = Networks::default(),
            |entry| entry.parse("addresses and networks, such as 10.0.0.0/8, 192.0.2.7");
        /// How many threads answer requests; one a core when not set.
        workers: Option<NonZeroUsize> = None, |entry| entry.parse("a whole number above zero").map(Some);
        /// The most connections at a time.
        max_connections: NonZeroU32 = MAX_CONNECTIONS, |entry| entry.up_to(MOST_CONNECTIONS);
        /// The most connections at a time from one address that is no trusted proxy.
        max_connections_per_address: NonZeroU32 = MAX_CONNECTIONS_PER_ADDRESS, |entry| entry.up_to(MOST_CONNECTIONS);
        /// From a connection to its first byte, and from a request's first byte to the end of its head.
        head_timeout: Duration = Duration::from_secs(10), |entry| entry.duration_up_to(Patience::LONGEST);
        /// From the end of a head to the end of the body.
        body_timeout: Duration = Duration::from_secs(30), |entry| entry.duration_up_to(Patience::LONGEST);
        /// For each 64 KiB of an answer, and for what is left of it.
        answer_timeout: Duration = Duration::from_secs(30), |entry| entry.duration_up_to(Patience::LONGEST);
        /// From an answer to the next request.
        idle_timeout: Duration = IDLE_TIMEOUT, |entry| entry.duration_up_to(Patience::LONGEST);
        /// For how long a stopping server says that it is not ready before it takes no more connections.
        drain: Duration = Duration::ZERO, |entry| entry.pause_up_to(LONGEST_DRAIN);
    }
    /// `[store]`: where published data is.
    store: Store {
        /// The address of the store.
        url: ConnectionUrl = ConnectionUrl::literal("file:./var/store"), |entry| entry.connection_url(&["file", "s3", "gs", "az"]);
        /// The wait between two looks for a newer generation.
        poll_interval: Duration = Duration::from_secs(1), Entry::duration;
    }
    /// `[database]`: where customers and keys are.
    database: Database {
        /// The address of the database.
        url: ConnectionUrl = ConnectionUrl::literal("sqlite:./var/sports.db"),
            |entry| entry.connection_url(&["sqlite", "postgres", "postgresql"]);
    }
    /// `[prices]`: where prediction-market prices come from.
    prices: Prices {
        /// The base address of the Kalshi exchange; no exchange is asked when not set.
        kalshi_url: Option<ServiceUrl> = None, |entry| entry.service_url().map(Some);
    }
    /// `[limits]`: how much callers may ask.
    limits: Limits {
        /// The address of the Redis in which machines count together; each counts by itself when not set.
        redis: Option<ConnectionUrl> = None, |entry| entry.connection_url(&["redis", "rediss"]).map(Some);
        /// Calls a customer has each calendar month.
        monthly: NonZeroU64 = MONTHLY, |entry| entry.parse("a whole number above zero");
        /// Calls a customer has within any one second.
        per_second: NonZeroU32 = PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// Calls an address has within any one second where no key is asked for.
        public_per_second: NonZeroU32 = PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// Calls with a key that is not valid which an address has within any one second.
        failed_keys_per_second: NonZeroU32 = FAILED_KEYS_PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// The longest wait of a request for its turn to have an expensive answer computed.
        queue_timeout: Duration = Duration::from_secs(5), |entry| entry.duration_up_to(Patience::LONGEST);
    }
    /// `[downloads]`: links to datasets.
    downloads: Downloads {
        /// The secret that links to a local store are signed with; made and kept in the database when not set.
        secret: Option<Secret> = None, |entry| entry.secret().map(Some);
    }
    /// `[memory]`: what may be kept in memory.
    memory: Memory {
        /// The ceiling of what is kept of seasons: rows, figures and answers together.
        archives: ByteSize = ByteSize::mib(512), |entry| entry.parse("a size, such as 64MiB");
    }
    /// `[metrics]`: figures for whoever watches the service.
    metrics: Metrics {
        /// The address that Prometheus reads from; none is listened on when not set.
        bind: Option<SocketAddr> = None,
            |entry| entry.parse("an address and a port, such as 127.0.0.1:9100").map(Some);
    }
    /// `[clock]`: what time it is.
    clock: Clock {
        /// The instant the clock starts from; the machine's time when not set.
        as_of: Option<DateTime<Utc>> = None, |entry| entry.instant().map(Some);
    }
}

impl Http {
    /// The four timeouts.
    #[must_use]
    pub const fn patience(&self) -> Patience {
        Patience {
            head: self.head_timeout,
            body: self.body_timeout,
            answer: self.answer_timeout,
            idle: self.idle_timeout,
        }
    }
}

impl Settings {
    /// The defaults, overridden by every source in its order.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a file that cannot be read, or a setting that is unknown or malformed.
    pub fn load(sources: &Sources) -> Result<Self, SettingsError> {
        let entries = sources.entries(Self::KEYS)?;
        let mut settings = Self { left_out: LeftOut::by(sources.file.as_ref(), &entries), ..Self::default() };
        for entry in &entries {
            settings.apply(entry)?;
        }
        Ok(settings)
    }

    /// Checks that `database.url` or `store.url` may be used: its default may not where a configuration file was named.
    ///
    /// # Errors
    ///
    /// [`SettingsError::LeftOut`] where the file and the other sources leave it out.
    pub fn expect_place(&self, key: &str) -> Result<(), SettingsError> {
        self.left_out.as_ref().map_or(Ok(()), |left_out| left_out.expect(key))
    }

    /// Checks both, for a program that uses both.
    ///
    /// # Errors
    ///
    /// [`SettingsError::LeftOut`] as for [`expect_place`](Self::expect_place).
    pub fn expect_places(&self) -> Result<(), SettingsError> {
        self.left_out.as_ref().map_or(Ok(()), LeftOut::expect_all)
    }

    fn unknown(entry: &Entry) -> SettingsError {
        let suggestion = nearest(&entry.key).map(|key| entry.written_there(key));
        SettingsError::Unknown { key: entry.key.clone(), origin: entry.origin.clone(), suggestion, known: Self::KEYS }
    }
}

/// The setting that a name is at most two letters away from.
fn nearest(name: &str) -> Option<&'static str> {
    let typos = Settings::KEYS.iter().map(|key| (damerau_levenshtein(name, key), *key));
    typos.filter(|(typos, _)| *typos <= 2).min().map(|(_, key)| key)
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
        ("http.drain", "20s"),
        ("store.url", "file:/srv/store"),
        ("store.poll_interval", "500ms"),
        ("database.url", "sqlite:/srv/sports.db"),
        ("prices.kalshi_url", "https://external-api.kalshi.com/trade-api/v2"),
        ("limits.redis", "rediss://cache.internal:6379/0"),
        ("limits.monthly", "1000"),
        ("limits.per_second", "7"),
        ("limits.public_per_second", "100000"),
        ("limits.failed_keys_per_second", "3"),
        ("limits.queue_timeout", "2s"),
        ("downloads.secret", "thirty-two characters or more, all of them secret"),
        ("memory.archives", "64MiB"),
        ("metrics.bind", "127.0.0.1:9100"),
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
            ("http.drain", "6m", "a duration no longer than 5m"),
            ("store.url", "./var/store", "an address that starts with file: or s3: or gs: or az:"),
            ("store.url", "file:", "an address that starts with file:"),
            ("store.poll_interval", "soon", "a duration"),
            ("store.poll_interval", "0s", "a duration above zero"),
            ("database.url", "mysql://root@db", "an address that starts with sqlite: or postgres: or postgresql:"),
            ("limits.redis", "cache:6379", "an address that starts with redis: or rediss:"),
            ("metrics.bind", "9100", "an address and a port"),
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
