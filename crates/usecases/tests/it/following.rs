use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelName, Sport};
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews};
use sports_publication::{Catalog, Generation, SeasonArchive};
use sports_usecases::record::{
    Archives, CurrentGenerations, CurrentSeasons, ForecastSeasons, NotReadYet, PinnedSeasons, Preparation,
};
use sports_usecases::unsettled::UnsettledGames;

use crate::world::{MARKET, SPORT, World, games, generation};

/// Views that are the archives themselves.
pub struct Opened(pub Archives);

#[async_trait]
impl SeasonViews<SeasonArchive> for Opened {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonArchive>, PortError> {
        self.0.read(season).await.map(Arc::new)
    }
}

fn published(node: &CurrentGenerations) -> Option<u64> {
    node.current(SPORT).expect("the log was read").map(|league| league.catalog().generation.get())
}

fn failing(node: &CurrentGenerations) -> Vec<u64> {
    node.status().failing.iter().map(|failing| failing.generation.get()).collect()
}

#[tokio::test]
async fn a_league_is_unread_before_the_first_poll() {
    let world = World::new();
    let node = world.node();
    assert_eq!(node.current(SPORT).err(), Some(NotReadYet(SPORT)));
    assert!(!node.status().first_look);
    node.poll().await;
    assert_eq!(published(&node), None, "never published");
    assert!(node.status().first_look);
}

#[tokio::test]
async fn a_new_generation_is_current_after_the_next_poll() {
    let world = World::new();
    let node = world.node();
    node.poll().await;
    for number in 1..=3 {
        world.publish(games(&["a", "b", "c"][..number])).await;
        node.poll().await;
        assert_eq!(published(&node), Some(number as u64));
    }
}

/// Seasons that stay in memory and count how often they were made ready.
#[derive(Default)]
struct Kept(Mutex<HashMap<ObjectHash, Arc<KeptSeason>>>);

#[derive(Default)]
struct KeptSeason(AtomicUsize);

impl LoadedSeason for KeptSeason {
    fn make_ready(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    fn unsettled(&self) -> Vec<GameKey> {
        Vec::new()
    }

    fn forecast_models(&self) -> BTreeSet<ModelName> {
        BTreeSet::new()
    }
}

#[async_trait]
impl SeasonViews<KeptSeason> for Kept {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<KeptSeason>, PortError> {
        Ok(Arc::clone(self.0.lock().expect("no panic").entry(season.object).or_default()))
    }
}

#[tokio::test]
async fn a_season_is_made_ready_before_its_generation_is_current() {
    let world = World::new();
    let views = Arc::new(Kept::default());
    let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&views) as Arc<dyn SeasonViews<KeptSeason>>));
    let node = CurrentGenerations::new(world.store.clone(), world.slates.clone(), preparation, world.clock.clone());
    for visitors in [&["a"][..], &["a", "b"]] {
        world.publish(games(visitors)).await;
        node.poll().await;
        let current = node.current(SPORT).expect("read").expect("published");
        let (_, season) = current.catalog().current_season(MARKET.model_type).expect("a season");
        let made_ready = views.0.lock().expect("no panic")[&season.artifact.object].0.load(Relaxed);
        assert_eq!(made_ready, 1, "{visitors:?}");
    }
}

/// A preparation that panics for every generation but the first.
struct PanicsAfterFirst;

#[async_trait]
impl ForecastSeasons for PanicsAfterFirst {
    async fn forecast_models(&self, _season: &SeasonRef) -> Result<Arc<BTreeSet<ModelName>>, PortError> {
        Ok(Arc::default())
    }
}

#[async_trait]
impl Preparation for PanicsAfterFirst {
    async fn prepare(&self, catalog: &Catalog) -> Result<PinnedSeasons, PortError> {
        assert_eq!(catalog.generation, Generation::FIRST, "tripped");
        Ok(PinnedSeasons::default())
    }

    async fn unsettled(&self, _catalog: &Catalog) -> Result<UnsettledGames, PortError> {
        Ok(UnsettledGames::default())
    }
}

#[tokio::test]
async fn a_generation_that_panics_is_reported_and_the_one_before_stays() {
    let world = World::new();
    let node = CurrentGenerations::new(
        world.store.clone(),
        world.slates.clone(),
        Arc::new(PanicsAfterFirst),
        world.clock.clone(),
    );
    for visitors in [&["a"][..], &["a", "b"]] {
        world.publish(games(visitors)).await;
        node.poll().await;
    }
    assert_eq!((published(&node), failing(&node)), (Some(1), vec![2]));
    assert_eq!(node.status().unreachable_since, None);
}

