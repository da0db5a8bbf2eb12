use actix_web::Responder;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_http_transport::Draining;
use sports_ports::Clock;
use sports_telemetry::BackgroundTasks;
use sports_usecases::probes::{Checkup, Probes};
use utoipa::ToSchema;

use crate::auth::Anyone;
use crate::examples::instant;
use crate::params::Params;
use crate::wire::wire;

wire! {
    /// The readiness of this server to take requests.
    #[schema(as = ServerReadiness)]
    pub struct ReadinessResponse(checks: ReadinessChecks, timestamp: DateTime<Utc>) {
        let ReadinessChecks { database, catalogs, running } = checks;
        let status = if database && catalogs && running { ReadinessStatus::Ready } else { ReadinessStatus::NotReady };

        /// `ready` or `not_ready`.
        status: ReadinessStatus = status,
        /// The time of the answer, UTC.
        timestamp: DateTime<Utc> = timestamp,
        /// The conditions of readiness.
        checks: ReadinessChecks = checks,
    }
}

/// The readiness of this server to take requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ReadinessStatus {
    /// Send requests here.
    Ready,
    /// Send requests elsewhere for now.
    NotReady,
}

/// The conditions of readiness; all must be true.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadinessChecks {
    /// True if the database answers.
    database: bool,
    /// True once every league's catalog was looked up since the start, with or without success. Requests for a league
    /// whose catalog cannot be read are answered with 503; health names the league.
    catalogs: bool,
    /// False once this server has received the signal to stop: it answers the requests that still arrive, and ends
    /// soon.
    running: bool,
}

impl ReadinessResponse {
    fn example(catalogs: bool) -> Self {
        Self::new(ReadinessChecks { database: true, catalogs, running: true }, instant())
    }
}

/// Check that requests can be sent here
///
/// Answers 503 until the database answers and each league's catalog was looked up once. It answers 503 again while the
/// database is unavailable, and once the server has received the signal to stop. A fault of a single league affects
/// only requests for that league, which are answered with 503, and is named by health.
#[utoipa::path(
    get, path = "/api/v1/readiness",
    tag = "service",
    responses(
        (status = 200, description = "Send requests here", body = ReadinessResponse,
            example = json!(ReadinessResponse::example(true))),
        (status = 503, description = "Send requests elsewhere for now", body = ReadinessResponse,
            example = json!(ReadinessResponse::example(false))),
    ),
)]
pub(super) async fn get_readiness(
    _caller: Anyone,
    _params: Params<()>,
    clock: Data<dyn Clock>,
    probes: Data<Probes>,
    draining: Data<Draining>,
    tasks: Data<BackgroundTasks>,
) -> impl Responder {
    let Checkup { database, log, .. } = probes.checkup().await;
    let running = !draining.has_begun() && tasks.all_work();
    let checks = ReadinessChecks { database: database.answers, catalogs: log.first_look, running };
    let readiness = ReadinessResponse::new(checks, clock.now());
    let status = match readiness.status {
        ReadinessStatus::Ready => StatusCode::OK,
        ReadinessStatus::NotReady => StatusCode::SERVICE_UNAVAILABLE,
    };
    (Json(readiness), status)
}
