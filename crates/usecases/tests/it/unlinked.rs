//! Tests of numbers of a log that do not continue its record.

use chrono::TimeDelta;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::publication::{LogRepairs, PublicationLog};
use sports_publication::testing::a_release;
use sports_publication::{Catalog, Generation};
use sports_usecases::publish::PublishError;
use sports_usecases::record::{CurrentGenerations, FailureKind};
use sports_usecases::releases::releases;
use sports_usecases::repair::{NotRepaired, Repair};
use sports_usecases::verify::{Difference, Verified, VerifyError, verify};

use crate::world::{SEASON, SPORT, World, games, generation, published};

const FAR: u64 = 999_999_999_999;

async fn world_with(entries: usize) -> World {
    let world = World::new();
    for count in 1..=entries {
        world.clock.advance(TimeDelta::minutes(1));
        world.publish(games(&["a", "b", "c", "d", "e", "f"][..count])).await;
    }
    world
}

/// Returns an entry of the record under another number, like an edited copy.
async fn copied(world: &World, from: u64, to: u64) -> Catalog {
    let entry = world.store.entry(SPORT, generation(from)).await.expect("answers").expect("there");
    Catalog { generation: generation(to), ..entry.catalog }
}

/// Returns the generation that a newly started node serves, and the numbers it reports as failing.
async fn started(world: &World) -> (Option<u64>, Vec<u64>) {
    let node = world.node();
    node.poll().await;
    served(&node)
}

fn served(node: &CurrentGenerations) -> (Option<u64>, Vec<u64>) {
    let current = node.current(SPORT).ok().flatten().map(|league| league.catalog().generation.get());
    (current, node.status().failing.iter().map(|failing| failing.generation.get()).collect())
}

async fn verified(world: &World) -> Result<Verified, VerifyError> {
    verify(&*world.store, &world.archives, &world.slates, SPORT).await
}

async fn refused(world: &World) -> PublishError {
    let published = world.try_publish(&a_release(SPORT, SEASON, games(&["x"]))).await;
    published.expect_err("nothing is published beside a number that does not continue the record")
}

async fn repaired(world: &World) -> Vec<u64> {
    let repair = Repair::of(&*world.store, SPORT).await.expect("can be repaired");
    let moved = repair.run(&*world.store).await.expect("moves");
    moved.iter().map(|moved| moved.generation.get()).collect()
}

#[tokio::test]
async fn a_number_far_above_is_named_and_stops_publishing_until_it_is_moved_aside() {
    let world = world_with(3).await;
    world.store.spoil_entry(SPORT, generation(FAR));
    world.store.forge_entry(copied(&world, 2, FAR - 5).await);
    assert_eq!(started(&world).await, (Some(3), vec![FAR - 5, FAR]));
    assert!(verified(&world).await.is_err());
    assert!(
        matches!(refused(&world).await, PublishError::BrokenRecord { generation, .. } if generation.get() == FAR - 5)
    );
    let listed = releases(&*world.store, SPORT, 10).await.expect("answers");
    assert_eq!(listed.entries.len(), 3, "the record itself is read");
    assert_eq!(repaired(&world).await, [FAR - 5, FAR]);
    assert_eq!(verified(&world).await.expect("the record verifies").entries, 3);
    let aside = world.store.all_set_aside(SPORT).await.expect("lists");
    assert_eq!(aside.iter().map(|moved| moved.generation.get()).collect::<Vec<_>>(), [FAR - 5, FAR]);
    assert_eq!(published(&world.publish(games(&["x"])).await), 4);
    assert!(repaired(&world).await.is_empty(), "nothing is left to move");
}

