use std::sync::Arc;

use chrono::TimeDelta;
use sports_domain::ModelType;
use sports_domain::content::ObjectHash;
use sports_ports::publication::PublicationLog;
use sports_ports::signing::TreeLoss;
use sports_publication::testing::{a_game, a_release, season};
use sports_publication::{Run, SlateActivity};
use sports_transparency::LeafFact;
use sports_usecases::publish::{Mode, PublishError, PublishOutcome};
use sports_usecases::record::{Ledgers, leaves_of};
use sports_usecases::releases::releases;
use sports_usecases::verify::verify;

use crate::world::{SEASON, SPORT, World, games, generation, published};

#[tokio::test]
async fn a_games_file_is_published_in_all_three_markets() {
    let world = World::new();
    assert_eq!(published(&world.publish(games(&["a", "b"])).await), 1);
    let catalog = world.head().await;
    for model_type in ModelType::ALL {
        let entry = &catalog.results[&(model_type, season(SPORT, SEASON))];
        assert_eq!((entry.coverage.rows, entry.coverage.decided), (2, 2), "{model_type}");
        assert_eq!(entry.artifact.release_id, catalog.release_id);
    }
}

#[tokio::test]
async fn content_missing_from_a_release_carries_over() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    let first = world.head().await;
    let last_season = vec![a_game().on("2023-11-26").build()];
    world.try_publish(&a_release(SPORT, "2023", last_season)).await.expect("publishes");
    let second = world.head().await;
    assert_eq!(second.results.len(), 6);
    for (key, entry) in &first.results {
        assert_eq!(second.results[key], *entry);
    }
}

#[tokio::test]
async fn publishing_the_same_again_adds_no_entry() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.clock.advance(TimeDelta::hours(1));
    let again = world.publish(games(&["a"])).await;
    assert_eq!(again.outcome, PublishOutcome::AlreadyPublished { generation: generation(1) });
    assert_eq!(world.store.numbers(SPORT).await.expect("answers"), [generation(1)]);
}

#[tokio::test]
async fn a_dry_run_reports_the_changes_and_writes_nothing() {
    let world = World::new();
    let release = a_release(SPORT, SEASON, games(&["a"]));
    let dry = world.publisher().publish(&release, Mode::DryRun).await.expect("fits");
    assert_eq!(dry.outcome, PublishOutcome::WouldBe { generation: generation(1) });
    assert!(dry.seasons.iter().all(|change| change.counts.added == 1), "{dry:?}");
    assert_eq!(world.store.numbers(SPORT).await.expect("answers"), []);
}

#[tokio::test]
async fn a_release_that_does_not_fit_leaves_everything_as_it_was() {
    let world = World::new();
    world.publish(vec![a_game().without_time(Some(1)).build(), a_game().without_time(Some(2)).build()]).await;
    let before = world.head().await;
    // One of two games: which of them is open.
    let refused = world.try_publish(&a_release(SPORT, SEASON, vec![a_game().build()])).await;
    match refused {
        // The file applies to three markets, but its problem is reported once.
        Err(PublishError::Problems(problems)) => assert_eq!(problems.len(), 1, "{problems:?}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.head().await, before);
}

#[tokio::test]
async fn an_import_of_old_seasons_does_not_turn_the_clock_back() {
    let world = World::new();
    let mut today = a_release(SPORT, SEASON, games(&["a"]));
    let started_at = "2024-11-24T14:00:00Z".parse().expect("an instant");
    let run = Run { id: "today".into(), started_at, completed_at: None, slate: SlateActivity::Active };
    today.run = Some(run.clone());
    world.try_publish(&today).await.expect("publishes");

    let mut import = a_release(SPORT, "2023", vec![a_game().on("2023-11-26").build()]);
    import.slate_date = "2024-02-12".parse().expect("a date");
    import.run = Some(Run { id: "backtest".into(), ..run.clone() });
    world.try_publish(&import).await.expect("publishes");

    let head = world.head().await;
    assert_eq!((head.slate_date, head.run), (today.slate_date, Some(run)));
}

#[tokio::test]
async fn preseason_games_alone_make_no_season() {
    let world = World::new();
    let preseason = a_game().with(|game| game.facts.game_type = sports_domain::GameType::from_word("preseason"));
    world.publish(vec![preseason.build()]).await;
    assert!(world.head().await.results.is_empty());
}

#[tokio::test]
async fn a_store_that_overwrites_is_refused_before_the_first_entry() {
    let world = World::new();
    world.store.set_overwrites(true);
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["a"]))).await;
    assert!(matches!(refused, Err(PublishError::StoreOverwrites)), "{refused:?}");
    assert_eq!(world.store.numbers(SPORT).await.expect("answers"), []);
}

