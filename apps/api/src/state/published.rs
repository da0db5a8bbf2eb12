use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::BoxFuture;
use sports_cache::{CachedRecordFiles, CachedResults, CachedSeasonViews, ContentCache, Lookups};
use sports_http_transport::{ComputeQueue, KeptBody};
use sports_ports::prices::GamePrices;
use sports_ports::publication::PublicationLog;
use sports_ports::record::RecordFiles;
use sports_ports::results::ResultCache;
use sports_ports::seasons::SeasonViews;
use sports_ports::{Clock, PortError};
use sports_tables::{RenderedSeason, TabularSeason};
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::correction_walks::CorrectionWalks;
use sports_usecases::data_status::DataStatus;
use sports_usecases::forecast_proof::{CachedProofs, ForecastProofs};
use sports_usecases::game_histories::GameHistories;
use sports_usecases::games::Games;
use sports_usecases::markets::Markets;
use sports_usecases::moment::Moments;
use sports_usecases::record::{
    Archives, CheckpointListings, CurrentGenerations, CurrentSeasons, Ledgers, PastPart, PastRecord, ServedRecords,
    Slates, TreeReader, WorkQueue,
};
use sports_usecases::releases::RecentReleases;
use sports_usecases::results::Results;
use sports_usecases::season_walk::SeasonWalks;

use crate::caching::File;
use crate::past_requests::noting_load;
use crate::render_seasons::RenderSeasons;

/// The store of published data, behind its ports.
#[derive(Clone)]
pub struct StoredData {
    pub log: Arc<dyn PublicationLog>,
    pub archives: Archives,
    pub slates: Slates,
    /// The files of the records: tiles, checkpoints and keys.
    pub files: Arc<dyn RecordFiles>,
}

/// The published data in memory, and the questions about it.
pub struct Published {
    pub generations: Arc<CurrentGenerations>,
    pub moments: Arc<Moments>,
    pub results: Results,
    pub games: Games,
    pub releases: Arc<RecentReleases>,
    pub data_status: DataStatus,
    pub markets: Markets,
    pub analytics: Analytics,
    pub histories: Arc<GameHistories>,
    pub corrections: Arc<CorrectionWalks>,
    pub records: Records,
    /// Seasons as JSON.
    pub rendered: Arc<dyn SeasonViews<RenderedSeason>>,
    /// Seasons as tables.
    pub tabular: Arc<dyn SeasonViews<TabularSeason>>,
    pub answers: CachedAnswers,
    /// The lookups in caches, by the caches' names in the metrics.
    pub lookups: CacheLookups,
}

/// The records of the leagues as anybody may check them, and the proofs of forecasts.
pub struct Records {
    pub served: ServedRecords,
    checkpoints: Arc<CheckpointListings>,
    /// The tiles that were found.
    pub(crate) tiles: Arc<dyn ResultCache<File>>,
    pub proofs: Arc<ForecastProofs<TabularSeason>>,
    pub recent_proofs: CachedProofs<TabularSeason>,
}

/// The bodies of answers in memory, and the queue in which expensive ones are made.
pub struct CachedAnswers {
    pub queue: Arc<ComputeQueue>,
    pub bodies: Arc<dyn ResultCache<KeptBody>>,
}

