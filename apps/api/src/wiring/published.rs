//! Provision of the published data, the answers made from it, and the polling for new generations.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use futures::future::BoxFuture;
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates, OpenError, OpenOptions};
use sports_cache_moka::{CachedRecordFiles, CachedSeasonViews, KeptAnswers};
use sports_http_transport::{ComputeQueue, KeptBody};
use sports_ports::answers::Answers;
use sports_ports::calls::CallObserver;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_ports::{Clock, PortError, in_one_line};
use sports_prices_kalshi::SetupError;
use sports_row_formats::{RenderedSeason, TabularSeason};
use sports_settings::Settings;
use sports_telemetry::trace::TraceContext;
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::correction_walks::CorrectionWalks;
use sports_usecases::data_status::DataStatus;
use sports_usecases::forecast_proof::{ForecastProofs, KeptProofs};
use sports_usecases::game_histories::GameHistories;
use sports_usecases::games::Games;
use sports_usecases::markets::Markets;
use sports_usecases::moment::Moments;
use sports_usecases::probes::{Pings, Probes};
use sports_usecases::record::{
    Archives, CheckpointListings, CurrentGenerations, CurrentSeasons, Ledgers, PastPart, PastRecord, ServedRecords,
    Slates, SplitViews, TreeReader, WorkQueue,
};
use sports_usecases::releases::RecentReleases;
use sports_usecases::results::Results;
use sports_usecases::season_walk::SeasonWalks;

use super::figures;
use crate::answer::PastAnswers;
use crate::api::Api;
use crate::moments::{PastRequests, noting_load};
use crate::prices::game_prices;
use crate::render_seasons::RenderSeasons;
use crate::routes::record::{KeptTiles, NamedWitnesses};

/// Opens the store of the settings. A store that does not answer yet is accepted and polled; a store that denies
/// access, or has no such bucket, is an error of the settings.
pub(super) async fn store(api: &Api, settings: &Settings) -> Result<ArtifactStore, OpenError> {
    let observer: Arc<dyn CallObserver> = Arc::new(api.dependencies().store.clone());
    let options = OpenOptions { trace_headers: TraceContext::headers, observer, ..OpenOptions::default() };
    let store = ArtifactStore::open_with(settings.store.url.reveal(), &options)?;
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
    let log: Arc<dyn PublicationLog> = Arc::new(store.clone());
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    let caches = Caches::new(&api, settings, &archives);

    let current = CurrentSeasons::new(Arc::clone(&caches.rendered));
    let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
    let generations = CurrentGenerations::new(Arc::clone(&log), slates.clone(), Arc::new(current), Arc::clone(clock));
    let ledgers = Arc::new(Ledgers::for_server(&log, &(Arc::new(store.clone()) as _), PATIENCE));
    let generations = Arc::new(generations.following(Arc::clone(&ledgers)));
    if let Some(metrics) = api.metrics() {
        metrics.add_source(figures::publication(&generations, clock));
    }
    let reader = tree_reader(store.clone(), &log, &slates, ledgers);
    let api = with_records(api, settings, Arc::clone(&reader), &generations);
    let api = with_past_requests(api);
    let past = PastCaches::new(settings, archives);
    let stored = (Arc::clone(&log), slates);
    let (api, moments) = with_seasons(api, (&generations, clock), stored, caches, past);
    let api = with_proofs(api, reader);
    let prices = game_prices(&settings.prices, clock, &api.dependencies().prices)?;
    let markets = Markets::new(Arc::clone(clock), prices);
    let api = api
        .provide(Arc::new(Probes::new(pings, log, Arc::clone(&generations))))
        .provide(Arc::new(Results::new(Arc::clone(&moments))))
        .provide(Arc::new(Games::new(Arc::clone(&moments))))
        .provide(Arc::new(RecentReleases::new(Arc::clone(&generations))))
        .provide(Arc::new(DataStatus::new(Arc::clone(&moments))))
        .provide(Arc::clone(&generations))
        .provide(moments)
        .provide(Arc::new(markets));
    Ok((api, generations))
}

