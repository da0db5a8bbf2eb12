//! Tests of the list of recent releases.

use std::sync::Arc;

use chrono::TimeDelta;
use sports_domain::ModelType;
use sports_ports::publication::PublicationLog;
use sports_usecases::record::Ledgers;
use sports_usecases::releases::{NoReleaseAt, RecentReleases, ReleaseAt, release_at};

use crate::world::{SPORT, World, games, generation};

/// Publishes the same games again and again, with one more each time.
async fn world_with(entries: usize) -> World {
    let world = World::new();
    let visitors: Vec<_> = (0..entries).map(|number| format!("team_{number}")).collect();
    let visitors: Vec<_> = visitors.iter().map(String::as_str).collect();
    for count in 1..=entries {
        world.clock.advance(TimeDelta::minutes(1));
        world.publish(games(&visitors[..count])).await;
    }
    world
}

#[tokio::test]
async fn a_recent_release_has_the_growth_of_each_season_and_its_previous_entry() {
    let world = world_with(3).await;
    let node = world.node();
    node.poll().await;
    let releases = RecentReleases::new(Arc::clone(&node));
    let newest = releases.newest(SPORT).expect("read").expect("published");
    let recent = releases.up_to(&newest, None, RecentReleases::LISTED).await.expect("answers").releases;
    let numbers: Vec<_> = recent.iter().map(|release| release.entry.catalog.generation.get()).collect();
    assert_eq!(numbers, [3, 2, 1]);
    for pair in recent.windows(2) {
        assert_eq!(pair[0].entry.catalog.previous, Some(pair[1].entry.digest));
    }
    for (release, games) in recent.iter().zip([3, 2, 1]) {
        assert!(!release.odds && release.predictions.is_empty());
        let markets: Vec<_> = release.seasons.iter().map(|change| change.model_type).collect();
        assert_eq!(markets, ModelType::ALL);
        for change in &release.seasons {
            assert_eq!((change.games, change.games_added, change.decided_added), (games, 1, 1), "{change:?}");
        }
    }
}

#[tokio::test]
async fn the_list_begins_with_the_generation_that_is_served_and_ends_after_twenty() {
    let world = world_with(RecentReleases::LISTED + 1).await;
    let node = world.node();
    node.poll().await;
    let releases = RecentReleases::new(Arc::clone(&node));
    let newest = releases.newest(SPORT).expect("read").expect("published");
    world.clock.advance(TimeDelta::minutes(1));
    world.publish(games(&["newer"])).await;
    let recent = releases.up_to(&newest, None, RecentReleases::LISTED).await.expect("answers").releases;
    assert_eq!(recent.len(), RecentReleases::LISTED);
    assert_eq!(recent[0].entry.digest, newest.entry.digest);
    let numbers = world.store.numbers(SPORT).await.expect("answers");
    assert!(numbers.last() > Some(&recent[0].entry.catalog.generation), "there is a newer one");
}

#[tokio::test]
async fn the_list_ends_early_at_an_entry_that_was_altered() {
    let world = world_with(3).await;
    let node = world.node();
    node.poll().await;
    let releases = RecentReleases::new(Arc::clone(&node));
    let newest = releases.newest(SPORT).expect("read").expect("published");
    world.alter_first_entry().await;
    let recent = releases.up_to(&newest, None, RecentReleases::LISTED).await.expect("answers").releases;
    let numbers: Vec<_> = recent.iter().map(|release| release.entry.catalog.generation).collect();
    assert_eq!(numbers, [generation(3), generation(2)]);
    assert_eq!(
        releases.newest(sports_domain::Sport::ALL.into_iter().find(|other| *other != SPORT).expect("one")),
        Ok(None)
    );
}

#[tokio::test]
async fn pages_of_releases_make_up_the_record() {
    let world = world_with(7).await;
    let node = world.node();
    node.poll().await;
    let releases = RecentReleases::new(Arc::clone(&node));
    let newest = releases.newest(SPORT).expect("read").expect("published");
    let (mut before, mut numbers) = (None, Vec::new());
    loop {
        let page = releases.up_to(&newest, before, 3).await.expect("answers");
        assert!(page.releases.len() <= 3);
        numbers.extend(page.releases.iter().map(|release| release.entry.catalog.generation.get()));
        before = page.next_before;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(numbers, [7, 6, 5, 4, 3, 2, 1]);
    let above = releases.up_to(&newest, Some(generation(100)), 1).await.expect("answers");
    assert_eq!(above.releases[0].entry.digest, newest.entry.digest);
    let below = releases.up_to(&newest, Some(generation(1)), 3).await.expect("answers");
    assert_eq!((below.releases.len(), below.next_before), (0, None));
}

#[tokio::test]
async fn pages_of_releases_go_on_below_a_lost_entry() {
    let world = world_with(7).await;
    world.store.lose_entry(SPORT, generation(3));
    let node = world.node();
    node.poll().await;
    let releases = RecentReleases::new(Arc::clone(&node));
    let newest = releases.newest(SPORT).expect("read").expect("published");
    let page = async |before| {
        let page = releases.up_to(&newest, before, RecentReleases::MOST).await.expect("answers");
        let numbers = page.releases.iter().map(|release| release.entry.catalog.generation.get());
        (numbers.collect::<Vec<_>>(), page.next_before.map(sports_publication::Generation::get))
    };
    assert_eq!(page(None).await, (vec![7, 6, 5, 4], Some(4)));
    assert_eq!(page(Some(generation(4))).await, (vec![2, 1], None));
}

#[tokio::test]
async fn the_release_of_an_instant_has_its_neighbours() {
    let world = world_with(3).await;
    let entry = async |number| world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
    let second = entry(2).await;
    let found = release_at(&Ledgers::new(&(Arc::clone(&world.store) as _)), SPORT, second.catalog.published_at)
        .await
        .expect("a release");
    let expected = ReleaseAt { current: second, previous: Some(entry(1).await), next: Some(entry(3).await) };
    assert_eq!(found, expected);
    let first = entry(1).await.catalog.published_at;
    let before =
        release_at(&Ledgers::new(&(Arc::clone(&world.store) as _)), SPORT, first - TimeDelta::milliseconds(1)).await;
    assert!(matches!(before, Err(NoReleaseAt::BeforeFirst { first: at, .. }) if at == first), "{before:?}");
}
