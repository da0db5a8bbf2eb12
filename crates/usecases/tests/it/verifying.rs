use chrono::TimeDelta;
use sports_ports::publication::PublicationLog;
use sports_publication::Catalog;
use sports_usecases::verify::{Difference, VerifyError, verify};

use crate::declared::{Folder, declarations, model, name};
use crate::world::{SPORT, World, games, generation};

async fn world_with_three_entries() -> World {
    let world = World::new();
    for visitors in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        world.publish(games(visitors)).await;
    }
    world
}

async fn difference(world: &World) -> Difference {
    match verify(&*world.store, &world.archives, &world.slates, SPORT).await {
        Err(VerifyError::Differs(difference)) => *difference,
        other => panic!("no difference: {other:?}"),
    }
}

#[tokio::test]
async fn an_untouched_log_holds_and_names_its_head() {
    let world = world_with_three_entries().await;
    let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("holds");
    let head = world.store.entry(SPORT, generation(3)).await.expect("answers").expect("an entry");
    assert_eq!((verified.entries, verified.head), (3, Some(head.digest)));
}

#[tokio::test]
async fn a_league_never_published_holds() {
    let verified =
        verify(&*World::new().store, &World::new().archives, &World::new().slates, SPORT).await.expect("holds");
    assert_eq!((verified.entries, verified.objects, verified.head), (0, 0, None));
}

#[tokio::test]
async fn a_rewritten_entry_breaks_the_chain_at_the_next() {
    let world = world_with_three_entries().await;
    world.alter_first_entry().await;
    assert!(matches!(difference(&world).await, Difference::BrokenChain { generation: at, .. } if at == generation(2)));
}

#[tokio::test]
async fn an_unreadable_entry_is_named() {
    let world = world_with_three_entries().await;
    world.store.spoil_entry(SPORT, generation(2));
    assert!(
        matches!(difference(&world).await, Difference::UnreadableEntry { generation: at, .. } if at == generation(2))
    );
}

#[tokio::test]
async fn an_object_of_another_size_than_an_entry_says_is_named() {
    let world = world_with_three_entries().await;
    let mut newest = world.head().await;
    newest.results.values_mut().next().expect("an archive").artifact.bytes += 1;
    world.store.forge_entry(newest);
    assert!(matches!(difference(&world).await, Difference::Archive { generation: at, .. } if at == generation(3)));
    let node = world.node();
    node.poll().await;
    let served = node.current(SPORT).expect("read").map(|league| league.catalog().generation);
    assert_eq!(served, Some(generation(2)), "a starting server serves the entry before");
}

#[tokio::test]
async fn two_entries_of_one_instant_are_named() {
    let world = world_with_three_entries().await;
    let second = world.store.entry(SPORT, generation(2)).await.expect("answers").expect("an entry").catalog;
    let third = world.head().await;
    for (earlier, found) in [(TimeDelta::zero(), true), (TimeDelta::milliseconds(1), false)] {
        let published_at = second.published_at + earlier;
        world.store.forge_entry(Catalog { published_at, ..third.clone() });
        let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await;
        assert_eq!(verified.is_err(), found, "{verified:?}");
    }
    world.store.forge_entry(Catalog { published_at: second.published_at, ..third });
    let Difference::TimeStandsStill { generation: at, .. } = difference(&world).await else { panic!("time") };
    assert_eq!(at, generation(3));
}

#[tokio::test]
async fn a_lost_archive_is_named() {
    let world = world_with_three_entries().await;
    world.store.lose_objects();
    assert!(matches!(difference(&world).await, Difference::Archive { generation: at, .. } if at == generation(1)));
}

#[tokio::test]
async fn coverage_that_is_not_the_archives_is_a_difference() {
    let world = world_with_three_entries().await;
    let mut forged = world.head().await;
    for entry in forged.results.values_mut() {
        entry.coverage.decided += 1;
    }
    world.store.forge_entry(forged);
    // The archives are verified first under entry 3, whose coverage is forged.
    assert!(matches!(difference(&world).await, Difference::Coverage { generation: at, .. } if at == generation(3)));
}

#[tokio::test]
async fn an_unavailable_store_is_no_difference() {
    let world = world_with_three_entries().await;
    world.store.set_unavailable(true);
    let answer = verify(&*world.store, &world.archives, &world.slates, SPORT).await;
    assert!(matches!(answer, Err(VerifyError::Port(_))), "{answer:?}");
}

/// Creates a league whose second entry has a column of ELO in one season of three markets.
async fn world_with_a_model() -> World {
    let world = World::new();
    let declaring = declarations([("ELO", model(|_| {})), ("nn", model(|_| {}))], None);
    Folder::declaring(declaring).publish(&world.publisher()).await.expect("declared");
    let columns = Folder { seasons: vec!["2023"], columns: vec![("ELO", 0.5)], ..Folder::default() };
    columns.publish(&world.publisher()).await.expect("published");
    world
}

#[tokio::test]
async fn counts_of_models_that_are_not_the_archives_are_a_difference() {
    let world = world_with_a_model().await;
    assert!(verify(&*world.store, &world.archives, &world.slates, SPORT).await.is_ok());
    let head = world.head().await;
    let (place, entry) = head.results.iter().next().expect("an archive");
    // One game more, no game, and a game with a value of a model without one.
    for (elo, nn) in [(Some(2), None), (None, None), (Some(1), Some(1))] {
        let mut forged = head.clone();
        let counts = [("ELO", elo), ("nn", nn)].into_iter().filter_map(|(of, games)| Some((name(of), games?)));
        forged.results.get_mut(place).expect("an archive").models = counts.collect();
        world.store.forge_entry(forged);
        let Difference::ModelGames { generation: at, season, model, found, recorded, .. } = difference(&world).await
        else {
            panic!("other numbers of games");
        };
        assert_eq!((at, season, found), (generation(2), place.1, usize::from(nn.is_none())));
        let expected = if nn.is_some() { ("nn", 1) } else { ("ELO", elo.unwrap_or(0)) };
        assert_eq!((model.as_str(), recorded), expected);
    }
    assert_eq!(entry.models.get(&name("ELO")), Some(&1));
}

#[tokio::test]
async fn a_column_of_a_model_that_the_registry_lacks_is_named() {
    let world = world_with_a_model().await;
    let mut forged = world.head().await;
    forged.models = None;
    world.store.forge_entry(forged);
    let Difference::UndeclaredModel { generation: at, model, .. } = difference(&world).await else {
        panic!("no registry declares ELO");
    };
    assert_eq!((at, model), (generation(2), name("ELO")));
    let node = world.node();
    node.poll().await;
    let served = node.current(SPORT).expect("read").map(|league| league.catalog().generation);
    assert_eq!(served, Some(generation(2)), "the column is served under its name");
}
