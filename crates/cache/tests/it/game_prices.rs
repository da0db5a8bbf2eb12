//! Prices behind the cache.

use std::sync::Arc;

use chrono::TimeDelta;
use sports_cache::CachedGamePrices;
use sports_domain::Sport;
use sports_ports::prices::GamePrices;
use sports_ports::{Clock, PortError};
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::{PricesFake, contract};

struct World {
    clock: Arc<ClockFake>,
    source: Arc<PricesFake>,
    cached: CachedGamePrices,
}

fn world() -> World {
    let clock = Arc::new(ClockFake::at("2026-11-22T12:00:00Z"));
    let source = Arc::new(PricesFake::new(clock.clone()));
    source.list(Sport::Nfl, Vec::new());
    source.list(Sport::Nhl, Vec::new());
    World { cached: CachedGamePrices::new(source.clone(), clock.clone()), clock, source }
}

impl World {
    /// Returns the age of the list in seconds; `None` for a failure.
    async fn age(&self, sport: Sport) -> Option<i64> {
        let answer = self.cached.prices(sport).await;
        assert!(!matches!(answer, Err(PortError::Corrupt { .. })), "{answer:?}");
        answer.ok().map(|list| (self.clock.now() - list.expect("covered").as_of).num_seconds())
    }

    fn pass(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds));
    }
}

#[tokio::test]
async fn a_list_is_looked_up_again_after_15_seconds() {
    let world = world();
    assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (Some(0), 1));
    world.pass(14);
    assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (Some(14), 1));
    world.pass(1);
    assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (Some(0), 2));
}

#[tokio::test]
async fn each_league_has_lookups_of_its_own() {
    let world = world();
    world.age(Sport::Nfl).await;
    world.pass(10);
    assert_eq!((world.age(Sport::Nhl).await, world.source.asked()), (Some(0), 2));
    assert_eq!(world.age(Sport::Nfl).await, Some(10));
    assert_eq!(world.cached.prices(Sport::Ncaab).await.expect("answers"), None);
}

#[tokio::test]
async fn concurrent_callers_share_one_lookup() {
    let world = world();
    let asking = (0..16).map(|_| world.age(Sport::Nfl)).collect::<Vec<_>>();
    assert_eq!(futures::future::join_all(asking).await, [Some(0); 16]);
    assert_eq!(world.source.asked(), 1);
}

#[tokio::test]
async fn concurrent_callers_share_a_failure_which_lasts_two_seconds() {
    let world = world();
    world.source.set_unavailable(true);
    let asking = (0..16).map(|_| world.age(Sport::Nfl)).collect::<Vec<_>>();
    assert_eq!(futures::future::join_all(asking).await, [None; 16]);
    assert_eq!(world.source.asked(), 1);
    world.source.set_unavailable(false);
    world.pass(1);
    assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (None, 1));
    world.pass(1);
    assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (Some(0), 2));
}

#[tokio::test]
async fn the_last_list_is_used_for_two_minutes_with_its_own_instant() {
    let world = world();
    world.age(Sport::Nfl).await;
    world.source.set_unavailable(true);
    for (later, expected) in [(60, Some(60)), (59, Some(119)), (1, None)] {
        world.pass(later);
        assert_eq!(world.age(Sport::Nfl).await, expected);
    }
    world.source.set_unavailable(false);
    world.pass(2);
    assert_eq!(world.age(Sport::Nfl).await, Some(0));
}

/// Without uptime, a date set ahead would make a list too old at once, and a date set back would keep it for an hour.
#[tokio::test]
async fn a_date_that_is_set_makes_no_list_older_or_younger() {
    for hours in [1, -1] {
        let world = world();
        world.age(Sport::Nfl).await;
        world.clock.set(world.clock.now() + TimeDelta::hours(hours));
        world.age(Sport::Nfl).await;
        world.pass(14);
        world.age(Sport::Nfl).await;
        assert_eq!(world.source.asked(), 1);
        world.pass(1);
        assert_eq!((world.age(Sport::Nfl).await, world.source.asked()), (Some(0), 2));
        world.source.set_unavailable(true);
        world.clock.set(world.clock.now() + TimeDelta::hours(hours));
        world.pass(119);
        assert!(world.age(Sport::Nfl).await.is_some());
        world.pass(1);
        assert_eq!(world.age(Sport::Nfl).await, None);
    }
}

#[tokio::test]
async fn a_cached_source_keeps_the_contract() {
    let world = world();
    world.source.list(Sport::Nfl, vec![contract::a_quoted_game()]);
    contract::of_a_working_source(&world.cached, &*world.clock).await;
}

#[tokio::test]
async fn a_source_unreachable_from_the_beginning_is_unavailable() {
    let world = world();
    world.source.set_unavailable(true);
    contract::an_unreachable_source_is_unavailable(&world.cached).await;
}
