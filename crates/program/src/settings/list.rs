use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_accounts::Networks;
use sports_domain::printable_line;
use sports_transparency::Origin;
use strsim::damerau_levenshtein;

use crate::settings::about::About;
use crate::settings::accent::Accent;
use crate::settings::bind::Bind;
use crate::settings::byte_size::ByteSize;
use crate::settings::connection_url::{ConnectionUrl, ServiceUrl};
use crate::settings::contact::{Contact, SecurityContact, SiteName};
use crate::settings::domains::Domains;
use crate::settings::entry::{Entry, Show, Shown};
use crate::settings::error::SettingsError;
use crate::settings::origins::Origins;
use crate::settings::public_records::PublicRecords;
use crate::settings::secret::Secret;
use crate::settings::sources::{LeftOut, Sources};
use crate::settings::witnesses::{ServiceUrls, Witnesses};

/// The monthly calls included in the plan.
const MONTHLY: NonZeroU64 = NonZeroU64::new(200_000).unwrap();

/// The calls per second included in the plan, and allowed per address without a key.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(50).unwrap();

/// A limit far above the mistakes of customers behind one address, and far below what guessing a key takes.
const FAILED_KEYS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// A limit above what a person or a deployment creates at once, and below what a program with a leaked key could.
const KEY_CREATIONS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The maximum of each limit per second: the last second of each caller is stored call by call.
const MOST_PER_SECOND: u32 = 100_000;

/// The maximum number of workers that the HTTP library starts.
const MOST_WORKERS: u32 = 512;

/// A limit that takes about 100 MB if all connections are idle.
const MAX_CONNECTIONS: NonZeroU32 = NonZeroU32::new(4096).unwrap();

/// A quarter of all connections: enough for an office behind one address, without exhausting the rest.
const MAX_CONNECTIONS_PER_ADDRESS: NonZeroU32 = NonZeroU32::new(1024).unwrap();

/// The maximum number of file descriptors of a Linux process.
const MOST_CONNECTIONS: u32 = 1 << 20;

/// A timeout longer than the usual proxies keep idle connections, so that no proxy sends a request on a connection that
/// is being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// The maximum time that a load balancer may take to notice a shutdown.
const LONGEST_DRAIN: Duration = Duration::from_mins(5);

/// A timeout that leaves a publish a second for the rest, within the five seconds that it may take longer.
const ATTESTATION_TIMEOUT: Duration = Duration::from_secs(4);

/// A quiet time longer than the pauses of a transfer on an ordinary line.
const SETTLE: Duration = Duration::from_secs(3);

/// The maximum quiet time before a release folder is taken.
const LONGEST_SETTLE: Duration = Duration::from_mins(10);

/// The maximum time that a publish may spend on a witness or a timestamp server.
const LONGEST_ATTESTATION: Duration = Duration::from_mins(1);

