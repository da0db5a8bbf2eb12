use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use sports_domain::paging::{HistoryRequest, Limit};
use sports_domain::{Market, ModelType, Sport};
use sports_ports::publication::{Objects, PublicationLog};
use sports_publication::testing::{a_game, a_release};
use sports_publication::{ArchivedGame, Catalog, Generation, Release};
use sports_testkit::clock::ClockFake;
use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake};
use sports_testkit::random::RandomFake;
use sports_usecases::moment::Moments;
use sports_usecases::publish::{Mode, PublishError, PublishOutcome, Published, Publisher};
use sports_usecases::record::{
    Archives, CheckpointListings, CurrentGenerations, CurrentSeasons, Inline, PastRecord, Slates, TreeReader,
    newest_entry,
};
use sports_usecases::results::{Results, ResultsError, ResultsPage, SeasonList, seasons};
use sports_usecases::season_walk::SeasonWalks;

use crate::following::Opened;
use crate::moments::Uncached;

pub const SPORT: Sport = Sport::Mlb;
pub const MARKET: Market = Market::new(SPORT, ModelType::WonOnSpread);
pub const SEASON: &str = "2024";

/// A store, its readers and a clock.
pub struct World {
    pub store: Arc<StoreFake>,
    pub archives: Archives,
    pub slates: Slates,
    pub clock: Arc<ClockFake>,
    pub codecs: (Arc<CodecFake>, Arc<SlateCodecFake>),
    pub random: Arc<RandomFake>,
}

impl World {
    pub fn new() -> Self {
        let store = Arc::new(StoreFake::default());
        let codecs = (Arc::new(CodecFake::default()), Arc::new(SlateCodecFake::default()));
        let archives = Archives::new(store.clone(), codecs.0.clone());
        let slates = Slates::new(store.clone(), codecs.1.clone());
        let (clock, random) = (Arc::new(ClockFake::at("2024-11-25T15:00:00Z")), Arc::new(RandomFake::default()));
        Self { store, archives, slates, clock, codecs, random }
    }

    pub fn publisher(&self) -> Publisher {
        self.publisher_over(self.store.clone(), self.archives.clone(), self.slates.clone())
    }

    /// Creates a publisher that reaches the store through another.
    pub fn publisher_through<S: PublicationLog + Objects + 'static>(&self, store: Arc<S>) -> Publisher {
        let archives = Archives::new(store.clone(), self.codecs.0.clone());
        let slates = Slates::new(store.clone(), self.codecs.1.clone());
        self.publisher_over(store, archives, slates)
    }

    fn publisher_over(&self, log: Arc<dyn PublicationLog>, archives: Archives, slates: Slates) -> Publisher {
        Publisher::new(log, archives, slates, self.clock.clone(), self.random.clone())
    }

    /// Creates a node that opens the archives of each generation that becomes current.
    pub fn node(&self) -> Arc<CurrentGenerations> {
        self.node_over(self.store.clone())
    }

    /// Creates a node that reads entries through another log.
    pub fn node_over(&self, log: Arc<dyn PublicationLog>) -> Arc<CurrentGenerations> {
        let opened = CurrentSeasons::new(Arc::new(Opened(self.archives.clone())));
        Arc::new(CurrentGenerations::new(log, self.slates.clone(), Arc::new(opened), self.clock.clone()))
    }

    /// Creates the record behind a node, which keeps nothing of it in memory.
    pub fn past(&self, node: &Arc<CurrentGenerations>) -> Arc<PastRecord> {
        let opened = Arc::new(CurrentSeasons::new(Arc::new(Opened(self.archives.clone()))));
        Arc::new(PastRecord::new(Arc::clone(node), Arc::new(Uncached), opened, Arc::new(Inline)))
    }

    /// Creates the listings of the signed checkpoints.
    pub fn checkpoints(&self) -> Arc<CheckpointListings> {
        let reader = TreeReader::new(self.store.clone(), self.slates.clone(), self.store.clone());
        Arc::new(CheckpointListings::new(Arc::new(reader)))
    }

    /// Creates the walks over a record.
    pub fn walks(&self, past: Arc<PastRecord>) -> Arc<SeasonWalks> {
        let (slates, archives) = (self.slates.clone(), self.archives.clone());
        Arc::new(SeasonWalks::new(slates, archives, past, 1 << 20, Duration::from_mins(1)))
    }

    pub async fn try_publish(&self, release: &Release) -> Result<Published, PublishError> {
        self.publisher().publish(release, Mode::Commit).await
    }

    pub async fn publish(&self, games: Vec<ArchivedGame>) -> Published {
        self.try_publish(&a_release(SPORT, SEASON, games)).await.expect("publishes")
    }

    /// Rewrites the first entry as a forger would, without changing later entries.
    pub async fn alter_first_entry(&self) {
        let first = self.store.entry(SPORT, generation(1)).await.expect("answers").expect("an entry");
        let slate_date = "2020-01-01".parse().expect("a date");
        self.store.forge_entry(Catalog { slate_date, ..first.catalog });
    }

    pub async fn head(&self) -> Catalog {
        newest_entry(&*self.store, SPORT).await.expect("answers").expect("published").catalog
    }
}

/// The history of markets at the present moment.
pub struct ResultsNow {
    moments: Arc<Moments>,
    results: Results,
}

impl ResultsNow {
    pub fn new(world: &World, node: &Arc<CurrentGenerations>) -> Self {
        let moments = Arc::new(Moments::new(world.past(node), world.clock.clone()));
        Self { results: Results::new(Arc::clone(&moments)), moments }
    }

    pub async fn page(
        &self,
        market: Market,
        request: &HistoryRequest,
        limit: Limit,
    ) -> Result<ResultsPage, ResultsError> {
        let moment = self.moments.now(market.sport).map_err(ResultsError::from)?;
        Ok(self.results.page(moment, market, request, limit).await?.1)
    }

    pub fn seasons(&self, market: Market) -> SeasonList {
        seasons(&self.moments.now(market.sport).expect("read"), market)
    }
}

/// Returns the result of a question whose data is in memory.
pub fn in_memory<T, E: Debug>(question: impl Future<Output = Result<T, E>>) -> T {
    question.now_or_never().expect("in memory").expect("a question")
}

/// Builds games that differ in their away teams.
pub fn games(visitors: &[&str]) -> Vec<ArchivedGame> {
    visitors.iter().map(|away| a_game().visited_by(away).build()).collect()
}

pub fn generation(number: u64) -> Generation {
    Generation::new(number).expect("not zero")
}

pub fn published(published: &Published) -> u64 {
    match &published.outcome {
        PublishOutcome::Published { generation, .. } => generation.get(),
        other => panic!("not published: {other:?}"),
    }
}
