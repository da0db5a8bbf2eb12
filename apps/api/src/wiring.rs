//! Wiring: settings become adapters, adapters become parts of the API.

mod accounts;
mod datasets;
mod figures;
mod limits;
mod nodes;
mod published;

use std::error::Error;
use std::sync::Arc;

use sports_accounts_sea_orm::ServerLock;
use sports_http_transport::{ComputeQueue, ProxyTrust};
use sports_ports::Clock;
use sports_settings::Settings;
use sports_system::SystemClock;
use sports_telemetry::ClockWatch;
use sports_telemetry::SetupError;
use sports_telemetry::metrics::{Metrics, expose_process};
use sports_telemetry::trace::Traces;
use sports_usecases::probes::{Pings, RestrictionChecks};

use crate::api::Api;
use crate::build::VERSION;
use crate::modes::warn_of_exposed;
use crate::routes::health::SettingsWarnings;
use crate::routes::root::Operator;

pub use accounts::lock;

/// Adds the export of traces if the variables of OpenTelemetry name a collector.
fn with_traces(api: Api) -> Result<Api, SetupError> {
    let Some(traces) = Traces::from_environment(VERSION)? else { return Ok(api) };
    let ending = Arc::clone(&traces);
    let finish = move || {
        let ending = Arc::clone(&ending);
        async move { ending.finish().await }
    };
    Ok(api.provide(traces).at_the_end(finish))
}

/// Logs the settings with which a protection has little effect, and returns them for health.
fn settings_warnings(settings: &Settings) -> SettingsWarnings {
    let warnings = settings.warnings(ComputeQueue::cores());
    for warning in &warnings {
        tracing::warn!("{warning}");
    }
    SettingsWarnings(warnings)
}

/// Opens the database and the store of the settings, and assembles the API.
///
/// # Errors
///
/// The database or the store cannot be opened.
pub async fn wire(settings: &Settings) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let lock = lock(settings)?;
    wire_locked(settings, lock).await
}

/// Assembles the API like [`wire`], with the lock of the one server on a database file already taken.
///
/// # Errors
///
/// The database or the store cannot be opened.
pub async fn wire_locked(settings: &Settings, lock: Option<ServerLock>) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let api = Api::new(Arc::clone(&clock));
    let database = accounts::connect(&api, settings).await?;
    let store = published::store(&api, settings).await?;

    let api = api
        .provide(Arc::new(ProxyTrust::from_settings(&settings.http)))
        .provide(Arc::new(Operator(settings.http.contact.clone())))
        .provide(Arc::new(settings_warnings(settings)));
    let api = settings.http.security_contact.iter().cloned().map(Arc::new).fold(api, Api::provide);
    let api = if settings.log.client_network { api } else { api.without_client_networks() };
    let metrics = settings.metrics.bind.is_some().then(Arc::<Metrics>::default);
    let api = metrics.iter().fold(api, Api::measured_by);
    let api = with_traces(api)?;
    let mut metering = limits::metering(&api, settings, &database, &clock).await?;
    let watch = ClockWatch::start(Arc::clone(&clock), &api.tasks());
    let nodes = nodes::watch(&api, settings, &database, &store).await?;
    limits::warn_of_unshared(settings, nodes.others());
    let restrictions = RestrictionChecks {
        database: accounts::restriction_check(&database),
        clock: Box::new(watch.restriction_check()),
        limits: metering.restriction_check.take(),
        settings: Some(nodes.restriction_check()),
    };
    let database_pings = accounts::pings(&database, &metering.counts);
    let pings = Pings { database: database_pings, limits: metering.shared_ping.take(), restrictions };
    if let Some(metrics) = api.metrics() {
        metrics.add_source(move |exposition| watch.expose(exposition));
        metrics.add_source(expose_process);
    }
    let api = nodes::provide(api, nodes);
    let api = published::computing(api, settings)?;
    let (api, generations) = published::published(api, settings, pings, &store, &clock)?;
    let api = accounts::accounts(api, &database, &clock);
    let api = datasets::datasets(api, settings, &database, &store, &clock).await?;
    let api = limits::provide(api, settings, metering);
    warn_of_exposed(settings, database.file());
    let api = published::follow(api, generations, settings.store.poll_interval).await;
    // Held for as long as there is an application.
    let api = api.provide(Arc::new(lock));
    // After the last counts are committed.
    Ok(api.at_the_end(move || accounts::close(database.clone())))
}