#[tokio::test]
async fn one_poll_passes_several_new_generations() {
    let world = World::new();
    let node = world.node();
    world.publish(games(&["a"])).await;
    node.poll().await;
    world.publish(games(&["a", "b"])).await;
    world.publish(games(&["a", "b", "c"])).await;
    node.poll().await;
    assert_eq!(published(&node), Some(3));
}

#[tokio::test]
async fn a_store_that_becomes_unavailable_is_reported_and_current_generations_stay() {
    let world = World::new();
    let node = world.node();
    world.publish(games(&["a"])).await;
    node.poll().await;
    world.store.set_unavailable(true);
    node.poll().await;
    assert_eq!(published(&node), Some(1));
    assert!(node.status().unreachable_since.is_some());
    world.store.set_unavailable(false);
    node.poll().await;
    assert_eq!(node.status().unreachable_since, None);
}

#[tokio::test]
async fn a_store_unavailable_from_the_start_leaves_everything_unread() {
    let world = World::new();
    let node = world.node();
    world.store.set_unavailable(true);
    node.poll().await;
    for sport in Sport::ALL {
        assert_eq!(node.current(sport).err(), Some(NotReadYet(sport)));
    }
    world.store.set_unavailable(false);
    node.poll().await;
    assert!(node.status().first_look);
}

#[tokio::test]
async fn an_unreadable_generation_is_reported_and_skipped_once_a_later_one_loads() {
    let world = World::new();
    let node = world.node();
    world.publish(games(&["a"])).await;
    node.poll().await;
    world.publish(games(&["a", "b"])).await;
    let second = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("an entry").catalog;
    world.store.spoil_entry(SPORT, generation(2));
    node.poll().await;
    assert_eq!((published(&node), failing(&node)), (Some(1), vec![2]));

    // Publishers cannot append to an entry they cannot read, so it was readable when entry 3 was published.
    world.store.forge_entry(second);
    world.publish(games(&["a", "b", "c"])).await;
    world.store.spoil_entry(SPORT, generation(2));
    node.poll().await;
    assert_eq!((published(&node), failing(&node)), (Some(3), vec![]));
}

#[tokio::test]
async fn a_generation_whose_archive_is_lost_does_not_become_current() {
    let world = World::new();
    let node = world.node();
    world.publish(games(&["a"])).await;
    node.poll().await;
    world.publish(games(&["a", "b"])).await;
    world.store.lose_objects();
    node.poll().await;
    assert_eq!((published(&node), failing(&node)), (Some(1), vec![2]));
}

#[tokio::test]
async fn a_node_that_starts_on_a_damaged_head_serves_the_entry_before() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.publish(games(&["a", "b"])).await;
    world.store.spoil_entry(SPORT, generation(2));
    let node = world.node();
    node.poll().await;
    assert_eq!((published(&node), failing(&node)), (Some(1), vec![2]));
}

#[tokio::test]
async fn a_league_whose_every_entry_is_damaged_is_unread_and_not_empty() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.store.spoil_entry(SPORT, generation(1));
    let node = world.node();
    node.poll().await;
    assert_eq!(node.current(SPORT).err(), Some(NotReadYet(SPORT)));
    assert_eq!(failing(&node), [1]);
}

#[tokio::test]
async fn an_entry_that_does_not_continue_the_current_one_and_its_successors_are_ignored() {
    let world = World::new();
    let node = world.node();
    world.publish(games(&["a"])).await;
    node.poll().await;
    world.publish(games(&["a", "b"])).await;
    let mut forged = world.head().await;
    forged.previous = Some(ObjectHash::from_bytes(b"another history"));
    let mut after = forged.clone();
    world.store.forge_entry(forged);
    let head = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("an entry");
    after.generation = generation(3);
    after.previous = Some(head.digest);
    world.store.forge_entry(after);
    node.poll().await;
    node.poll().await;
    assert_eq!((published(&node), failing(&node)), (Some(1), vec![2, 3]));
}

#[tokio::test]
async fn a_starting_node_skips_an_entry_that_does_not_continue_the_record() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.publish(games(&["a", "b"])).await;
    world.alter_first_entry().await;
    let node = world.node();
    for _ in 0..3 {
        node.poll().await;
        assert_eq!((published(&node), failing(&node)), (Some(1), vec![2]));
    }
}