settings! {
    /// `[http]`: the server and its connections.
    http = "http": Http {
        /// The listen address; port 0 takes any free port.
        bind: Bind = Bind::Address(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080)),
            |entry| entry.parse("an address and a port, such as 127.0.0.1:8080, or a Unix socket, such as unix:/run/sports/api.sock");
        /// The address that clients use, if it differs from the listen address.
        public_url: Option<ServiceUrl> = None, |entry| entry.service_url().map(Some);
        /// The proxies whose `X-Forwarded-For` is trusted.
        trusted_proxies: Networks = Networks::default(), Entry::networks;
        /// The number of threads that serve requests; by default one per core.
        workers: Option<NonZeroUsize> = None, |entry| entry.up_to(MOST_WORKERS).map(|most| most.try_into().ok());
        /// The maximum number of concurrent connections.
        max_connections: NonZeroU32 = MAX_CONNECTIONS, |entry| entry.up_to(MOST_CONNECTIONS);
        /// The maximum number of concurrent connections from one address that is not a trusted proxy.
        max_connections_per_address: NonZeroU32 = MAX_CONNECTIONS_PER_ADDRESS, |entry| entry.up_to(MOST_CONNECTIONS);
        /// The time from a connection to its first byte, and from a request's first byte to the end of its head.
        head_timeout: Duration = Duration::from_secs(10), |entry| entry.duration_up_to(ConnectionTimeouts::LONGEST);
        /// The time from the end of a head to the end of the body.
        body_timeout: Duration = Duration::from_secs(30), |entry| entry.duration_up_to(ConnectionTimeouts::LONGEST);
        /// The time for each 64 KiB of a response, and for its remainder.
        answer_timeout: Duration = Duration::from_secs(30), |entry| entry.duration_up_to(ConnectionTimeouts::LONGEST);
        /// The time from a response to the next request.
        idle_timeout: Duration = IDLE_TIMEOUT, |entry| entry.duration_up_to(ConnectionTimeouts::LONGEST);
        /// The time for which a stopping server reports that it is not ready before it refuses connections.
        drain: Duration = Duration::ZERO, |entry| entry.pause_up_to(LONGEST_DRAIN);
        /// The way to reach the operator, which the page shows to people without a key.
        contact: Option<Contact> = None, |entry| entry.contact().map(Some);
        /// The addresses of `/.well-known/security.txt`; by default there is no such file.
        security_contact: Option<SecurityContact> = None, |entry| entry.security_contact().map(Some);
        /// The origins of pages that may show a figure of the page in a frame.
        frame_ancestors: Origins = Origins::default(),
            |entry| entry.parse("origins separated by commas, such as https://blog.example.com");
    }
    /// `[http.tls]`: encryption of connections.
    tls = "http.tls": Tls {
        /// The file with the certificate and those above it, in PEM; by default connections are not encrypted.
        certificate: Option<PathBuf> = None, |entry| entry.path().map(Some);
        /// The file with the key of the certificate, in PEM.
        key: Option<PathBuf> = None, |entry| entry.path().map(Some);
    }
    /// `[http.tls.acme]`: a certificate from an authority that checks the domains by itself (TLS-ALPN-01).
    acme = "http.tls.acme": Acme {
        /// The domains of the certificate; by default none is requested.
        domains: Domains = Domains::default(), |entry| entry.parse("domains separated by commas, such as api.example.com");
        /// The addresses that the authority may write to, such as `mailto:operator@example.com`.
        contact: Option<SecurityContact> = None, |entry| entry.security_contact().map(Some);
        /// The folder of the account and the certificate.
        folder: PathBuf = PathBuf::from("./var/acme"), |entry| entry.path();
        /// The directory of the authority; by default that of Let's Encrypt.
        directory: Option<ServiceUrl> = None, |entry| entry.service_url().map(Some);
    }
    /// `[store]`: the location of published data.
    store = "store": Store {
        /// The address of the store, or a folder.
        url: ConnectionUrl = ConnectionUrl::literal("file:./var/store"), |entry| entry.store_url();
        /// The interval between polls for a newer generation.
        poll_interval: Duration = Duration::from_secs(1), Entry::duration;
    }
    /// `[database]`: the location of customers and keys.
    database = "database": Database {
        /// The address of the database.
        url: ConnectionUrl = ConnectionUrl::literal("sqlite:./var/sports.db"),
            |entry| entry.connection_url(&["sqlite", "postgres", "postgresql"]);
    }
    /// `[prices]`: the source of prediction-market prices.
    prices = "prices": Prices {
        /// The base address of the Kalshi exchange; by default no exchange is used.
        kalshi_url: Option<ServiceUrl> = None, |entry| entry.service_url().map(Some);
    }
    /// `[watch]`: the inbox of `sportsctl watch`.
    watch = "watch": Watch {
        /// The time for which a release folder must not change before it is taken.
        settle: Duration = SETTLE, |entry| entry.duration_up_to(LONGEST_SETTLE);
    }
    /// `[receive]`: the publishers' door, `sportsctl receive`.
    receive = "receive": Receive {
        /// The folder of its tokens, its log and the uploads at work; by default that of `record.key_file`.
        folder: Option<PathBuf> = None, |entry| entry.path().map(Some);
    }
    /// `[record]`: signatures of the record, and others who attest to its time.
    record = "record": Record {
        /// The common name of the logs; by default made of `http.public_url`.
        origin: Option<Origin> = None, |entry| entry.origin().map(Some);
        /// The file with the seed of the signing key; by default nothing is signed.
        key_file: Option<PathBuf> = None, |entry| entry.path().map(Some);
        /// The witnesses: the key and the address of each.
        witnesses: Witnesses = Witnesses::default(), Entry::witnesses;
        /// The addresses of RFC 3161 servers.
        timestamps: ServiceUrls = ServiceUrls::default(), Entry::service_urls;
        /// The maximum time of all requests to one witness or server together.
        timeout: Duration = ATTESTATION_TIMEOUT, |entry| entry.duration_up_to(LONGEST_ATTESTATION);
        /// The leagues whose record is open without a key; by default none.
        public: PublicRecords = PublicRecords::default(), Entry::public_records;
    }
    /// `[site]`: what the page and the cards say about the publisher.
    site = "site": Site {
        /// The name of the site.
        name: Option<SiteName> = None, |entry| entry.site_name().map(Some);
        /// The text about it, in Markdown.
        about: Option<About> = None, |entry| entry.about().map(Some);
        /// The way to reach the publisher; by default `http.contact`.
        contact: Option<Contact> = None, |entry| entry.contact().map(Some);
        /// The file of its picture.
        logo: Option<PathBuf> = None, |entry| entry.path().map(Some);
        /// The colour of its marks and rules.
        accent: Option<Accent> = None, |entry| entry.accent().map(Some);
    }
    /// `[limits]`: the limits on callers.
    limits = "limits": Limits {
        /// The address of the Redis that holds the nodes' shared counts; by default each node counts alone.
        redis: Option<ConnectionUrl> = None, |entry| entry.connection_url(&["redis", "rediss"]).map(Some);
        /// The calls of a customer per calendar month.
        monthly: NonZeroU64 = MONTHLY, |entry| entry.parse("a whole number above zero");
        /// The calls of a customer within any one second.
        per_second: NonZeroU32 = PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// The calls of an address within any one second on endpoints without a key.
        public_per_second: NonZeroU32 = PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// The calls with an invalid key of an address within any one second.
        failed_keys_per_second: NonZeroU32 = FAILED_KEYS_PER_SECOND, |entry| entry.up_to(MOST_PER_SECOND);
        /// The keys that a customer can create within any one minute.
        key_creations_per_minute: NonZeroU32 = KEY_CREATIONS_PER_MINUTE, |entry| entry.up_to(MOST_PER_SECOND);
        /// The maximum time that a request queues for an expensive computation.
        queue_timeout: Duration = Duration::from_secs(5), |entry| entry.duration_up_to(ConnectionTimeouts::LONGEST);
    }
    /// `[downloads]`: links to datasets.
    downloads = "downloads": Downloads {
        /// The secret that signs links to a local store; by default generated and stored in the database.
        secret: Option<Secret> = None, |entry| entry.secret().map(Some);
    }
    /// `[webhooks]`: where deliveries to customers' webhooks may go. The defaults suit a server on the internet.
    webhooks = "webhooks": WebhookNetworks {
        /// True to accept addresses of HTTP; for tests.
        allow_http: bool = false, |entry| entry.parse("true or false");
        /// The networks that deliveries may go to although they are not public; for tests.
        allow_networks: Networks = Networks::default(), |entry| entry.parse("addresses and networks, such as 127.0.0.0/8, 10.0.0.7");
    }
    /// `[memory]`: the limits of caches in memory.
    memory = "memory": Memory {
        /// The maximum memory for seasons: rows, figures and answers together.
        archives: ByteSize = ByteSize::mib(512), |entry| entry.parse("a size, such as 64MiB");
    }
    /// `[metrics]`: metrics for operators.
    metrics = "metrics": Metrics {
        /// The listen address for Prometheus; by default no address.
        bind: Option<SocketAddr> = None,
            |entry| entry.parse("an address and a port, such as 127.0.0.1:9100").map(Some);
    }
    /// `[log]`: the access log.
    log = "log": Log {
        /// True if lines have the network of the client.
        client_network: bool = true, |entry| entry.parse("true or false");
    }
    /// `[clock]`: the source of time.
    clock = "clock": Clock {
        /// The instant at which the clock starts; by default the machine's time.
        as_of: Option<DateTime<Utc>> = None, |entry| entry.instant().map(Some);
    }
}

