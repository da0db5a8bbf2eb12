//! The state of the service, judged from the results of the probes.

use std::time::Duration;

use sports_domain::Sport;

use super::{Checkup, ProbeResult};
use crate::record::{FailureKind, StoreStatus};

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