/// Creates the reader of the records' trees, with its files and the tiles that it computes in memory.
fn tree_reader(
    store: ArtifactStore,
    log: &Arc<dyn PublicationLog>,
    slates: &Slates,
    ledgers: Arc<Ledgers>,
) -> Arc<TreeReader> {
    let files = Arc::new(CachedRecordFiles::new(Arc::new(store), RECORD_FILES));
    let reader = TreeReader::new(Arc::clone(log), slates.clone(), files).following(ledgers);
    Arc::new(reader.with_tiles_in(Arc::new(KeptAnswers::new(COMPUTED_TILES))))
}

/// The time for which a request waits for facts of older entries, which a starting server reads.
const PATIENCE: Duration = Duration::from_secs(2);

/// The memory for files of all records: notes, tiles for proofs, and keys; in bytes.
const RECORD_FILES: u64 = 4 << 20;

/// The memory for the tiles of one league that were served, in bytes.
const TILES: u64 = 2 << 20;

/// The memory for tiles that were computed, such as those of the newest leaves, in bytes.
const COMPUTED_TILES: u64 = 1 << 20;

/// The memory for entries that made forecasts, with their leaves, in bytes.
const RECORDINGS: u64 = 4 << 20;

/// The memory for the proofs that were made last, in bytes.
const PROOFS: u64 = 2 << 20;

/// Provides the records as anybody may read them.
fn with_records(api: Api, settings: &Settings, reader: Arc<TreeReader>, generations: &Arc<CurrentGenerations>) -> Api {
    let listings = Arc::new(CheckpointListings::new(Arc::clone(&reader)));
    let records = ServedRecords::new(reader, Arc::clone(generations), Arc::clone(&listings));
    let witnesses = settings.record.witnesses.as_slice().iter().map(|witness| witness.key.clone());
    api.provide(listings)
        .provide(Arc::new(records))
        .provide(Arc::new(KeptTiles::new(|| Arc::new(KeptAnswers::new(TILES)))))
        .provide(Arc::new(NamedWitnesses(witnesses.collect())))
}

/// Provides the proofs of forecasts, which are made from the seasons there are.
fn with_proofs(api: Api, reader: Arc<TreeReader>) -> Api {
    let Some(seasons) = api.piece::<dyn SeasonViews<TabularSeason>>() else { return api };
    let Some(listings) = api.piece::<CheckpointListings>() else { return api };
    let recordings = Arc::new(KeptAnswers::new(RECORDINGS));
    let proofs = Arc::new(ForecastProofs::new(reader, seasons).with_recordings_in(recordings));
    let kept = KeptProofs::new(Arc::clone(&proofs), listings, Arc::new(KeptAnswers::new(PROOFS)));
    api.provide(proofs).provide(Arc::new(kept))
}

/// The caches in front of current archives. They share one limit with those of earlier archives; rows take by far the most.
struct Caches {
    rendered: Arc<dyn SeasonViews<RenderedSeason>>,
    tabular: Arc<dyn SeasonViews<TabularSeason>>,
    analysed: Arc<dyn SeasonViews<SeasonAnalytics>>,
    answers: Arc<dyn Answers<KeptBody>>,
}

impl Caches {
    fn new(api: &Api, settings: &Settings, archives: &Archives) -> Self {
        let eighth = settings.memory.archives.bytes() / 8;
        let render = Arc::new(RenderSeasons(archives.clone()));
        let rendered = CachedSeasonViews::new(Arc::clone(&render) as _, 4 * eighth);
        let tabular = CachedSeasonViews::new(render, eighth);
        let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives.clone())), eighth);
        let answers = KeptAnswers::new(eighth);
        let lookups = [("rows", rendered.lookups()), ("figures", analysed.lookups()), ("answers", answers.lookups())];
        if let Some(metrics) = api.metrics() {
            metrics.add_source(figures::caches(lookups));
        }
        Self {
            rendered: Arc::new(rendered),
            tabular: Arc::new(tabular),
            analysed: Arc::new(analysed),
            answers: Arc::new(answers),
        }
    }
}

/// The caches of earlier moments. They have an eighth of the memory together, and evict nothing current.
struct PastCaches {
    rendered: Arc<dyn SeasonViews<RenderedSeason>>,
    tabular: Arc<dyn SeasonViews<TabularSeason>>,
    analysed: Arc<dyn SeasonViews<SeasonAnalytics>>,
    answers: Arc<dyn Answers<KeptBody>>,
    parts: Arc<dyn Answers<PastPart>>,
    /// The memory of walks over seasons, in bytes.
    walks: u64,
    /// The memory of walks over leaves, in bytes.
    corrections: u64,
    archives: Archives,
}

