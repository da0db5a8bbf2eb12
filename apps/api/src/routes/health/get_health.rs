use actix_web::Responder;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_http_transport::Tally;
use sports_ports::Clock;
use sports_usecases::probes::{Checkup, Probes, Raised, Vital};
use sports_usecases::record::{FailureKind, StoreStatus};
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::build::{COMMIT, VERSION};
use crate::examples::instant;
use crate::params::Params;

/// The state of the service and of each dependency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServiceHealth)]
pub struct HealthResponse {
    /// The state of the service as a whole.
    status: HealthStatus,
    /// The version of the service.
    #[schema(example = json!(VERSION))]
    version: &'static str,
    /// The commit of this build, `unknown` if it was built without one.
    #[schema(example = "0123456789ab")]
    commit: &'static str,
    /// The time of the answer, UTC.
    timestamp: DateTime<Utc>,
    /// The state of each dependency.
    dependencies: HealthDependencies,
    /// Requests refused since the start because they were malformed HTTP or arrived incomplete.
    malformed_requests_total: u64,
}

/// The state of the service or of a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// The service or dependency works.
    Healthy,
    /// It works in part, or may soon stop working.
    Degraded,
    /// It does not work.
    Unhealthy,
}

/// The dependencies of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthDependencies {
    /// Customers and keys. If unavailable, known keys keep working for a few minutes. If degraded, it can be read but
    /// not written: keys work, keys cannot be created or revoked, and calls are counted in memory.
    database: HealthDependency,
    /// The in-memory cache, part of the process.
    cache: HealthDependency,
    /// Published data. If unavailable, all data that is already loaded is still served.
    object_storage: HealthDependency,
    /// The limits that machines share; absent if each machine limits calls by itself. If degraded, each machine
    /// limits by itself until the shared limits are back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    limits: Option<HealthDependency>,
    /// The system clock. Present and degraded while it is behind the date of the service, which then stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clock: Option<HealthDependency>,
    /// The settings that the nodes of one database have in common. Present and degraded while another node has
    /// different settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    settings: Option<HealthDependency>,
}

/// A dependency of the service and its state.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthDependency {
    /// The state of the dependency.
    status: HealthStatus,
    /// The response time in milliseconds; null for a part inside the process.
    #[schema(required, minimum = 0)]
    latency_ms: Option<f64>,
    /// The fault of the dependency; null if there is no fault.
    #[schema(required)]
    detail: Option<String>,
}

impl HealthResponse {
    fn from_checkup(checkup: &Checkup, malformed_requests_total: u64, timestamp: DateTime<Utc>) -> Self {
        let raised = checkup.raised.clone();
        let dependencies = HealthDependencies {
            database: HealthDependency::from_vital(checkup.database).with_writes(checkup.writing, raised.database),
            cache: HealthDependency { status: HealthStatus::Healthy, latency_ms: None, detail: None },
            object_storage: HealthDependency::from_vital(checkup.object_storage).with_log(checkup),
            limits: checkup.limits.map(|limits| HealthDependency::from_limits(limits).with_concern(raised.limits)),
            clock: raised.clock.map(HealthDependency::degraded),
            settings: raised.settings.map(HealthDependency::degraded),
        };
        let HealthDependencies { database, object_storage, limits, clock, settings, .. } = &dependencies;
        let others = [limits, clock, settings];
        let others_healthy = others.into_iter().flatten().all(|part| part.status == HealthStatus::Healthy);
        let status = match (database.status, object_storage.status) {
            (HealthStatus::Healthy, HealthStatus::Healthy) if others_healthy => HealthStatus::Healthy,
            (HealthStatus::Unhealthy, HealthStatus::Unhealthy) => HealthStatus::Unhealthy,
            _ => HealthStatus::Degraded,
        };
        Self { status, version: VERSION, commit: COMMIT, timestamp, dependencies, malformed_requests_total }
    }

    fn example() -> Self {
        let vital = |micros| Vital { answers: true, latency: std::time::Duration::from_micros(micros) };
        let log = StoreStatus { first_look: true, ..Default::default() };
        let checkup = Checkup {
            database: vital(412),
            writing: vital(655),
            object_storage: vital(8_200),
            limits: None,
            log,
            raised: Raised::default(),
        };
        // The document is the same for every commit that prints it.
        Self { commit: "0123456789ab", ..Self::from_checkup(&checkup, 0, instant()) }
    }
}

impl HealthDependency {
    fn from_vital(vital: Vital) -> Self {
        Self::answering(vital, HealthStatus::Unhealthy, "It does not answer")
    }

    /// Returns a part that is healthy if it answers, else in the state `otherwise`.
    fn answering(vital: Vital, otherwise: HealthStatus, detail: &str) -> Self {
        let (status, detail) =
            if vital.answers { (HealthStatus::Healthy, None) } else { (otherwise, Some(detail.to_owned())) };
        Self { status, latency_ms: Some(milliseconds(vital)), detail }
    }

