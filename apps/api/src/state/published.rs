use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::BoxFuture;
use sports_cache_moka::{CachedRecordFiles, CachedSeasonViews, KeptAnswers, Lookups};
use sports_http_transport::{ComputeQueue, KeptBody};
use sports_ports::answers::Answers;
use sports_ports::prices::GamePrices;
use sports_ports::publication::PublicationLog;
use sports_ports::record::RecordFiles;
use sports_ports::seasons::SeasonViews;
use sports_ports::{Clock, PortError};
use sports_row_formats::{RenderedSeason, TabularSeason};
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::correction_walks::CorrectionWalks;
use sports_usecases::data_status::DataStatus;
use sports_usecases::forecast_proof::{ForecastProofs, KeptProofs};
use sports_usecases::game_histories::GameHistories;
use sports_usecases::games::Games;
use sports_usecases::markets::Markets;
use sports_usecases::moment::Moments;
use sports_usecases::record::{
    Archives, CheckpointListings, CurrentGenerations, CurrentSeasons, Ledgers, PastPart, PastRecord, ServedRecords,
    Slates, SplitViews, TreeReader, WorkQueue,
};
use sports_usecases::releases::RecentReleases;
use sports_usecases::results::Results;
use sports_usecases::season_walk::SeasonWalks;

use super::tiles::CachedTiles;
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
    pub tiles: CachedTiles,
    pub proofs: Arc<ForecastProofs<TabularSeason>>,
    pub recent_proofs: KeptProofs<TabularSeason>,
}

/// The bodies of answers in memory, and the queue in which expensive ones are made.
pub struct CachedAnswers {
    pub queue: Arc<ComputeQueue>,
    pub present: Arc<dyn Answers<KeptBody>>,
    /// The answers of earlier moments, which never replace those of the present.
    pub past: Arc<dyn Answers<KeptBody>>,
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
        let current = Caches::new(memory, archives);
        let past = PastCaches::new(memory, archives.clone());
        let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&current.rendered)));
        let generations = CurrentGenerations::new(Arc::clone(log), slates.clone(), preparation, Arc::clone(clock));
        let ledgers = Arc::new(Ledgers::for_server(log, files, PATIENCE));
        let generations = Arc::new(generations.following(Arc::clone(&ledgers)));
        let rendered = split(&generations, current.rendered, past.rendered);
        let tabular = split(&generations, current.tabular, past.tabular);
        let analysed = split(&generations, current.analysed, past.analysed);

        // A walk is in the queue more than once.
        let timeout = 2 * queue.timeout();
        let past_queue: Arc<dyn WorkQueue> = Arc::new(PastQueue(Arc::clone(&queue)));
        let corrections =
            CorrectionWalks::new(ledgers, slates.clone(), Arc::clone(&past_queue), past.corrections, timeout);
        let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&rendered)));
        let record = Arc::new(PastRecord::new(Arc::clone(&generations), past.parts, preparation, past_queue));
        let moments = Arc::new(Moments::new(Arc::clone(&record), Arc::clone(clock)));
        let walks = SeasonWalks::new(Arc::clone(log), (slates.clone(), past.archives), record, past.walks, timeout);
        let walks = Arc::new(walks);
        Self {
            results: Results::new(Arc::clone(&moments)),
            games: Games::new(Arc::clone(&moments)),
            releases: Arc::new(RecentReleases::new(Arc::clone(&generations))),
            data_status: DataStatus::new(Arc::clone(&moments)),
            markets: Markets::new(Arc::clone(clock), prices),
            analytics: Analytics::new(analysed, Arc::clone(&walks)),
            histories: Arc::new(GameHistories::new(Arc::clone(&moments), walks)),
            corrections: Arc::new(corrections),
            records: Records::new(stored, &generations, &tabular),
            rendered,
            tabular,
            answers: CachedAnswers { queue, present: current.answers, past: past.answers },
            lookups: current.lookups,
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
    ) -> Self {
        let files = Arc::new(CachedRecordFiles::new(Arc::clone(&stored.files), RECORD_FILES));
        let reader = TreeReader::new(Arc::clone(&stored.log), stored.slates.clone(), files);
        let reader = reader.following(Arc::clone(generations.ledgers()));
        let reader = Arc::new(reader.with_tiles_in(Arc::new(KeptAnswers::new(COMPUTED_TILES))));
        let listings = Arc::new(CheckpointListings::new(Arc::clone(&reader)));
        let proofs = ForecastProofs::new(Arc::clone(&reader), Arc::clone(seasons));
        let proofs = Arc::new(proofs.with_recordings_in(Arc::new(KeptAnswers::new(RECORDINGS))));
        Self {
            recent_proofs: KeptProofs::new(
                Arc::clone(&proofs),
                Arc::clone(&listings),
                Arc::new(KeptAnswers::new(PROOFS)),
            ),
            proofs,
            served: ServedRecords::new(reader, Arc::clone(generations), listings),
            tiles: CachedTiles::new(|| Arc::new(KeptAnswers::new(TILES))),
        }
    }
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

/// The caches in front of current archives. They share one limit with those of earlier archives; rows take by far the most.
struct Caches {
    rendered: Arc<dyn SeasonViews<RenderedSeason>>,
    tabular: Arc<dyn SeasonViews<TabularSeason>>,
    analysed: Arc<dyn SeasonViews<SeasonAnalytics>>,
    answers: Arc<dyn Answers<KeptBody>>,
    lookups: CacheLookups,
}

impl Caches {
    fn new(memory: u64, archives: &Archives) -> Self {
        let eighth = memory / 8;
        let render = Arc::new(RenderSeasons(archives.clone()));
        let rendered = CachedSeasonViews::new(Arc::clone(&render) as _, 4 * eighth);
        let tabular = CachedSeasonViews::new(render, eighth);
        let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives.clone())), eighth);
        let answers = KeptAnswers::new(eighth);
        Self {
            lookups: [("rows", rendered.lookups()), ("figures", analysed.lookups()), ("answers", answers.lookups())],
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
    fn new(memory: u64, archives: Archives) -> Self {
        let sixteenth = memory / 8 / 16;
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
