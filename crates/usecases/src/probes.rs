//! Probes of the parts that the service depends on, and of its progress in the log.

mod health;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, OptionFuture};
use sports_ports::publication::PublicationLog;
use sports_ports::{PortError, in_one_line};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::record::{CurrentGenerations, StoreStatus};

pub use health::{HealthState, PartHealth, ServiceHealth};

/// A probe of one part.
pub type Ping = Box<dyn Fn() -> BoxFuture<'static, Result<(), PortError>> + Send + Sync>;

/// The probes of the database.
pub struct DatabasePings {
    pub reading: Ping,
    pub writing: Ping,
}

/// A function that reads a part's restriction from memory; `None` without one.
pub type RestrictionCheck = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// The checks of parts that may work with restrictions.
pub struct RestrictionChecks {
    /// The disk of the database.
    pub database: Option<RestrictionCheck>,
    /// The date of the service and the system clock.
    pub clock: RestrictionCheck,
    /// The configuration of the limits that nodes share.
    pub limits: Option<RestrictionCheck>,
    /// The settings of this node and of the others.
    pub settings: Option<RestrictionCheck>,
}

/// The current restrictions of parts: sentences for the operator, without secrets.
#[derive(Debug, Clone, Default)]
pub struct Restrictions {
    /// The disk of the database.
    pub database: Option<String>,
    /// The date of the service and the system clock.
    pub clock: Option<String>,
    /// The configuration of the limits that nodes share.
    pub limits: Option<String>,
    /// The settings of this node and of the others.
    pub settings: Option<String>,
}

impl RestrictionChecks {
    fn run(&self) -> Restrictions {
        let of = |check: &Option<RestrictionCheck>| check.as_ref().and_then(|check| check());
        Restrictions {
            database: of(&self.database),
            clock: (self.clock)(),
            limits: of(&self.limits),
            settings: of(&self.settings),
        }
    }
}

/// The probes of all parts but the store.
pub struct Pings {
    /// The probes of the database.
    pub database: DatabasePings,
    /// The limits that nodes share, if there are any.
    pub limits: Option<Ping>,
    pub restrictions: RestrictionChecks,
}

/// Probes all parts. A result is valid for a second, so the health routes can be public.
pub struct Probes {
    pings: Pings,
    object_storage: Arc<dyn PublicationLog>,
    generations: Arc<CurrentGenerations>,
    latest: Mutex<Option<(Instant, Checkup)>>,
}

/// The state of all parts.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// A read of the database of customers and keys.
    pub database: ProbeResult,
    /// A write to that database.
    pub writing: ProbeResult,
    /// The store of published data.
    pub object_storage: ProbeResult,
    /// The limits that nodes share, if there are any.
    pub limits: Option<ProbeResult>,
    /// The progress in the log.
    pub log: StoreStatus,
    pub restrictions: Restrictions,
}

/// The result of one probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeResult {
    /// True if the part responded.
    pub answers: bool,
    /// The time that it took.
    pub latency: Duration,
}

impl Probes {
    /// The time limit of a probe. The health routes respond within two seconds.
    const TIMEOUT: Duration = Duration::from_millis(1_500);

    /// The time that a result is valid.
    const FRESH: Duration = Duration::from_secs(1);

    /// Creates the probes of these parts.
    pub fn new(pings: Pings, object_storage: Arc<dyn PublicationLog>, generations: Arc<CurrentGenerations>) -> Self {
        Self { pings, object_storage, generations, latest: Mutex::new(None) }
    }

    /// Returns the state of the parts, at most a second old.
    pub async fn checkup(&self) -> Checkup {
        let mut latest = self.latest.lock().await;
        if let Some((_, checkup)) = latest.as_ref().filter(|(at, _)| at.elapsed() < Self::FRESH) {
            let (log, restrictions) = (self.generations.status(), self.pings.restrictions.run());
            return Checkup { log, restrictions, ..checkup.clone() };
        }
        let Pings { database, limits, restrictions } = &self.pings;
        let limits = limits.as_ref().map(|limits| probe("shared limits", limits()));
        let (database, writing, object_storage, limits) = futures::join!(
            probe("database", (database.reading)()),
            probe("database, when written to,", (database.writing)()),
            probe("object storage", self.object_storage.ping()),
            OptionFuture::from(limits)
        );
        let (log, restrictions) = (self.generations.status(), restrictions.run());
        let checkup = Checkup { database, writing, object_storage, limits, log, restrictions };
        *latest = Some((Instant::now(), checkup.clone()));
        checkup
    }
}

async fn probe(part: &str, ping: impl Future<Output = Result<(), PortError>>) -> ProbeResult {
    let started = Instant::now();
    let answer = timeout(Probes::TIMEOUT, ping).await;
    let trouble = match &answer {
        Ok(Ok(())) => None,
        Ok(Err(PortError::Unavailable { source, .. } | PortError::Corrupt { source, .. })) => {
            Some(in_one_line(&**source))
        }
        Err(_) => Some("no answer in time".to_owned()),
    };
    if let Some(trouble) = &trouble {
        tracing::warn!(part, trouble, "the {part} did not answer a probe: {trouble}");
    }
    ProbeResult { answers: trouble.is_none(), latency: started.elapsed() }
}