impl Http {
    /// Returns the four timeouts.
    pub const fn connection_timeouts(&self) -> ConnectionTimeouts {
        ConnectionTimeouts {
            head: self.head_timeout,
            body: self.body_timeout,
            answer: self.answer_timeout,
            idle: self.idle_timeout,
        }
    }
}

impl Settings {
    /// Returns the common name of the logs: `record.origin`, else `http.public_url` without its scheme, and the path of
    /// the record. `None` if neither is set.
    pub fn record_origin(&self) -> Option<Origin> {
        let public = || {
            let (_, address) = self.http.public_url.as_ref()?.as_str().split_once("://")?;
            format!("{address}/api/v1/record").parse().ok()
        };
        self.record.origin.clone().or_else(public)
    }

    /// Loads the settings: the defaults, overridden by every source in its order.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if a file cannot be read, or a setting is unknown or malformed.
    pub fn load(sources: &Sources) -> Result<Self, SettingsError> {
        let entries = sources.entries(Self::KEYS)?;
        let mut settings = Self { left_out: LeftOut::by(sources.file.as_ref(), &entries), ..Self::default() };
        for entry in &entries {
            settings.apply(entry)?;
        }
        Ok(settings)
    }

    /// Checks that `database.url` or `store.url` may be used: its default is refused if a configuration file was named.
    ///
    /// # Errors
    ///
    /// [`SettingsError::LeftOut`] if the file and the other sources leave the setting out.
    pub fn expect_place(&self, key: &str) -> Result<(), SettingsError> {
        self.left_out.as_ref().map_or(Ok(()), |left_out| left_out.expect(key))
    }

