//! Tests of files that do not belong among the numbers of a log.

use std::sync::Arc;

use chrono::TimeDelta;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::testing::a_release;
use sports_publication::{Catalog, Generation};
use sports_usecases::publish::{Mode, PublishError};
use sports_usecases::record::{CurrentGenerations, FailureKind};
use sports_usecases::releases::releases;
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

#[tokio::test]
async fn a_stray_far_above_is_reported_and_skipped_by_readers_and_publishers() {
    let world = world_with(3).await;
    world.store.spoil_entry(SPORT, generation(FAR));
    world.store.forge_entry(copied(&world, 2, FAR - 5).await);
    assert_eq!(started(&world).await, (Some(3), vec![FAR, FAR - 5]));
    let held = verified(&world).await.expect("the record verifies");
    let strays: Vec<_> = held.strays.iter().map(|stray| stray.generation.get()).collect();
    assert_eq!((held.entries, strays), (3, vec![FAR - 5, FAR]));
    let publishing = world.publish(games(&["x"])).await;
    assert_eq!(published(&publishing), 4);
    let named = publishing.slate.warnings.iter().filter(|warning| warning.to_string().contains("is skipped"));
    assert_eq!(named.count(), 2, "{:?}", publishing.slate.warnings);
    assert_eq!(started(&world).await.0, Some(4));
    let listed = releases(&*world.store, SPORT, 10).await.expect("answers");
    assert_eq!(listed.entries.len(), 4);
}

#[tokio::test]
async fn a_record_continues_after_strays_right_above_its_head() {
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
    assert_eq!(started(&world).await, (Some(2), vec![5, 4, 3]));
    let kinds: Vec<_> = node.status().failing.iter().map(|failing| failing.kind).collect();
    assert_eq!(kinds, [FailureKind::Unloadable, FailureKind::Unlinked, FailureKind::Unloadable]);
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(published(&world.publish(games(&["x"])).await), 6);
    node.poll().await;
    assert_eq!(served(&node), (Some(6), vec![]));
    assert_eq!(started(&world).await, (Some(6), vec![]));
    let head = world.head().await;
    let second = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("there");
    assert_eq!(head.previous, Some(second.digest));
    let found = verified(&world).await.expect("the record verifies");
    assert_eq!((found.entries, found.strays.len()), (3, 3));
}

#[tokio::test]
async fn strict_publishing_stops_at_a_stray() {
    let world = world_with(1).await;
    world.store.spoil_entry(SPORT, generation(2));
    let release = a_release(SPORT, SEASON, games(&["a", "b"]));
    let refused = world.publisher().publish(&release, Mode::CommitUnlessWarned).await;
    assert!(matches!(refused, Err(PublishError::Warned(_))), "{refused:?}");
}

#[tokio::test]
async fn a_new_stray_is_reported_once_the_log_is_listed_again() {
    let world = world_with(2).await;
    let node = world.node();
    node.poll().await;
    node.poll().await;
    world.store.spoil_entry(SPORT, generation(FAR));
    world.clock.advance(TimeDelta::seconds(11));
    node.poll().await;
    assert_eq!(served(&node), (Some(2), vec![FAR]));
}

#[tokio::test]
async fn many_strays_are_checked_a_part_at_a_time() {
    let world = world_with(2).await;
    let node = world.node();
    node.poll().await;
    for number in (3..=1002).chain(FAR - 1000..=FAR) {
        world.store.spoil_entry(SPORT, generation(number));
    }
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(published(&world.publish(games(&["x"])).await), 1003);
    let fresh = world.node();
    for _ in 0..20 {
        node.poll().await;
        fresh.poll().await;
    }
    assert_eq!((served(&node).0, served(&fresh).0), (Some(1003), Some(1003)));
    assert!(node.status().failing.len() <= 8, "a handful is named");
}