#[tokio::test]
async fn all_racing_publishers_succeed() {
    let world = Arc::new(World::new());
    let racers: Vec<_> = (0..8)
        .map(|year| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                let date = format!("{}-11-26", 2010 + year);
                let label = format!("{}", 2010 + year);
                let release = a_release(SPORT, &label, vec![a_game().on(&date).build()]);
                published(&world.try_publish(&release).await.expect("publishes"))
            })
        })
        .collect();
    let mut numbers = Vec::new();
    for racer in racers {
        numbers.push(racer.await.expect("no panic"));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
    assert_eq!(world.head().await.results.len(), 8 * 3);
    let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("holds");
    assert_eq!(verified.entries, 8);
}

#[tokio::test]
async fn racing_publishers_state_a_loss_once() {
    let world = Arc::new(World::new());
    world.publish(games(&["a"])).await;
    let after = TreeLoss { checkpoint: ObjectHash::from_bytes(b"a lost checkpoint"), size: 1 };
    let racers = (0..8).map(|year| {
        let world = Arc::clone(&world);
        tokio::spawn(async move {
            let release = a_release(
                SPORT,
                &format!("{}", 2010 + year),
                vec![a_game().on(&format!("{}-11-26", 2010 + year)).build()],
            );
            let publisher = world.publisher().restarting(Some(after));
            publisher.publish(&release, Mode::Commit).await.expect("publishes")
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        let _ = racer.await.expect("no panic");
    }
    let mut stating = Vec::new();
    let ledgers = Ledgers::new(&(Arc::clone(&world.store) as _));
    for number in 1..=9 {
        let leaves = leaves_of(&ledgers, &world.slates, SPORT, generation(number)).await.expect("reads");
        let leaves = leaves.expect("a tree").leaves;
        stating.extend(leaves.into_iter().enumerate().filter_map(|(place, leaf)| match leaf.fact {
            LeafFact::Restart { lost } => Some((place, leaf.generation, lost)),
            _ => None,
        }));
    }
    assert_eq!(stating, [(1, 2, after.checkpoint)]);
    assert_eq!(verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("holds").entries, 9);
}

#[tokio::test]
async fn releases_are_listed_newest_first() {
    let world = World::new();
    for visitors in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        world.publish(games(visitors)).await;
        world.clock.advance(TimeDelta::minutes(1));
    }
    let listed = releases(&*world.store, SPORT, 2).await.expect("answers");
    let numbers: Vec<_> = listed.entries.iter().map(|entry| entry.catalog.generation.get()).collect();
    assert_eq!(numbers, [3, 2]);
    assert_eq!(listed.entries[0].catalog.previous, Some(listed.entries[1].digest));
}

#[tokio::test]
async fn nothing_is_published_on_top_of_an_altered_record() {
    let world = World::new();
    world.publish(games(&["a"])).await;
    world.publish(games(&["a", "b"])).await;
    world.alter_first_entry().await;
    let refused = world.try_publish(&a_release(SPORT, SEASON, games(&["a", "b", "c"]))).await;
    assert!(matches!(refused, Err(PublishError::BrokenRecord { .. })), "{refused:?}");
    assert_eq!(world.store.numbers(SPORT).await.expect("answers"), [1, 2].map(generation));
}