#[tokio::test]
async fn a_node_serves_the_entry_below_damage_and_goes_on_after_a_repair() {
    let world = world_with(2).await;
    let node = world.node();
    node.poll().await;
    world.store.spoil_entry(SPORT, generation(3));
    world.store.forge_entry(copied(&world, 2, 4).await);
    world.store.spoil_entry(SPORT, generation(5));
    for _ in 0..3 {
        node.poll().await;
        assert_eq!(served(&node), (Some(2), vec![3, 4, 5]));
    }
    assert_eq!(started(&world).await, (Some(2), vec![3, 4, 5]));
    let kinds: Vec<_> = node.status().failing.iter().map(|failing| failing.kind).collect();
    assert_eq!(kinds, [FailureKind::Unloadable, FailureKind::Unlinked, FailureKind::Unloadable]);
    assert!(
        matches!(refused(&world).await, PublishError::UnreadableNumber { generation, .. } if generation.get() == 3)
    );
    assert_eq!(repaired(&world).await, [3, 4, 5]);
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(published(&world.publish(games(&["x"])).await), 3);
    node.poll().await;
    assert_eq!((served(&node), started(&world).await), ((Some(3), vec![]), (Some(3), vec![])));
    let second = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("there");
    assert_eq!(world.head().await.previous, Some(second.digest));
}

#[tokio::test]
async fn a_number_is_moved_aside_as_often_as_it_is_damaged() {
    let world = world_with(1).await;
    for count in 1..=2 {
        world.store.spoil_entry(SPORT, generation(2));
        assert_eq!(repaired(&world).await, [2]);
        let names: Vec<_> = world.store.all_set_aside(SPORT).await.expect("lists");
        assert_eq!(names.len(), count);
    }
}

#[tokio::test]
async fn a_new_number_far_above_is_named_once_the_log_is_listed_again() {
    let world = world_with(2).await;
    let node = world.node();
    node.poll().await;
    node.poll().await;
    world.store.spoil_entry(SPORT, generation(FAR));
    world.clock.advance(TimeDelta::seconds(11));
    node.poll().await;
    assert_eq!(served(&node), (Some(2), vec![FAR]));
    world.store.lose_entry(SPORT, generation(FAR));
    world.clock.advance(TimeDelta::seconds(11));
    node.poll().await;
    assert_eq!(served(&node), (Some(2), vec![]));
}

#[tokio::test]
async fn thousands_of_numbers_above_keep_no_running_node_busy() {
    let world = world_with(6).await;
    let node = world.node();
    node.poll_league(SPORT).await;
    let copy = copied(&world, 4, FAR).await;
    for number in (7..=3_000).chain(FAR - 3_000..FAR) {
        if number % 2 == 0 {
            world.store.spoil_entry(SPORT, generation(number));
        } else {
            world.store.forge_entry(Catalog { generation: generation(number), ..copy.clone() });
        }
    }
    for _ in 0..3 {
        let before = world.store.entries_read();
        node.poll_league(SPORT).await;
        assert_eq!((served(&node).0, served(&node).1.len()), (Some(6), 8), "a handful is named");
        assert!(world.store.entries_read() - before <= 10);
    }
    assert_eq!(started(&world).await.0, Some(6));
}

#[tokio::test]
async fn an_entry_after_a_gap_is_named_and_nothing_is_published_beside_it() {
    let world = world_with(2).await;
    let lost = ObjectHash::from_bytes(b"the entry that was lost");
    world.clock.advance(TimeDelta::minutes(1));
    let later = copied(&world, 2, 4).await;
    let published_at = later.published_at + TimeDelta::minutes(1);
    world.store.forge_entry(Catalog { previous: Some(lost), published_at, ..later });
    assert_eq!(started(&world).await, (Some(2), vec![4]));
    let differs = verified(&world).await;
    let Err(VerifyError::Differs(difference)) = differs else { panic!("{differs:?}") };
    assert!(matches!(*difference, Difference::MissingEntry(number) if number == generation(3)), "{difference}");
    assert!(matches!(refused(&world).await, PublishError::BrokenRecord { .. }));
}

#[tokio::test]
async fn a_record_without_its_first_entries_is_served_and_published_to() {
    let world = world_with(5).await;
    for number in 1..=3 {
        world.store.lose_entry(SPORT, generation(number));
    }
    assert_eq!(started(&world).await, (Some(5), vec![]));
    assert_eq!(published(&world.publish(games(&["x"])).await), 6);
    world.store.lose_entry(SPORT, generation(4));
    world.store.lose_entry(SPORT, generation(5));
    assert_eq!(started(&world).await, (Some(6), vec![6]), "served, and named: nothing is left that it continues");
    assert!(matches!(refused(&world).await, PublishError::BrokenRecord { .. }));
    let repair = Repair::of(&*world.store, SPORT).await;
    assert!(matches!(repair, Err(NotRepaired::NothingLeft(SPORT))), "{repair:?}");
}