/// Caches and their lookups.
type CacheLookups = [(&'static str, Lookups); 3];

impl Published {
    /// Creates the questions about stored data, with caches of so many bytes together. Nothing is read before the log is polled.
    pub fn new(
        stored: &StoredData,
        memory: u64,
        queue: Arc<ComputeQueue>,
        prices: Arc<dyn GamePrices>,
        clock: &Arc<dyn Clock>,
    ) -> Self {
        let StoredData { log, archives, slates, files } = stored;
        let memory = Memory::of(memory);
        let Caches { rendered, tabular, analysed, bodies, lookups } = Caches::new(&memory.cache, stored);
        let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&rendered)));
        let generations =
            CurrentGenerations::new(Arc::clone(log), slates.clone(), preparation.clone(), Arc::clone(clock));
        let ledgers = Arc::new(Ledgers::for_server(log, files, PATIENCE));
        let generations = Arc::new(generations.following(Arc::clone(&ledgers)));

        // A walk is in the queue more than once.
        let timeout = 2 * queue.timeout();
        let past_queue: Arc<dyn WorkQueue> = Arc::new(PastQueue(Arc::clone(&queue)));
        let corrections =
            CorrectionWalks::new(ledgers, slates.clone(), Arc::clone(&past_queue), memory.corrections, timeout);
        let parts: Arc<dyn ResultCache<PastPart>> = Arc::new(CachedResults::new(&memory.cache));
        let record = Arc::new(PastRecord::new(Arc::clone(&generations), parts, preparation, past_queue));
        let moments = Arc::new(Moments::new(Arc::clone(&record), Arc::clone(clock)));
        let walks = Arc::new(SeasonWalks::new(slates.clone(), archives.clone(), record, memory.walks, timeout));
        let records = Records::new(stored, &generations, &tabular, &memory.cache);
        Self {
            results: Results::new(Arc::clone(&moments)),
            games: Games::new(Arc::clone(&moments)),
            releases: Arc::new(RecentReleases::new(Arc::clone(&generations))),
            data_status: DataStatus::new(Arc::clone(&moments), Arc::clone(&records.checkpoints)),
            markets: Markets::new(Arc::clone(clock), prices),
            analytics: Analytics::new(analysed, Arc::clone(&walks), Arc::clone(&records.checkpoints)),
            histories: Arc::new(GameHistories::new(Arc::clone(&moments), walks)),
            corrections: Arc::new(corrections),
            records,
            rendered,
            tabular,
            answers: CachedAnswers { queue, bodies },
            lookups,
            generations,
            moments,
        }
    }
}

impl Records {
    fn new(
        stored: &StoredData,
        generations: &Arc<CurrentGenerations>,
        seasons: &Arc<dyn SeasonViews<TabularSeason>>,
        cache: &ContentCache,
    ) -> Self {
        let files = Arc::new(CachedRecordFiles::new(Arc::clone(&stored.files), cache));
        let reader = TreeReader::new(Arc::clone(&stored.log), stored.slates.clone(), files);
        let reader = reader.following(Arc::clone(generations.ledgers()));
        let reader = Arc::new(reader.with_tiles_in(Arc::new(CachedResults::new(cache))));
        let listings = Arc::new(CheckpointListings::new(Arc::clone(&reader)));
        let proofs = ForecastProofs::new(Arc::clone(&reader), Arc::clone(seasons));
        let proofs = Arc::new(proofs.with_recordings_in(Arc::new(CachedResults::new(cache))));
        let recent = Arc::new(CachedResults::new(cache));
        Self {
            recent_proofs: CachedProofs::new(Arc::clone(&proofs), Arc::clone(&listings), recent),
            proofs,
            served: ServedRecords::new(reader, Arc::clone(generations), Arc::clone(&listings)),
            checkpoints: listings,
            tiles: Arc::new(CachedResults::new(cache)),
        }
    }
}

/// The time for which a request waits for facts of older entries, which a starting server reads.
const PATIENCE: Duration = Duration::from_secs(2);

/// The shares of the memory for archives. What the current generations pin comes on top of it.
struct Memory {
    cache: ContentCache,
    /// The memory of walks over seasons, in bytes.
    walks: u64,
    /// The memory of walks over leaves, in bytes.
    corrections: u64,
}

impl Memory {
    fn of(bytes: u64) -> Self {
        let share = bytes / 128;
        Self { cache: ContentCache::new(124 * share), walks: 3 * share, corrections: share }
    }
}

/// What is cached of archives, of the present and of earlier moments alike.
struct Caches {
    rendered: Arc<dyn SeasonViews<RenderedSeason>>,
    tabular: Arc<dyn SeasonViews<TabularSeason>>,
    analysed: Arc<dyn SeasonViews<SeasonAnalytics>>,
    bodies: Arc<dyn ResultCache<KeptBody>>,
    lookups: CacheLookups,
}

impl Caches {
    fn new(cache: &ContentCache, StoredData { archives, slates, .. }: &StoredData) -> Self {
        let render = Arc::new(RenderSeasons { archives: archives.clone(), slates: slates.clone() });
        let rendered = CachedSeasonViews::new(Arc::clone(&render) as _, cache);
        let tabular = CachedSeasonViews::new(render, cache);
        let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives.clone())), cache);
        let bodies = CachedResults::new(cache);
        Self {
            lookups: [("rows", rendered.lookups()), ("figures", analysed.lookups()), ("answers", bodies.lookups())],
            rendered: Arc::new(rendered),
            tabular: Arc::new(tabular),
            analysed: Arc::new(analysed),
            bodies: Arc::new(bodies),
        }
    }
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
