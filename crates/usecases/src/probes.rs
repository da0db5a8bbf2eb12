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
    /// A read.
    pub reading: Ping,
    /// A write.
    pub writing: Ping,
}

/// Reads a concern about a part from memory; `None` without one.
pub type Concern = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// The concerns about parts that work with restrictions.
pub struct Concerns {
    /// The disk of the database.
    pub database: Option<Concern>,
    /// The date of the service and the system clock.
    pub clock: Concern,
    /// The configuration of the limits that nodes share.
    pub limits: Option<Concern>,
    /// The settings of this node and of the others.
    pub settings: Option<Concern>,
}

/// The current concerns: sentences for the operator, without secrets.
#[derive(Debug, Clone, Default)]
pub struct Raised {
    /// The disk of the database.
    pub database: Option<String>,
    /// The date of the service and the system clock.
    pub clock: Option<String>,
    /// The configuration of the limits that nodes share.
    pub limits: Option<String>,
    /// The settings of this node and of the others.
    pub settings: Option<String>,
}

impl Concerns {
    fn raised(&self) -> Raised {
        let of = |concern: &Option<Concern>| concern.as_ref().and_then(|concern| concern());
        Raised {
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
    /// The concerns.
    pub concerns: Concerns,
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
    pub database: Vital,
    /// A write to that database.
    pub writing: Vital,
    /// The store of published data.
    pub object_storage: Vital,
    /// The limits that nodes share, if there are any.
    pub limits: Option<Vital>,
    /// The progress in the log.
    pub log: StoreStatus,
    /// The concerns.
    pub raised: Raised,
}

/// The result of one probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vital {
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
    #[must_use]
    pub fn new(pings: Pings, object_storage: Arc<dyn PublicationLog>, generations: Arc<CurrentGenerations>) -> Self {
        Self { pings, object_storage, generations, latest: Mutex::new(None) }
    }

    /// Returns the state of the parts, at most a second old.
    pub async fn checkup(&self) -> Checkup {
        let mut latest = self.latest.lock().await;
        if let Some((_, checkup)) = latest.as_ref().filter(|(at, _)| at.elapsed() < Self::FRESH) {
            let (log, raised) = (self.generations.status(), self.pings.concerns.raised());
            return Checkup { log, raised, ..checkup.clone() };
        }
        let Pings { database, limits, concerns } = &self.pings;
        let limits = limits.as_ref().map(|limits| vital("shared limits", limits()));
        let (database, writing, object_storage, limits) = futures::join!(
            vital("database", (database.reading)()),
            vital("database, when written to,", (database.writing)()),
            vital("object storage", self.object_storage.ping()),
            OptionFuture::from(limits)
        );
        let (log, raised) = (self.generations.status(), concerns.raised());
        let checkup = Checkup { database, writing, object_storage, limits, log, raised };
        *latest = Some((Instant::now(), checkup.clone()));
        checkup
    }
}

async fn vital(part: &str, ping: impl Future<Output = Result<(), PortError>>) -> Vital {
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
    Vital { answers: trouble.is_none(), latency: started.elapsed() }
}