impl PastCaches {
    fn new(settings: &Settings, archives: Archives) -> Self {
        let sixteenth = settings.memory.archives.bytes() / 8 / 16;
        let render = Arc::new(RenderSeasons(archives.clone()));
        Self {
            rendered: Arc::new(CachedSeasonViews::new(Arc::clone(&render) as _, 4 * sixteenth)),
            tabular: Arc::new(CachedSeasonViews::new(render, 2 * sixteenth)),
            analysed: Arc::new(CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives.clone())), 2 * sixteenth)),
            answers: Arc::new(KeptAnswers::new(2 * sixteenth)),
            parts: Arc::new(KeptAnswers::new(2 * sixteenth)),
            walks: 3 * sixteenth,
            corrections: sixteenth,
            archives,
        }
    }
}

/// Provides the counts of requests for earlier moments, if there are metrics.
fn with_past_requests(api: Api) -> Api {
    let Some(metrics) = api.metrics() else { return api };
    let requests = Arc::new(PastRequests::default());
    let counted = Arc::clone(&requests);
    metrics.add_source(move |exposition| counted.expose(exposition));
    api.provide(requests)
}

/// Provides the seasons of current and earlier moments, and the answers made from them. Returns the moments.
fn with_seasons(
    api: Api,
    (generations, clock): (&Arc<CurrentGenerations>, &Arc<dyn Clock>),
    (log, slates): (Arc<dyn PublicationLog>, Slates),
    current: Caches,
    past: PastCaches,
) -> (Api, Arc<Moments>) {
    let rendered = split(generations, current.rendered, past.rendered);
    let tabular = split(generations, current.tabular, past.tabular);
    let analysed = split(generations, current.analysed, past.analysed);
    let moments = Moments::new(Arc::clone(generations), Arc::clone(clock));
    let analytics = Analytics::new(analysed);
    let (api, analytics, moments) = match api.piece::<ComputeQueue>() {
        Some(queue) => {
            let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&rendered)));
            // A walk is in the queue more than once.
            let timeout = 2 * queue.timeout();
            let queue: Arc<dyn WorkQueue> = Arc::new(PastQueue(queue));
            let corrections = CorrectionWalks::new(
                Arc::clone(generations.ledgers()),
                slates.clone(),
                Arc::clone(&queue),
                past.corrections,
                timeout,
            );
            let record = Arc::new(PastRecord::new(Arc::clone(generations), past.parts, preparation, queue));
            let moments = Arc::new(moments.with_past(Arc::clone(&record)));
            let walks = SeasonWalks::new(log, (slates, past.archives), record, past.walks, timeout);
            let walks = Arc::new(walks);
            let histories = GameHistories::new(Arc::clone(&moments), Arc::clone(&walks));
            let api = api.provide(Arc::new(corrections)).provide(Arc::new(histories));
            (api, analytics.with_walks(walks), moments)
        }
        None => (api, analytics, Arc::new(moments)),
    };
    let tables: Arc<dyn TableFormat> = Arc::new(ParquetArchives);
    let api = api.provide(rendered).provide(tabular).provide(current.answers).provide(tables);
    let api = api.provide(Arc::new(PastAnswers(past.answers))).provide(Arc::new(analytics));
    (api, moments)
}

fn split<V: Send + Sync + 'static>(
    generations: &Arc<CurrentGenerations>,
    current: Arc<dyn SeasonViews<V>>,
    past: Arc<dyn SeasonViews<V>>,
) -> Arc<dyn SeasonViews<V>> {
    Arc::new(SplitViews::new(Arc::clone(generations), current, past))
}

/// The queue of expensive computations, in which work for earlier moments waits.
struct PastQueue(Arc<ComputeQueue>);

#[async_trait]
impl WorkQueue for PastQueue {
    async fn run(&self, work: BoxFuture<'static, ()>) -> Result<(), PortError> {
        let work = async move {
            work.await;
            Ok(())
        };
        noting_load(self.0.run_shared(work)).await
    }
}

