//! A league whose entries do not arrive.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sports_domain::paging::{HistoryRequest, Limit, Snapshot};
use sports_domain::{Market, ModelType, Sport};
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_publication::testing::{a_release, season};
use sports_publication::{Catalog, Generation};
use sports_testkit::publication::StoreFake;
use sports_usecases::record::{CurrentGenerations, CurrentSeasons};
use sports_usecases::results::ResultsError;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::following::Opened;
use crate::world::{MARKET, ResultsNow, SEASON, SPORT, World, games};

const OTHER: Sport = Sport::Nba;

/// A log of which the first entry of one league is read once more, and then never again.
struct StalledLog {
    store: Arc<StoreFake>,
    reads: Semaphore,
}

#[async_trait]
impl PublicationLog for StalledLog {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.store.numbers(sport).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        self.store.numbers_after(sport, generation).await
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        if (sport, generation) == (SPORT, Generation::FIRST) {
            self.reads.acquire().await.expect("never closed").forget();
        }
        self.store.entry(sport, generation).await
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.store.append(catalog).await
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.store.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.store.ping().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_is_looked_up_while_another_league_stalls() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.try_publish(&a_release(OTHER, "2024-25", games(&["a"]))).await.expect("publishes");
    let log = Arc::new(StalledLog { store: Arc::clone(&world.store), reads: Semaphore::new(1) });
    let opened = CurrentSeasons::new(Arc::new(Opened(world.archives.clone())));
    let node = CurrentGenerations::new(log, world.slates.clone(), Arc::new(opened), world.clock.clone());
    let node = Arc::new(node);
    node.poll().await;
    let results = ResultsNow::new(&world, &node);
    let limit = Limit::new(10).expect("a limit");
    let page = async |market: Market, label: &str| {
        let snapshot = Some(Snapshot::named("0123456789abcdef".to_owned()));
        let request = HistoryRequest::OfSeason { season: season(market.sport, label), offset: 0, snapshot };
        timeout(Duration::from_secs(5), results.page(market, &request, limit)).await
    };
    let other = Market::new(OTHER, ModelType::WonOnSpread);
    let (stalled, answered) = tokio::join!(page(MARKET, SEASON), page(other, "2024-25"));
    assert!(stalled.is_err(), "its entries do not arrive");
    assert!(matches!(answered, Ok(Err(ResultsError::NoSuchSnapshot { .. }))), "{answered:?}");
}
