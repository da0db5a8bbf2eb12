//! Wiring: settings become adapters, adapters become the state of the application, and workers start.

mod accounts;
mod datasets;
mod figures;
mod limits;
mod nodes;
mod store;
mod webhooks;

use std::error::Error;
use std::sync::Arc;

use sports_accounts_sea_orm::{AccountsDatabase, ServerLock};
use sports_http_transport::{ComputeQueue, ProxyTrust};
use sports_limits::Commits;
use sports_ports::Clock;
use sports_program::settings::Settings;
use sports_program::{SystemClock, SystemRandom};
use sports_telemetry::dependencies::Dependencies;
use sports_telemetry::metrics::{Metrics, expose_process};
use sports_telemetry::trace::Traces;
use sports_telemetry::{BackgroundTasks, ClockWatch};
use sports_usecases::node_settings::NodeSettingsWatch;
use sports_usecases::probes::{Pings, Probes, RestrictionCheck, RestrictionChecks};
use sports_usecases::webhooks::WebhookDeliveries;

use crate::build::{self, VERSION};
use crate::modes::warn_of_exposed;
use crate::past_requests::PastRequests;
use crate::prices::game_prices;
use crate::state::{AppState, Callers, Operations, Published, RequestLog, Site, Streams, start_streams};
use crate::{api, routes};

pub use accounts::lock;

/// The service, ready to answer.
pub struct Service {
    pub state: Arc<AppState>,
    nodes: NodeSettingsWatch,
    counts: Commits,
    polling: store::Polling,
    deliveries: Arc<WebhookDeliveries>,
    database: AccountsDatabase,
    /// Held until the database is closed.
    _lock: Option<ServerLock>,
}

impl Service {
    /// Ends the service after the last answer, in this order: work that is not on record yet is written before the database is
    /// closed, and the access log has the last lines.
    pub async fn end(self) {
        let Self { state, nodes, counts, polling, deliveries, database, _lock } = self;
        if let Some(traces) = &state.operations.traces {
            traces.finish().await;
        }
        nodes.end().await;
        deliveries.end().await;
        state.callers.key_uses.commit().await;
        state.callers.key_uses.commit_calls().await;
        counts.finish().await;
        polling.end().await;
        accounts::close(&database).await;
        if let Some(log) = state.operations.requests.writer() {
            log.finish();
        }
    }
}

/// Opens the database and the store of the settings, creates the state of the application, and starts its workers. `lock` is the
/// lock of the one server on a database file.
///
/// # Errors
///
/// The database or the store cannot be opened, or a setting cannot be used.
pub async fn wire(
    settings: &Settings,
    site: Site,
    lock: Option<ServerLock>,
    log: RequestLog,
) -> Result<Service, Box<dyn Error + Send + Sync>> {
    let (tasks, dependencies) = (Arc::<BackgroundTasks>::default(), Dependencies::default());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let database = accounts::connect(&dependencies, settings).await?;
    let store = store::open(&dependencies, settings).await?;
    site.warn();
    let traces = Traces::from_environment(VERSION)?;
    let metering = limits::metering(&tasks, &dependencies, settings, &database, &clock).await?;
    let watch = ClockWatch::start(Arc::clone(&clock), &tasks);
    let nodes = nodes::watch(&tasks, settings, &database, &store).await?;
    limits::warn_of_unshared(settings, nodes.others());

    let queue = Arc::new(ComputeQueue::start(ComputeQueue::cores(), settings.limits.queue_timeout)?);
    let prices = game_prices(&settings.prices, &clock, &dependencies.prices)?;
    let stored = store::published(&store);
    let published = Published::new(&stored, settings.memory.archives.bytes(), queue, prices, &clock);
    let (keys, key_changes) = accounts::keys(&database);
    let counts = metering.counts;
    let restrictions = restrictions(&database, &watch, metering.restriction_check, &nodes);
    let pings = Pings { database: accounts::pings(&database, &counts), limits: metering.shared_ping, restrictions };
    let state = Arc::new(AppState {
        random: Arc::new(SystemRandom),
        interface: api::interface(routes::all),
        site,
        operations: Operations::new(Arc::clone(&tasks), traces, log),
        callers: Callers {
            keys,
            key_changes,
            key_uses: accounts::key_uses(&tasks, &database, &clock),
            meter: metering.meter,
            addresses: metering.addresses,
            failed_keys: metering.failed_keys,
            limits: limits::call_limits(settings),
            proxies: Arc::new(ProxyTrust::from_settings(&settings.http)),
        },
        probes: Probes::new(pings, stored.log, Arc::clone(&published.generations)),
        published,
        past_requests: Arc::new(PastRequests::default()),
        streams: Arc::<Streams>::default(),
        datasets: Arc::new(datasets::service(settings, &database, &store, &clock).await?),
        webhooks: webhooks::of(settings, &database),
        clock,
    });

    start_streams(&state);
    let deliveries = webhooks::deliveries(settings, &database, &state.clock)?;
    routes::webhooks::start_webhooks(&state, &deliveries);
    measure(&state, dependencies, watch, &nodes, &counts);
    if settings.metrics.bind.is_some() {
        accounts::measure_expiring_keys(&state, &database);
    }
    warn_of_exposed(settings, database.file());
    let polling = store::follow(&tasks, Arc::clone(&state.published.generations), settings.store.poll_interval).await;
    Ok(Service { state, nodes, counts, polling, deliveries, database, _lock: lock })
}

/// Returns the checks of all parts that may be restricted.
fn restrictions(
    database: &AccountsDatabase,
    watch: &ClockWatch,
    limits: Option<RestrictionCheck>,
    nodes: &NodeSettingsWatch,
) -> RestrictionChecks {
    let (clock, settings) = (Box::new(watch.restriction_check()), Some(nodes.restriction_check()));
    RestrictionChecks { database: accounts::restriction_check(database), clock, limits, settings }
}

/// Adds the figures of all parts to the metrics.
fn measure(
    state: &AppState,
    dependencies: Dependencies,
    watch: ClockWatch,
    nodes: &NodeSettingsWatch,
    counts: &Commits,
) {
    let AppState { operations, published, past_requests, streams, clock, .. } = state;
    let metrics: &Metrics = &operations.metrics;
    let (tasks, tally) = (Arc::clone(&operations.tasks), Arc::clone(&operations.tally));
    let (queue, past_requests) = (Arc::clone(&published.answers.queue), Arc::clone(past_requests));
    let (nodes, counts, streams) = (nodes.clone(), counts.clone(), Arc::clone(streams));
    metrics.add_source(move |exposition| tasks.expose(exposition));
    metrics.add_source(build::expose);
    metrics.add_source(move |exposition| tally.expose(exposition));
    metrics.add_source(move |exposition| dependencies.expose(exposition));
    metrics.add_source(move |exposition| watch.expose(exposition));
    metrics.add_source(expose_process);
    metrics.add_source(move |exposition| nodes::expose(&nodes, exposition));
    metrics.add_source(move |exposition| queue.expose(exposition));
    metrics.add_source(figures::caches(published.lookups.clone()));
    metrics.add_source(figures::publication(&published.generations, clock));
    metrics.add_source(move |exposition| past_requests.expose(exposition));
    metrics.add_source(move |exposition| streams.expose(exposition));
    metrics.add_source(figures::pending(move || counts.pending()));
    if let Some(log) = operations.requests.writer() {
        metrics.add_source(log.figures());
    }
}