/// Provides the queue for expensive answers.
///
/// # Errors
///
/// The system has no thread left.
pub(super) fn computing(api: Api, settings: &Settings) -> io::Result<Api> {
    let queue = Arc::new(ComputeQueue::start(ComputeQueue::cores(), settings.limits.queue_timeout)?);
    if let Some(metrics) = api.metrics() {
        let queue = Arc::clone(&queue);
        metrics.add_source(move |exposition| queue.expose(exposition));
    }
    Ok(api.provide(queue))
}

/// The time for which a starting server waits for its first poll of the logs. If the store takes longer, polling goes on
/// while the server answers what it can.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The longest time that a poll may take, with loads from a slow store, before the server counts as behind the log.
const LONGEST_POLL: Duration = Duration::from_mins(3);

/// Polls for newer generations until the application ends: a poll that the end of the program interrupts would log that
/// the store does not answer. Returns after the first poll, so that the first requests find the published data.
pub(super) async fn follow(api: Api, generations: Arc<CurrentGenerations>, interval: Duration) -> Api {
    let (looked, first) = tokio::sync::oneshot::channel::<()>();
    let mut looked = Some(looked);
    let polling = api.tasks().supervise_within("log", interval + LONGEST_POLL, move |pulse| {
        let (generations, looked) = (Arc::clone(&generations), looked.take());
        async move {
            generations.poll().await;
            drop(looked);
            loop {
                pulse.beat();
                generations.read_older();
                tokio::time::sleep(interval).await;
                generations.poll().await;
            }
        }
    });
    let _: Result<Result<(), _>, _> = tokio::time::timeout(FIRST_LOOK, first).await;
    let (abort, ended) = (polling.abort_handle(), polling.map(drop).shared());
    api.at_the_end(move || {
        abort.abort();
        ended.clone()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use sports_domain::Sport;
    use sports_ports::publication::{Appended, LogEntry};
    use sports_publication::{Catalog, Generation};
    use sports_telemetry::metrics::Exposition;
    use sports_testkit::clock::ClockFake;
    use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake};
    use tokio::time::sleep;

    use super::*;

    /// An empty log. A read panics while `broken` is above zero, and counts it down.
    #[derive(Default)]
    struct PanickingLog {
        empty: StoreFake,
        broken: AtomicUsize,
    }

    #[async_trait]
    impl PublicationLog for PanickingLog {
        async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
            let broken = self.broken.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
            assert!(broken.is_err(), "a fault");
            self.empty.numbers(sport).await
        }

        async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
            self.empty.numbers_after(sport, generation).await
        }

        async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
            self.empty.entry(sport, generation).await
        }

        async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
            self.empty.append(catalog).await
        }

        async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
            self.empty.honours_put_if_absent().await
        }

        async fn ping(&self) -> Result<(), PortError> {
            self.empty.ping().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn polling_goes_on_after_a_panic_and_the_server_is_not_ready_meanwhile() {
        let (log, store) = (Arc::new(PanickingLog::default()), Arc::new(StoreFake::default()));
        let clock: Arc<dyn Clock> = Arc::new(ClockFake::at("2025-05-01T12:00:00Z"));
        let archives = Archives::new(store.clone(), Arc::new(CodecFake::default()));
        let current = CurrentSeasons::new(Arc::new(CachedSeasonViews::<RenderedSeason>::new(
            Arc::new(RenderSeasons(archives)),
            1 << 20,
        )));
        let slates = Slates::new(store, Arc::new(SlateCodecFake::default()));
        let generations = CurrentGenerations::new(log.clone(), slates, Arc::new(current), Arc::clone(&clock));
        let generations = Arc::new(generations);
        let api = follow(Api::new(clock), Arc::clone(&generations), Duration::from_secs(1)).await;
        assert!(generations.status().first_look && api.tasks().all_work());

        log.broken.store(1, Relaxed);
        sleep(Duration::from_millis(1_050)).await;
        assert!(!api.tasks().all_work(), "a poll panicked");
        sleep(Duration::from_millis(200)).await;
        assert!(api.tasks().all_work(), "a poll after the restart succeeded");
        let tasks = api.tasks();
        let text = Exposition::text_of(move |exposition| tasks.expose(exposition));
        assert!(text.ends_with("background_task_panics_total{task=\"log\"} 1\n"), "{text}");
        api.end().await;
    }
}