/// The strays above the record are, by kind: unreadable files, edited copies, both in turns, and unreadable files with
/// one copy above all others.
#[tokio::test]
async fn a_record_below_twenty_thousand_strays_is_served_after_the_first_poll() {
    for kind in 0..4 {
        let world = world_with(6).await;
        let copy = copied(&world, 4, FAR).await;
        for number in (7..=10_000).chain(FAR - 10_000..FAR) {
            if kind == 0 || (kind == 2 && number % 2 == 0) || (kind == 3 && number != FAR - 1) {
                world.store.spoil_entry(SPORT, generation(number));
            } else {
                world.store.forge_entry(Catalog { generation: generation(number), ..copy.clone() });
            }
        }
        let (read_before, node) = (world.store.entries_read(), world.node());
        node.poll_league(SPORT).await;
        assert_eq!(served(&node).0, Some(6), "strays of kind {kind}");
        let read = world.store.entries_read() - read_before;
        assert!(read < 500, "{read} of 20,000 numbers were read");
        node.poll_league(SPORT).await;
        assert_eq!((served(&node).0, served(&node).1.len()), (Some(6), 8), "the next poll reports them");
    }
}

#[tokio::test]
async fn an_entry_hidden_among_many_strays_becomes_current_by_later_polls() {
    let world = world_with(2).await;
    for number in 3..=5_000 {
        world.store.spoil_entry(SPORT, generation(number));
    }
    assert_eq!(published(&world.publish(games(&["x"])).await), 5_001);
    for number in FAR - 5_000..FAR {
        world.store.spoil_entry(SPORT, generation(number));
    }
    let node = world.node();
    node.poll_league(SPORT).await;
    assert!(served(&node).0.is_some(), "the league is served");
    node.poll_league(SPORT).await;
    assert_eq!(served(&node).0, Some(5_001));
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(published(&world.publish(games(&["y"])).await), 5_002);
    node.poll_league(SPORT).await;
    assert_eq!(served(&node).0, Some(5_002), "in the middle of examining strays");
    assert_eq!(started(&world).await.0, Some(5_002));
    for number in [3, 4_999] {
        world.store.lose_entry(SPORT, generation(number));
    }
    assert_eq!(started(&world).await.0, Some(5_002), "with gaps");
}

#[tokio::test]
async fn an_entry_far_from_the_end_of_its_run_becomes_current_by_later_polls() {
    let world = world_with(2).await;
    for number in 3..=2_000 {
        world.store.spoil_entry(SPORT, generation(number));
    }
    assert_eq!(published(&world.publish(games(&["x"])).await), 2_001);
    for number in 2_002..=4_000 {
        world.store.spoil_entry(SPORT, generation(number));
    }
    let node = world.node();
    node.poll_league(SPORT).await;
    assert_eq!(served(&node).0, Some(2));
    for _ in 0..20 {
        node.poll_league(SPORT).await;
    }
    assert_eq!(served(&node).0, Some(2_001));
}

#[tokio::test]
async fn an_entry_after_a_gap_is_skipped_and_nothing_is_published_beside_it() {
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
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["x"]))).await;
    assert!(matches!(refused, Err(PublishError::BrokenRecord { .. })), "{refused:?}");
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
}

#[tokio::test]
async fn strays_alone_are_no_record_and_do_not_prevent_publishing() {
    let world = World::new();
    world.store.spoil_entry(SPORT, generation(FAR));
    let node = world.node();
    node.poll().await;
    assert_eq!(served(&node), (None, vec![FAR]));
    assert_eq!(node.status().unserved, [SPORT]);
    assert!(node.status().first_look, "one league's trouble is that league's");
    assert_eq!(node.current(Sport::Nba).expect("looked at"), None);
    assert_eq!(published(&world.publish(games(&["x"])).await), 1);
    node.poll().await;
    assert_eq!(served(&node).0, Some(1));
}