    /// Checks both settings, for a program that uses both.
    ///
    /// # Errors
    ///
    /// [`SettingsError::LeftOut`] as for [`expect_place`](Self::expect_place).
    pub fn expect_places(&self) -> Result<(), SettingsError> {
        self.left_out.as_ref().map_or(Ok(()), LeftOut::expect_all)
    }

    /// Checks that a server with an open record has the address that others know it by.
    ///
    /// # Errors
    ///
    /// [`SettingsError::NoPublicUrl`] with `record.public` and without `http.public_url`.
    pub fn expect_public_url(&self) -> Result<(), SettingsError> {
        let is_missing = !self.record.public.is_empty() && self.http.public_url.is_none();
        if is_missing { Err(SettingsError::NoPublicUrl) } else { Ok(()) }
    }

    fn unknown(entry: &Entry) -> SettingsError {
        let suggestion = nearest(&entry.key).map(|key| entry.in_source_notation(key));
        let [key, origin] = [&entry.key, &entry.origin].map(|text| printable_line(text).into_owned());
        SettingsError::Unknown { key, origin, suggestion, known: Self::KEYS }
    }
}

/// Returns the setting that differs from a name by at most two typing errors.
fn nearest(name: &str) -> Option<&'static str> {
    let typos = Settings::KEYS.iter().map(|key| (damerau_levenshtein(name, key), *key));
    typos.filter(|(typos, _)| *typos <= 2).min().map(|(_, key)| key)
}

/// The timeouts for clients, after which a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// The time from the connection to its first byte, and from a request's first byte to the end of its head.
    pub head: Duration,
    /// The time from the end of a head to the end of the body.
    pub body: Duration,
    /// The time for each 64 KiB of a response, and for its remainder.
    pub answer: Duration,
    /// The time from a response to the next request.
    pub idle: Duration,
}