#[tokio::test]
async fn numbers_without_an_entry_are_no_record() {
    let world = World::new();
    world.store.spoil_entry(SPORT, generation(FAR));
    let node = world.node();
    node.poll().await;
    assert_eq!(served(&node), (None, vec![FAR]));
    assert_eq!(node.status().unserved, [SPORT]);
    assert!(node.status().first_look, "one league's trouble is that league's");
    assert_eq!(node.current(Sport::Nba).expect("looked at"), None);
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
    assert_eq!(repaired(&world).await, [FAR]);
    assert_eq!(published(&world.publish(games(&["x"])).await), 1);
    node.poll().await;
    assert_eq!(served(&node), (Some(1), vec![]));
}

#[tokio::test]
async fn nothing_is_published_where_the_only_entry_cannot_be_read() {
    let world = world_with(1).await;
    world.store.spoil_entry(SPORT, Generation::FIRST);
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
}

#[tokio::test]
async fn an_entry_of_a_newer_program_is_named_by_readers_and_never_moved_aside() {
    let world = world_with(1).await;
    world.store.renew_entry(SPORT, generation(2));
    assert_eq!(started(&world).await, (Some(1), vec![2]));
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
    let repair = Repair::of(&*world.store, SPORT).await;
    assert!(matches!(repair, Err(NotRepaired::MayBeAnEntry { generation, .. }) if generation.get() == 2), "{repair:?}");
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_is_never_moved_aside() {
    let world = world_with(3).await;
    world.store.shut_entry(SPORT, generation(4));
    assert_eq!(started(&world).await, (Some(3), vec![4]));
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
    assert!(matches!(Repair::of(&*world.store, SPORT).await, Err(NotRepaired::MayBeAnEntry { .. })));
    assert!(verified(&world).await.is_err());
}

#[tokio::test]
async fn a_poll_of_an_unavailable_store_is_no_first_look() {
    let world = World::new();
    world.store.set_unavailable(true);
    let node = world.node();
    node.poll().await;
    assert!(!node.status().first_look);
}

/// The entry above damage is served, since it was published on what was readable then. No publisher goes on from it.
#[tokio::test]
async fn an_entry_above_a_damaged_one_is_served_and_not_continued() {
    let world = world_with(4).await;
    world.store.spoil_entry(SPORT, generation(3));
    assert_eq!(started(&world).await, (Some(4), vec![]));
    assert!(
        matches!(refused(&world).await, PublishError::UnreadableNumber { generation, .. } if generation.get() == 3)
    );
    assert_eq!(repaired(&world).await, [3, 4]);
    assert_eq!(published(&world.publish(games(&["x"])).await), 3);
}

#[tokio::test]
async fn nothing_is_published_after_or_beside_an_entry_whose_record_is_gone() {
    let world = world_with(4).await;
    for number in 1..=2 {
        world.store.spoil_entry(SPORT, generation(number));
    }
    world.store.lose_entry(SPORT, generation(3));
    let differs = verified(&world).await;
    assert!(matches!(differs, Err(VerifyError::Differs(_))), "{differs:?}");
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
    world.store.lose_entry(SPORT, Generation::FIRST);
    assert!(matches!(refused(&world).await, PublishError::UnreadableNumber { .. }));
}

#[tokio::test]
async fn an_entry_that_is_not_later_than_the_one_it_names_does_not_continue_it() {
    let world = world_with(2).await;
    let second = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("there");
    let third = Catalog { generation: generation(3), previous: Some(second.digest), ..second.catalog };
    world.store.forge_entry(third);
    assert_eq!(started(&world).await, (Some(2), vec![3]));
    assert!(matches!(refused(&world).await, PublishError::BrokenRecord { .. }));
    let differs = verified(&world).await;
    let Err(VerifyError::Differs(difference)) = differs else { panic!("{differs:?}") };
    assert!(matches!(*difference, Difference::TimeStandsStill { .. }), "{difference}");
}