    /// Converts the state of the shared limits. Without them calls are still limited, so the part is degraded at
    /// most.
    fn from_limits(vital: Vital) -> Self {
        Self::answering(vital, HealthStatus::Degraded, "It does not answer, and each machine limits calls by itself")
    }

    /// Returns a degraded part inside the process.
    const fn degraded(detail: String) -> Self {
        Self { status: HealthStatus::Degraded, latency_ms: None, detail: Some(detail) }
    }

    /// Degrades a healthy part that has a concern.
    fn with_concern(self, concern: Option<String>) -> Self {
        match (self.status, concern) {
            (HealthStatus::Healthy, Some(detail)) => Self { latency_ms: self.latency_ms, ..Self::degraded(detail) },
            _ => self,
        }
    }

    /// Degrades a database that can be read but not written. The reason is in the log.
    fn with_writes(self, writing: Vital, concern: Option<String>) -> Self {
        if self.status == HealthStatus::Unhealthy || writing.answers {
            return self;
        }
        let detail = Some(concern.unwrap_or_else(|| "It answers, but nothing can be written".to_owned()));
        Self { status: HealthStatus::Degraded, detail, ..self }
    }

    /// Degrades the store if leagues cannot be read, loaded or continued, and names them. The causes are for the
    /// operator, and in the log.
    fn with_log(self, checkup: &Checkup) -> Self {
        let StoreStatus { unreachable_since, unreachable, unserved, failing, .. } = &checkup.log;
        if self.status == HealthStatus::Unhealthy {
            return self;
        }
        let failing = |of: FailureKind| {
            let failing = failing.iter().filter(move |failing| failing.kind == of);
            failing.map(|failing| format!("{} {}", failing.sport, failing.generation)).collect::<Vec<_>>().join(", ")
        };
        let leagues = |of: &[Sport]| of.iter().map(|sport| sport.code()).collect::<Vec<_>>().join(", ");
        let unreachable = unreachable_since.map(|since| {
            let all = unreachable.len() == Sport::ALL.len();
            let log =
                if all { "The publication log".to_owned() } else { format!("The log of {}", leagues(unreachable)) };
            format!("{log} could not be read since {}", since.to_rfc3339())
        });
        let named = [
            ("Leagues of which nothing can be served", leagues(unserved)),
            ("Generations that cannot be loaded", failing(FailureKind::Unloadable)),
            ("Generations that do not continue the record", failing(FailureKind::Unlinked)),
        ];
        let named =
            named.into_iter().filter(|(_, named)| !named.is_empty()).map(|(what, named)| format!("{what}: {named}"));
        let detail = unreachable.into_iter().chain(named).collect::<Vec<_>>().join("; ");
        if detail.is_empty() { self } else { Self { status: HealthStatus::Degraded, detail: Some(detail), ..self } }
    }
}

/// Returns the latency in milliseconds, rounded to microseconds.
fn milliseconds(vital: Vital) -> f64 {
    (vital.latency.as_secs_f64() * 1e6).round() / 1e3
}