impl ConnectionTimeouts {
    /// The maximum of each timeout.
    pub const LONGEST: Duration = Duration::from_secs(90);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A witness, whose key has the base point of the curve.
    const WITNESS: &str =
        "witness.example/1+ca4e34b1+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://witness.example.com/prefix";

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
        ("http.contact", "keys@example.com"),
        ("http.security_contact", "mailto:security@example.com, https://example.com/report"),
        ("http.frame_ancestors", "https://blog.example.com, http://localhost:8000"),
        ("http.tls.certificate", "/etc/sports/certificate.pem"),
        ("http.tls.key", "/etc/sports/key.pem"),
        ("http.tls.acme.domains", "api.example.com, example.com"),
        ("http.tls.acme.contact", "mailto:operator@example.com"),
        ("http.tls.acme.folder", "/srv/acme"),
        ("http.tls.acme.directory", "https://acme.example.com/directory"),
        ("store.url", "file:/srv/store"),
        ("store.poll_interval", "500ms"),
        ("database.url", "sqlite:/srv/sports.db"),
        ("prices.kalshi_url", "https://external-api.kalshi.com/trade-api/v2"),
        ("watch.settle", "10s"),
        ("receive.folder", "/srv/receive"),
        ("record.origin", "example.com/api/v1/record"),
        ("record.key_file", "/srv/record.key"),
        ("record.witnesses", WITNESS),
        ("record.timestamps", "http://timestamps.example.com, https://tsa.example.com/tsr"),
        ("record.timeout", "2s"),
        ("record.public", "nba=finished, nfl=all"),
        ("site.name", "Ann's picks"),
        ("site.about", "One *model*, [checked](https://example.com)."),
        ("site.contact", "ann@example.com"),
        ("site.logo", "/etc/sports/logo.png"),
        ("site.accent", "#4475f6"),
        ("limits.redis", "rediss://cache.internal:6379/0"),
        ("limits.monthly", "1000"),
        ("limits.per_second", "7"),
        ("limits.public_per_second", "100000"),
        ("limits.failed_keys_per_second", "3"),
        ("limits.key_creations_per_minute", "2"),
        ("limits.queue_timeout", "2s"),
        ("downloads.secret", "thirty-two characters or more, all of them secret"),
        ("webhooks.allow_http", "true"),
        ("webhooks.allow_networks", "127.0.0.0/8, 10.0.0.7"),
        ("memory.archives", "64MiB"),
        ("metrics.bind", "127.0.0.1:9100"),
        ("log.client_network", "false"),
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
            ("http.bind", "unix:", "a Unix socket, such as unix:/run/sports/api.sock"),
            ("http.tls.acme.domains", "*.example.com", "domains separated by commas"),
            ("http.frame_ancestors", "https://*.example.com", "origins separated by commas"),
            ("http.public_url", "api.example.com", "an address that starts with https:// or http://"),
            ("http.public_url", "https://api.example.com?x=1", "; this one has a query"),
            ("http.public_url", "https://", "; this one has no host"),
            ("http.trusted_proxies", "10.0.0.0/33", "addresses and networks"),
            ("http.trusted_proxies", "the proxy", "addresses and networks"),
            ("http.trusted_proxies", "0.0.0.0/0", "the addresses of your proxies; 0.0.0.0/0 is wider than /8 (IPv4)"),
            ("http.contact", "two\nlines", "one line of at most 200 characters"),
            ("http.security_contact", "security@example.com", "addresses that start with mailto: or https://"),
            ("http.contact", "keys\u{202e}@example.com", "without U+202E at character 5"),
            ("limits.monthly", "0", "a whole number above zero"),
            ("limits.monthly", "many", "a whole number above zero"),
            ("limits.per_second", "0", "a whole number from 1 to 100000"),
            ("limits.per_second", "100001", "a whole number from 1 to 100000"),
            ("limits.public_per_second", "-1", "a whole number from 1 to 100000"),
            ("limits.failed_keys_per_second", "0", "a whole number from 1 to 100000"),
            ("downloads.secret", "short", "at least 32 characters"),
            ("downloads.secret", &"s3cret".repeat(9), "characters that cannot be guessed"),
            ("webhooks.allow_http", "yes", "true or false"),
            ("webhooks.allow_networks", "localhost", "addresses and networks, such as 127.0.0.0/8"),
            ("http.workers", "0", "a whole number from 1 to 512"),
            ("http.workers", "513", "a whole number from 1 to 512"),
            ("http.max_connections", "0", "a whole number from 1 to 1048576"),
            ("http.max_connections_per_address", "all", "a whole number from 1 to 1048576"),
            ("http.head_timeout", "0s", "a duration above zero and no longer than 1m 30s"),
            ("http.body_timeout", "91s", "a duration above zero and no longer than 1m 30s"),
            ("http.answer_timeout", "30", "a duration above zero and no longer than 1m 30s"),
            ("http.idle_timeout", "2h", "a duration above zero and no longer than 1m 30s"),
            ("http.drain", "6m", "a duration no longer than 5m"),
            ("store.url", "ftp://host/store", "an address that starts with file: or s3:// or gs:// or az://"),
            ("store.url", "file:", "an address that starts with file:"),
            ("store.poll_interval", "soon", "a duration"),
            ("store.poll_interval", "0s", "a duration above zero"),
            ("database.url", "mysql://root@db", "an address that starts with sqlite: or postgres:// or postgresql://"),
            ("limits.redis", "cache:6379", "an address that starts with redis:// or rediss://"),
            ("metrics.bind", "9100", "an address and a port"),
            ("log.client_network", "no", "true or false"),
            ("prices.kalshi_url", "external-api.kalshi.com", "an address that starts with https:// or http://"),
            ("prices.kalshi_url", "https://market.example.com/#v2", "; this one has a fragment"),
            ("prices.kalshi_url", "https://market.example.com/v 2", "; this one has a blank"),
            ("watch.settle", "11m", "a duration above zero and no longer than 10m"),
            ("record.origin", "https://example.com/record", "an address without a scheme"),
            ("record.origin", "example.com/a+b", "an address without spaces, +"),
            ("record.origin", "example.com/a b", "an address without spaces, +"),
            ("record.key_file", "", "the path of a file"),
            ("record.witnesses", "https://witness.example.com", "VKEY@URL"),
            ("record.witnesses", "name+00000000+AAAA@https://witness.example.com", "the id 00000000 does not match"),
            ("record.witnesses", "name+bd7d4dff+BgAA@https://witness.example.com", "ML-DSA-44"),
            (
                "record.witnesses",
                "example.com/nfl+789ed626+AVhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://witness.example.com",
                "this is the key of a log",
            ),
            (
                "record.witnesses",
                "witness.example/1+ca4e34b1+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://witness.example.com?x=1",
                "; this one has a query",
            ),
            (
                "record.witnesses",
                "witness.example/1+ca4e34b1+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://a.example, witness.example/1+ca4e34b1+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm@https://b.example",
                "twice",
            ),
            ("record.timestamps", "timestamps.example.com", "an address that starts with https:// or http://"),
            ("record.timestamps", "http://a.example, http://a.example", "twice"),
            ("record.timeout", "0s", "a duration above zero and no longer than 1m"),
            ("record.public", "nfl", "leagues with `none`, `finished` or `all`"),
            ("record.public", "xfl=all", "leagues with `none`, `finished` or `all`"),
            ("record.public", "nfl=yes", "leagues with `none`, `finished` or `all`"),
            ("record.public", "nfl=all, NFL=none", "each once"),
            ("site.name", "", "a name in one line, such as Ann's picks: a text of 1 to 60 characters"),
            ("site.name", "two\nlines", "without U+000A at character 4"),
            ("site.about", "<script>alert(1)</script>", "HTML: write it as Markdown"),
            ("site.about", "![x](https://example.com/x.png)", "an image: set `site.logo`"),
            ("site.about", &"x".repeat(100_000), "this one has 100000: shorten it"),
            ("site.contact", "two\nlines", "one line of at most 200 characters"),
            ("site.logo", "", "the path of a file"),
            ("site.accent", "#ffd700", "take a darker one"),
            ("site.accent", "gold", "a colour as #rrggbb"),
            ("record.timeout", "2m", "a duration above zero and no longer than 1m"),
            ("memory.archives", "plenty", "a size"),
            ("clock.as_of", "yesterday", "an RFC 3339 instant"),
            ("clock.as_of", "1899-12-31T23:59:59Z", "in the years 1900 to 2200"),
            ("clock.as_of", "+262142-12-31T23:00:00Z", "in the years 1900 to 2200"),
        ];
        for (key, value, expected) in table {
            let message = one(key, value).expect_err(key).to_string();
            let variable = format!("SPORTS_{}", key.to_uppercase().replace('.', "__"));
            assert!(message.starts_with(&format!("environment variable {variable}: `{key}`")), "{message}");
            assert!(message.contains(expected) && message.len() < 1_000, "{message}");
        }
    }

    #[test]
    fn a_contact_with_an_api_key_is_refused() {
        let key = sports_accounts::ApiKey::from_random([7; 32]);
        for setting in ["http.contact", "http.security_contact", "site.contact", "site.name", "site.about"] {
            let address = format!("https://example.com/{}", key.reveal());
            let message = one(setting, &address).expect_err(setting).to_string();
            assert!(message.contains("the text contains an API key") && !message.contains(key.reveal()), "{message}");
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
