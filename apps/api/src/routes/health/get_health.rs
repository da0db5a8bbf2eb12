use std::time::Duration;

use actix_web::Responder;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_http_transport::Tally;
use sports_ports::Clock;
use sports_usecases::probes::{Checkup, HealthState, PartHealth, ProbeResult, Probes, Restrictions, ServiceHealth};
use sports_usecases::record::StoreStatus;
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::build::{COMMIT, VERSION};
use crate::examples::instant;
use crate::params::Params;
use crate::wire::wire;

wire! {
    /// The state of the service and of each dependency.
    #[schema(as = ServiceHealth)]
    pub struct HealthResponse(
        health: ServiceHealth,
        malformed_requests_total: u64,
        timestamp: DateTime<Utc>,
        warnings: SettingsWarnings,
    ) {
        let SettingsWarnings(warnings) = warnings;
        let ServiceHealth { state, database, object_storage, limits, clock, settings } = health;
        let dependencies = HealthDependencies {
            database: HealthDependency::new(database),
            cache: HealthDependency { status: HealthStatus::Healthy, latency_ms: None, detail: None },
            object_storage: HealthDependency::new(object_storage),
            limits: limits.map(HealthDependency::new),
            clock: clock.map(HealthDependency::new),
            settings: settings.map(HealthDependency::new),
        };
        let status = state.into();

        /// The state of the service as a whole.
        status: HealthStatus = status,
        /// The version of the service.
        #[schema(example = json!(VERSION))]
        version: &'static str = VERSION,
        /// The commit of this build, `unknown` if it was built without one.
        #[schema(example = "0123456789ab")]
        commit: &'static str = COMMIT,
        /// The time of the answer, UTC.
        timestamp: DateTime<Utc> = timestamp,
        /// The state of each dependency.
        dependencies: HealthDependencies = dependencies,
        /// Requests refused since the start because they were malformed HTTP or arrived incomplete.
        malformed_requests_total: u64 = malformed_requests_total,
        /// Settings with which a protection has little effect; absent if there are none. They do not change the status.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        warnings: Vec<String> = warnings,
    }
}

/// The warnings about the settings of the server.
#[derive(Debug, Clone, Default)]
pub struct SettingsWarnings(pub Vec<String>);

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

wire! {
    /// A dependency of the service and its state.
    pub struct HealthDependency(health: PartHealth) {
        let PartHealth { state, latency, detail } = health;
        let milliseconds = |latency: Duration| (latency.as_secs_f64() * 1e6).round() / 1e3;

        /// The state of the dependency.
        status: HealthStatus = state.into(),
        /// The response time in milliseconds; null for a part inside the process.
        #[schema(required, minimum = 0)]
        latency_ms: Option<f64> = latency.map(milliseconds),
        /// The fault of the dependency; null if there is no fault.
        #[schema(required)]
        detail: Option<String> = detail,
    }
}

impl HealthResponse {
    fn example() -> Self {
        let probe = |micros| ProbeResult { answers: true, latency: Duration::from_micros(micros) };
        let log = StoreStatus { first_look: true, ..Default::default() };
        let checkup = Checkup {
            database: probe(412),
            writing: probe(655),
            object_storage: probe(8_200),
            limits: None,
            log,
            restrictions: Restrictions::default(),
        };
        // The document is the same for every commit that prints it.
        Self { commit: "0123456789ab", ..Self::new(checkup.health(), 0, instant(), SettingsWarnings::default()) }
    }
}

impl From<HealthState> for HealthStatus {
    fn from(state: HealthState) -> Self {
        match state {
            HealthState::Healthy => Self::Healthy,
            HealthState::Degraded => Self::Degraded,
            HealthState::Unhealthy => Self::Unhealthy,
        }
    }
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
    warnings: Option<Data<SettingsWarnings>>,
) -> impl Responder {
    let warnings = warnings.map_or_else(SettingsWarnings::default, |warnings| SettingsWarnings::clone(&warnings));
    let health = probes.checkup().await.health();
    let health = HealthResponse::new(health, connections.malformed_requests(), clock.now(), warnings);
    let status = match health.status {
        HealthStatus::Healthy | HealthStatus::Degraded => StatusCode::OK,
        HealthStatus::Unhealthy => StatusCode::SERVICE_UNAVAILABLE,
    };
    (Json(health), status)
}