#[tokio::test]
async fn nothing_is_published_where_the_only_entry_cannot_be_read() {
    let world = world_with(1).await;
    world.store.spoil_entry(SPORT, Generation::FIRST);
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["x"]))).await;
    assert!(matches!(refused, Err(PublishError::Port(_))), "{refused:?}");
}

#[tokio::test]
async fn an_entry_of_a_newer_program_is_skipped_by_readers_and_refused_by_publishers() {
    let world = world_with(1).await;
    world.store.renew_entry(SPORT, generation(2));
    assert_eq!(started(&world).await, (Some(1), vec![2]));
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["a", "b"]))).await;
    assert!(matches!(refused, Err(PublishError::Port(_))), "{refused:?}");
}

#[tokio::test]
async fn a_poll_of_an_unavailable_store_is_no_first_look() {
    let world = Arc::new(World::new());
    world.store.set_unavailable(true);
    let node = world.node();
    node.poll().await;
    assert!(!node.status().first_look);
}

/// Removes strays one at a time, and checks each reader after every removal.
async fn strays_taken_away(order: impl Iterator<Item = u64>) {
    let world = world_with(2).await;
    for number in 3..=22 {
        world.store.spoil_entry(SPORT, generation(number));
    }
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(published(&world.publish(games(&["x"])).await), 23);
    let mut head = 23;
    for (taken, number) in (1_u64..).zip(order) {
        world.store.lose_entry(SPORT, generation(number));
        let found = verified(&world).await.expect("the record verifies");
        assert_eq!((found.entries, found.strays.len() as u64), (2 + taken, 20 - taken), "without {number}");
        assert_eq!(started(&world).await, (Some(head), vec![]), "without {number}");
        let before = world.head().await;
        world.clock.advance(TimeDelta::minutes(1));
        head = published(&world.publish(games(&[&format!("team {number}")])).await);
        let after = world.store.entry(SPORT, before.generation).await.expect("answers").expect("there");
        assert_eq!(world.head().await.previous, Some(after.digest), "without {number}");
    }
    assert_eq!(head, 43);
}

#[tokio::test]
async fn an_entry_above_many_strays_keeps_its_place_as_they_are_taken_away() {
    strays_taken_away(3..=22).await;
    strays_taken_away((3..=22).rev()).await;
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
    world.store.lose_entry(SPORT, Generation::FIRST);
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["x"]))).await;
    assert!(matches!(refused, Err(PublishError::BrokenRecord { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_lost_entry_is_recognised_by_the_publication_time_of_the_head() {
    let world = world_with(2).await;
    let newest = world.head().await;
    let published_at = newest.published_at + TimeDelta::minutes(1);
    let previous = Some(ObjectHash::from_bytes(b"the entry that was lost"));
    world.store.forge_entry(Catalog { generation: generation(40), previous, published_at, ..newest.clone() });
    let differs = verified(&world).await;
    assert!(matches!(differs, Err(VerifyError::Differs(_))), "{differs:?}");
    let published_at = newest.published_at + TimeDelta::days(900);
    world.store.forge_entry(Catalog { generation: generation(30), published_at, ..newest });
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["x"]))).await;
    assert!(matches!(refused, Err(PublishError::BrokenRecord { .. })), "{refused:?}");
}

#[tokio::test]
async fn an_unopened_file_right_above_the_head_stops_publishing_and_a_far_one_is_a_stray() {
    let world = world_with(3).await;
    world.store.shut_entry(SPORT, generation(FAR));
    assert_eq!(started(&world).await, (Some(3), vec![FAR]));
    assert_eq!(published(&world.publish(games(&["x"])).await), 4);
    world.store.shut_entry(SPORT, generation(4));
    assert_eq!(started(&world).await, (Some(3), vec![FAR, 4]));
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["y"]))).await;
    assert!(matches!(refused, Err(PublishError::Port(PortError::Corrupt { .. }))), "{refused:?}");
    assert!(verified(&world).await.is_err());
}
