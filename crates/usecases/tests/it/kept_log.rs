//! A log with the entries that were read or appended last in memory.

use std::sync::Arc;

use sports_ports::publication::{Appended, PublicationLog as _};
use sports_publication::Catalog;
use sports_testkit::publication::{StoreFake, contract};
use sports_testkit::signing::{Disturbed, Steps};
use sports_usecases::record::KeptLog;

use crate::world::{SPORT, World, games, generation};

#[tokio::test]
async fn a_log_with_entries_in_memory_is_a_log() {
    contract::log(async || KeptLog::over(Arc::new(StoreFake::default()))).await;
}

#[tokio::test]
async fn an_entry_is_read_once_while_it_is_in_memory_and_a_free_number_each_time() {
    let (world, steps) = (World::new(), Arc::new(Steps::default()));
    let log = KeptLog::over(Disturbed::new(&world.store, &steps));
    assert_eq!(log.entry(SPORT, generation(1)).await.expect("answers"), None);
    for number in 1..=20_u64 {
        world.publish(games(&[format!("team {number}").as_str()])).await;
    }
    for _ in 0..2 {
        let stored = world.store.entry(SPORT, generation(1)).await.expect("answers");
        assert_eq!(log.entry(SPORT, generation(1)).await.expect("answers"), stored);
    }
    assert_eq!(steps.taken(), 2);
    for number in (2..=20).chain([1]) {
        log.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
    }
    assert_eq!(steps.taken(), 22, "memory is bounded");
}

#[tokio::test]
async fn an_appended_entry_is_in_memory_as_it_is_stored() {
    let (world, steps) = (World::new(), Arc::new(Steps::default()));
    world.publish(games(&["a"])).await;
    let appended = Catalog { generation: generation(2), ..world.head().await };
    let log = KeptLog::over(Disturbed::new(&world.store, &steps));
    assert!(matches!(log.append(&appended).await.expect("answers"), Appended::Committed { .. }));
    let before = steps.taken();
    let known = log.entry(SPORT, generation(2)).await.expect("answers");
    assert_eq!((known, steps.taken()), (world.store.entry(SPORT, generation(2)).await.expect("answers"), before));
}
