//! Provision of the published data, the answers made from it, and the polling for new generations.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates, OpenError, OpenOptions};
use sports_cache_moka::{CachedSeasonViews, KeptAnswers};
use sports_http_transport::{ComputeQueue, KeptBody};
use sports_ports::answers::Answers;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_ports::{Clock, in_one_line};
use sports_prices_kalshi::SetupError;
use sports_row_formats::{RenderedSeason, TabularSeason};
use sports_settings::Settings;
use sports_telemetry::trace::TraceContext;
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::data_status::DataStatus;
use sports_usecases::markets::Markets;
use sports_usecases::moment::Moments;
use sports_usecases::probes::{Pings, Probes};
use sports_usecases::record::{Archives, CurrentGenerations, CurrentSeasons, Slates};
use sports_usecases::releases::RecentReleases;
use sports_usecases::results::Results;

use super::figures;
use crate::answers::SlateAnswers;
use crate::api::Api;
use crate::prices::game_prices;
use crate::render_seasons::RenderSeasons;

/// Opens the store of the settings. A store that does not answer yet is accepted and polled; a store that denies
/// access, or has no such bucket, is an error of the settings.
pub(super) async fn store(settings: &Settings) -> Result<ArtifactStore, OpenError> {
    let traced = OpenOptions { trace_headers: TraceContext::headers, ..OpenOptions::default() };
    let store = ArtifactStore::open_with(settings.store.url.reveal(), &traced)?;
    match store.expect_bucket().await {
        Err(error) if error.may_pass() => {
            let causes = in_one_line(&error);
            tracing::warn!(causes, "the store does not answer yet: {causes}");
        }
        answered => answered?,
    }
    Ok(store)
}

/// Provides the current generations and everything answered from them, and the probes of all parts.
pub(super) fn published(
    api: Api,
    settings: &Settings,
    pings: Pings,
    store: &ArtifactStore,
    clock: &Arc<dyn Clock>,
) -> Result<(Api, Arc<CurrentGenerations>), SetupError> {
    let watched = api.dependencies().store.watch(store.clone());
    let log: Arc<dyn PublicationLog> = Arc::new(watched.clone());
    let archives = Archives::new(Arc::new(watched.clone()), Arc::new(ParquetArchives)).identified_by(Arc::clone(&log));
    let (api, seasons, analysed) = cached(api, settings, archives.clone());

    let current = CurrentSeasons::new(Arc::clone(&seasons));
    let slates = Slates::new(Arc::new(watched), Arc::new(JsonSlates));
    let generations = CurrentGenerations::new(Arc::clone(&log), slates, Arc::new(current), Arc::clone(clock));
    let generations = Arc::new(generations.identified_by(archives));
    if let Some(metrics) = api.metrics() {
        metrics.add_source(figures::publication(&generations, clock));
    }
    let moments = Arc::new(Moments::new(Arc::clone(&generations), Arc::clone(clock)));
    let prices = game_prices(&settings.prices, clock, &api.dependencies().prices)?;
    let markets = Markets::new(Arc::clone(&moments), prices);
    let api = api
        .provide(Arc::new(Probes::new(pings, log, Arc::clone(&generations))))
        .provide(Arc::new(Results::new(Arc::clone(&moments))))
        .provide(Arc::new(Analytics::new(analysed)))
        .provide(Arc::new(RecentReleases::new(Arc::clone(&generations))))
        .provide(Arc::new(DataStatus::new(Arc::clone(&moments))))
        .provide(Arc::clone(&generations))
        .provide(moments)
        .provide(Arc::new(markets))
        .provide(Arc::new(SlateAnswers::default()));
    Ok((api, generations))
}

/// Provides the caches in front of archives. Returns the rows and the figures of seasons beside the API.
fn cached(
    api: Api,
    settings: &Settings,
    archives: Archives,
) -> (Api, Arc<dyn SeasonViews<RenderedSeason>>, Arc<dyn SeasonViews<SeasonAnalytics>>) {
    // One limit for all that is computed from archives: rows take by far the most.
    let eighth = settings.memory.archives.bytes() / 8;
    let render = RenderSeasons(archives.clone());
    let rendered = CachedSeasonViews::new(Arc::new(render.clone()), 5 * eighth);
    let tabular: Arc<dyn SeasonViews<TabularSeason>> = Arc::new(CachedSeasonViews::new(Arc::new(render), eighth));
    let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives)), eighth);
    let answers = KeptAnswers::new(eighth);
    let lookups = [("rows", rendered.lookups()), ("figures", analysed.lookups()), ("answers", answers.lookups())];
    let seasons: Arc<dyn SeasonViews<RenderedSeason>> = Arc::new(rendered);
    let analysed: Arc<dyn SeasonViews<SeasonAnalytics>> = Arc::new(analysed);
    let answers: Arc<dyn Answers<KeptBody>> = Arc::new(answers);
    let tables: Arc<dyn TableFormat> = Arc::new(ParquetArchives);
    if let Some(metrics) = api.metrics() {
        metrics.add_source(figures::caches(lookups));
    }
    let api = api.provide(Arc::clone(&seasons)).provide(tabular).provide(answers).provide(tables);
    (api, seasons, analysed)
}

/// Provides the queue for expensive answers.
///
/// # Errors
///
/// The system has no thread left.
pub(super) fn computing(api: Api, settings: &Settings) -> io::Result<Api> {
    let size = ComputeQueue::half_of_the_cores();
    let queue = Arc::new(ComputeQueue::start(size, settings.limits.queue_timeout)?);
    if let Some(metrics) = api.metrics() {
        let queue = Arc::clone(&queue);
        metrics.add_source(move |exposition| queue.expose(exposition));
    }
    Ok(api.provide(queue))
}

/// The time for which a starting server waits for its first poll of the logs. If the store takes longer, polling goes on
/// while the server answers what it can.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// Polls for newer generations until the application ends: a poll that the end of the program interrupts would log that
/// the store does not answer. Returns after the first poll, so that the first requests find the published data.
pub(super) async fn follow(api: Api, generations: Arc<CurrentGenerations>, interval: Duration) -> Api {
    let (looked, first) = tokio::sync::oneshot::channel::<()>();
    let polling = tokio::spawn(async move {
        generations.poll().await;
        drop(looked);
        loop {
            tokio::time::sleep(interval).await;
            generations.poll().await;
        }
    });
    let _: Result<Result<(), _>, _> = tokio::time::timeout(FIRST_LOOK, first).await;
    api.at_the_end(move || {
        polling.abort();
        std::future::ready(())
    })
}
