//! Probes of the parts that the service depends on, and of its progress in the log.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, OptionFuture};
use sports_domain::Sport;
use sports_ports::publication::PublicationLog;
use sports_ports::{PortError, error_chain};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::record::{CurrentGenerations, FailureKind, StoreStatus};

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
            Some(error_chain(&**source))
        }
        Err(_) => Some("no answer in time".to_owned()),
    };
    if let Some(trouble) = &trouble {
        tracing::warn!(part, trouble, "the {part} did not answer a probe: {trouble}");
    }
    ProbeResult { answers: trouble.is_none(), latency: started.elapsed() }
}

// The state of the service, judged from the results of the probes.

/// The state of the service or of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthState {
    /// The service or part works.
    Healthy,
    /// It works in part, or may soon stop working.
    Degraded,
    /// It does not work.
    Unhealthy,
}

/// The state of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartHealth {
    pub state: HealthState,
    /// The response time; `None` for a part inside the process.
    pub latency: Option<Duration>,
    /// The fault, in a sentence without secrets; `None` without one.
    pub detail: Option<String>,
}

/// The state of the service and of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceHealth {
    /// The state of the service as a whole.
    pub state: HealthState,
    /// The database of customers and keys.
    pub database: PartHealth,
    /// The store of published data.
    pub object_storage: PartHealth,
    /// The limits that nodes share, if there are any.
    pub limits: Option<PartHealth>,
    /// The system clock, if there is a restriction of it.
    pub clock: Option<PartHealth>,
    /// The settings that nodes have in common, if there is a restriction of them.
    pub settings: Option<PartHealth>,
}

impl Checkup {
    /// Returns the state of the service: healthy if every part is, unhealthy if neither database nor store works.
    pub fn health(&self) -> ServiceHealth {
        let restrictions = self.restrictions.clone();
        let database = PartHealth::from_probe(self.database).with_writes(self.writing, restrictions.database);
        let object_storage = PartHealth::from_probe(self.object_storage).with_log(&self.log);
        let limits = self.limits.map(|limits| PartHealth::from_limits(limits).with_restriction(restrictions.limits));
        let (clock, settings) =
            (restrictions.clock.map(PartHealth::degraded), restrictions.settings.map(PartHealth::degraded));
        let others = [&limits, &clock, &settings];
        let others_healthy = others.into_iter().flatten().all(|part| part.state == HealthState::Healthy);
        let state = match (database.state, object_storage.state) {
            (HealthState::Healthy, HealthState::Healthy) if others_healthy => HealthState::Healthy,
            (HealthState::Unhealthy, HealthState::Unhealthy) => HealthState::Unhealthy,
            _ => HealthState::Degraded,
        };
        ServiceHealth { state, database, object_storage, limits, clock, settings }
    }
}

impl PartHealth {
    fn from_probe(probe: ProbeResult) -> Self {
        Self::answering(probe, HealthState::Unhealthy, "It does not answer")
    }

    /// Returns a part that is healthy if it answers, else in the state `otherwise`.
    fn answering(probe: ProbeResult, otherwise: HealthState, detail: &str) -> Self {
        let (state, detail) =
            if probe.answers { (HealthState::Healthy, None) } else { (otherwise, Some(detail.to_owned())) };
        Self { state, latency: Some(probe.latency), detail }
    }

    /// Converts the state of the shared limits. Without them calls are still limited, so the part is degraded at
    /// most.
    fn from_limits(probe: ProbeResult) -> Self {
        Self::answering(probe, HealthState::Degraded, "It does not answer, and each machine limits calls by itself")
    }

    /// Returns a degraded part inside the process.
    const fn degraded(detail: String) -> Self {
        Self { state: HealthState::Degraded, latency: None, detail: Some(detail) }
    }

    /// Degrades a healthy part that has a restriction.
    fn with_restriction(self, restriction: Option<String>) -> Self {
        match (self.state, restriction) {
            (HealthState::Healthy, Some(detail)) => Self { latency: self.latency, ..Self::degraded(detail) },
            _ => self,
        }
    }

    /// Degrades a database that can be read but not written. The reason is in the log.
    fn with_writes(self, writing: ProbeResult, restriction: Option<String>) -> Self {
        if self.state == HealthState::Unhealthy || writing.answers {
            return self;
        }
        let detail = Some(restriction.unwrap_or_else(|| "It answers, but nothing can be written".to_owned()));
        Self { state: HealthState::Degraded, detail, ..self }
    }

    /// Degrades the store if leagues cannot be read, loaded or continued, and names them. The causes are for the
    /// operator, and in the log.
    fn with_log(self, log: &StoreStatus) -> Self {
        let StoreStatus { unreachable_since, unreachable, unserved, failing, .. } = log;
        if self.state == HealthState::Unhealthy {
            return self;
        }
        let failing = |of: FailureKind| {
            let failing = failing.iter().filter(move |failing| failing.kind == of);
            failing.map(|failing| format!("{} {}", failing.sport, failing.generation)).collect::<Vec<_>>().join(", ")
        };
        let leagues = |of: &[Sport]| of.iter().map(|sport| sport.code()).collect::<Vec<_>>().join(", ");
        let unreachable = unreachable_since.map(|since| {
            let all = unreachable.len() == Sport::ALL.len();
            let named =
                if all { "The publication log".to_owned() } else { format!("The log of {}", leagues(unreachable)) };
            format!("{named} could not be read since {}", since.to_rfc3339())
        });
        let named = [
            ("Leagues of which nothing can be served", leagues(unserved)),
            ("Generations that cannot be loaded", failing(FailureKind::Unloadable)),
            ("Generations that do not continue the record", failing(FailureKind::Unlinked)),
        ];
        let named =
            named.into_iter().filter(|(_, named)| !named.is_empty()).map(|(what, named)| format!("{what}: {named}"));
        let detail = unreachable.into_iter().chain(named).collect::<Vec<_>>().join("; ");
        if detail.is_empty() { self } else { Self { state: HealthState::Degraded, detail: Some(detail), ..self } }
    }
}