/// Check the service and its parts
///
/// `healthy` if every part answers. `degraded` (still 200) if a dependency is unavailable, the database cannot be
/// written, or a published generation cannot be loaded. Also `degraded` if the system clock is behind the date of the
/// service, or another node has other settings. `unhealthy` (503) if neither the database nor the object storage answers.
#[utoipa::path(
    get, path = "/api/v1/health",
    tag = "service",
    responses(
        (status = 200, description = "Requests are answered", body = HealthResponse, example = json!(HealthResponse::example())),
        (status = 503, description = "Nothing can be answered that is not already in memory", body = HealthResponse),
    ),
)]
pub(super) async fn get_health(
    _caller: Anyone,
    _params: Params<()>,
    clock: Data<dyn Clock>,
    probes: Data<Probes>,
    connections: Data<Tally>,
) -> impl Responder {
    let health = HealthResponse::from_checkup(&probes.checkup().await, connections.malformed_requests(), clock.now());
    let status = match health.status {
        HealthStatus::Healthy | HealthStatus::Degraded => StatusCode::OK,
        HealthStatus::Unhealthy => StatusCode::SERVICE_UNAVAILABLE,
    };
    (Json(health), status)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sports_publication::Generation;
    use sports_usecases::record::FailingGeneration;

    use super::*;

    fn checkup(database: bool, object_storage: bool) -> Checkup {
        let vital = |answers| Vital { answers, latency: Duration::from_micros(1500) };
        let log = StoreStatus { first_look: true, ..StoreStatus::default() };
        let (database, object_storage) = (vital(database), vital(object_storage));
        Checkup { database, writing: vital(true), object_storage, limits: None, log, raised: Raised::default() }
    }

    #[test]
    fn one_unavailable_part_is_degraded_and_both_are_unhealthy() {
        let table = [
            (true, true, HealthStatus::Healthy),
            (false, true, HealthStatus::Degraded),
            (true, false, HealthStatus::Degraded),
            (false, false, HealthStatus::Unhealthy),
        ];
        for (database, object_storage, expected) in table {
            let health = HealthResponse::from_checkup(&checkup(database, object_storage), 0, instant());
            assert_eq!(health.status, expected, "{database} {object_storage}");
            assert_eq!(health.dependencies.database.latency_ms, Some(1.5));
        }
    }

    #[test]
    fn limits_are_shown_where_machines_share_them_and_degrade_at_most() {
        let table =
            [(None, HealthStatus::Healthy), (Some(true), HealthStatus::Healthy), (Some(false), HealthStatus::Degraded)];
        for (answers, expected) in table {
            let mut checkup = checkup(true, true);
            checkup.limits = answers.map(|answers| Vital { answers, latency: Duration::from_micros(1500) });
            let health = HealthResponse::from_checkup(&checkup, 0, instant());
            assert_eq!(health.status, expected, "{answers:?}");
            let shown = health.dependencies.limits;
            assert_eq!(shown.as_ref().map(|limits| limits.detail.is_none()), answers);
            assert_eq!(shown.map(|limits| limits.status), answers.map(|_| expected));
        }
    }

    #[test]
    fn a_concern_degrades_a_service_whose_parts_answer() {
        let concern = || Some("It evicts".to_owned());
        let concerns = [
            Raised { clock: concern(), ..Raised::default() },
            Raised { limits: concern(), ..Raised::default() },
            Raised { settings: concern(), ..Raised::default() },
        ];
        for raised in concerns {
            let mut checkup = Checkup { raised, ..checkup(true, true) };
            checkup.limits = Some(checkup.database);
            let health = HealthResponse::from_checkup(&checkup, 0, instant());
            assert_eq!(health.status, HealthStatus::Degraded);
            let HealthDependencies { limits, clock, settings, .. } = health.dependencies;
            let details: Vec<_> =
                [limits, clock, settings].into_iter().flatten().filter_map(|part| part.detail).collect();
            assert_eq!(details, ["It evicts"]);
        }
    }

    #[test]
    fn a_database_that_takes_no_writes_is_degraded_unless_it_answers_nothing_at_all() {
        for (answers, expected) in [(true, HealthStatus::Degraded), (false, HealthStatus::Unhealthy)] {
            let mut checkup = checkup(answers, true);
            checkup.writing.answers = false;
            let health = HealthResponse::from_checkup(&checkup, 0, instant());
            assert_eq!((health.status, health.dependencies.database.status), (HealthStatus::Degraded, expected));
            assert!(health.dependencies.database.detail.is_some());
        }
    }

    #[test]
    fn a_generation_that_cannot_be_loaded_is_named_without_its_reason() {
        let mut checkup = checkup(true, true);
        let generation = Generation::new(12).expect("a generation");
        checkup.log.failing = vec![FailingGeneration {
            sport: Sport::Nfl,
            generation,
            kind: FailureKind::Unloadable,
            reason: "bad bytes at /srv".to_owned(),
        }];
        let health = HealthResponse::from_checkup(&checkup, 0, instant());
        assert_eq!(health.status, HealthStatus::Degraded);
        let detail = health.dependencies.object_storage.detail.expect("a detail");
        assert!(detail.contains("nfl") && detail.contains("12") && !detail.contains("/srv"), "{detail}");
    }

    #[test]
    fn each_kind_of_failure_names_its_leagues() {
        let mut checkup = checkup(true, true);
        let failing = |sport, number, kind| {
            let generation = Generation::new(number).expect("a generation");
            FailingGeneration { sport, generation, kind, reason: String::new() }
        };
        checkup.log = StoreStatus {
            first_look: true,
            unreachable_since: Some(instant()),
            unreachable: vec![Sport::Nba],
            unserved: vec![Sport::Mlb],
            failing: vec![
                failing(Sport::Mlb, 1, FailureKind::Unloadable),
                failing(Sport::Nfl, 9, FailureKind::Unlinked),
            ],
        };
        let detail =
            HealthResponse::from_checkup(&checkup, 0, instant()).dependencies.object_storage.detail.expect("a detail");
        let since = instant().to_rfc3339();
        let expected = format!(
            "The log of nba could not be read since {since}; Leagues of which nothing can be served: mlb; \
             Generations that cannot be loaded: mlb 1; Generations that do not continue the record: nfl 9"
        );
        assert_eq!(detail, expected);
    }

    #[test]
    fn a_log_that_cannot_be_read_degrades_the_store() {
        let mut checkup = checkup(true, true);
        checkup.log.unreachable_since = Some(instant());
        checkup.log.unreachable = Sport::ALL.to_vec();
        let health = HealthResponse::from_checkup(&checkup, 0, instant());
        assert_eq!(health.status, HealthStatus::Degraded);
        assert_eq!(health.dependencies.object_storage.status, HealthStatus::Degraded);
    }
}
