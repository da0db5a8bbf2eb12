use chrono::TimeDelta;
use proptest::prelude::*;
use sports_domain::Sport;
use sports_paging::{HistoryRequest, Limit, Order, PageRows, Snapshot};
use sports_publication::testing::{a_game, a_release, season};
use sports_usecases::results::{ResultsError, SeasonList};

use crate::world::{MARKET, ResultsNow, SEASON, SPORT, World, games};

const FIRST: HistoryRequest = HistoryRequest::Current { offset: 0 };

fn of_season(label: &str, offset: usize, snapshot: Option<&Snapshot>) -> HistoryRequest {
    HistoryRequest::new(Some(season(SPORT, label)), offset, snapshot.cloned()).expect("goes together")
}

/// Publishes two seasons, the later with five games.
async fn two_seasons() -> (World, ResultsNow) {
    let world = World::new();
    let node = world.node();
    world.try_publish(&a_release(SPORT, "2023", vec![a_game().on("2023-11-26").build()])).await.expect("publishes");
    world.publish(games(&["a", "b", "c", "d", "e"])).await;
    node.poll().await;
    let results = ResultsNow::new(&world, &node);
    (world, results)
}

#[tokio::test]
async fn without_a_season_the_current_one_is_paged_newest_first() {
    let (_, results) = two_seasons().await;
    let page = results.page(MARKET, &FIRST, Limit::new(2).expect("a limit")).await.expect("a page");
    assert_eq!(
        (page.order, page.rows, page.next_offset, page.total),
        (Order::NewestFirst, PageRows::Run(0..2), Some(2), 5)
    );
    assert_eq!(page.season.season, season(SPORT, SEASON));
    let date = "2024-11-24".parse().ok();
    assert_eq!((page.source_start, page.source_end), (date, date));
}

#[tokio::test]
async fn a_named_season_is_paged_oldest_first() {
    let (_, results) = two_seasons().await;
    let page = results.page(MARKET, &of_season("2023", 0, None), Limit::DEFAULT).await.expect("a page");
    assert_eq!((page.order, page.rows, page.next_offset), (Order::OldestFirst, PageRows::Run(0..1), None));
}

#[tokio::test]
async fn a_season_published_anew_refuses_the_old_snapshot_and_another_seasons_stays() {
    let (world, results) = two_seasons().await;
    let limit = Limit::new(2).expect("a limit");
    let first = results.page(MARKET, &of_season(SEASON, 0, None), limit).await.expect("a page");
    let old = results.page(MARKET, &of_season("2023", 0, None), limit).await.expect("a page");
    world.publish(games(&["f"])).await;

    // No poll since: the node polls once before it responds.
    let refused = results.page(MARKET, &of_season(SEASON, 2, Some(&first.snapshot)), limit).await;
    assert!(refused.is_ok(), "the current snapshot is still this one: {refused:?}");
    let unknown = Snapshot::named("another node's");
    let refused = results.page(MARKET, &of_season(SEASON, 2, Some(&unknown)), limit).await;
    assert!(matches!(refused, Err(ResultsError::NoSuchSnapshot { .. })), "{refused:?}");
    let refused = results.page(MARKET, &of_season(SEASON, 2, Some(&first.snapshot)), limit).await;
    assert!(matches!(refused, Err(ResultsError::SnapshotChanged { .. })), "{refused:?}");
    results.page(MARKET, &of_season("2023", 0, Some(&old.snapshot)), limit).await.expect("this one did not change");
}

#[tokio::test]
async fn a_snapshot_from_a_node_that_is_ahead_is_found_by_one_poll() {
    let (world, results) = two_seasons().await;
    world.publish(games(&["f"])).await;
    let ahead = world.node();
    ahead.poll().await;
    let ahead = ResultsNow::new(&world, &ahead);
    let first = ahead.page(MARKET, &of_season(SEASON, 0, None), Limit::DEFAULT).await.expect("a page");
    let here = results.page(MARKET, &of_season(SEASON, 0, Some(&first.snapshot)), Limit::DEFAULT).await;
    assert_eq!(here.expect("looked once").total, 6);
}

#[tokio::test]
async fn a_market_not_published_differs_from_a_league_not_read() {
    let world = World::new();
    let node = world.node();
    let results = ResultsNow::new(&world, &node);
    let unread = results.page(MARKET, &FIRST, Limit::DEFAULT).await;
    assert!(matches!(unread, Err(ResultsError::NotReadYet(_))), "{unread:?}");
    node.poll().await;
    let nothing = results.page(MARKET, &FIRST, Limit::DEFAULT).await;
    assert!(matches!(nothing, Err(ResultsError::NothingPublished(MARKET))), "{nothing:?}");

    world.publish(games(&["a"])).await;
    node.poll().await;
    let other = results.page(MARKET, &of_season("1999", 0, None), Limit::DEFAULT).await;
    assert!(matches!(other, Err(ResultsError::NoSuchSeason { .. })), "{other:?}");
}

#[tokio::test]
async fn a_season_without_a_played_line_is_current_only_while_there_is_no_other() {
    let world = World::new();
    let node = world.node();
    let next = vec![a_game().on("2025-09-07").unplayed().build()];
    world.try_publish(&a_release(SPORT, "2025", next)).await.expect("publishes");
    node.poll().await;
    let results = ResultsNow::new(&world, &node);
    let page = results.page(MARKET, &FIRST, Limit::DEFAULT).await.expect("a page");
    assert_eq!(page.season.season.to_string(), "2025");
    assert_eq!(results.seasons(MARKET).current, None);

    world.publish(games(&["a"])).await;
    node.poll().await;
    let page = results.page(MARKET, &FIRST, Limit::DEFAULT).await.expect("a page");
    assert_eq!(page.season.season.to_string(), SEASON);
}

#[tokio::test]
async fn a_season_is_live_for_fourteen_days_after_a_decided_game() {
    let (world, results) = two_seasons().await;
    let live = |results: &ResultsNow| results.seasons(MARKET);
    // The clock is at 25 November; the games were on the 24th.
    let expected = SeasonList {
        seasons: vec![season(SPORT, SEASON), season(SPORT, "2023")],
        current: Some(season(SPORT, SEASON)),
        live: true,
    };
    assert_eq!(live(&results), expected);
    world.clock.advance(TimeDelta::days(13));
    assert!(live(&results).live, "8 December: 14 days after");
    world.clock.advance(TimeDelta::days(1));
    assert!(!live(&results).live, "9 December: 15 days after");
}

#[tokio::test]
async fn a_league_without_results_has_an_empty_season_list() {
    let world = World::new();
    let node = world.node();
    node.poll().await;
    let results = ResultsNow::new(&world, &node);
    for sport in Sport::ALL {
        let market = sports_domain::Market::new(sport, MARKET.model_type);
        assert_eq!(results.seasons(market), SeasonList::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// For any limit, the pages of a season contain every row once, under one snapshot.
    #[test]
    fn pages_of_a_season_tile_it(count in 1..30_usize, limit in 1..12_usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let world = World::new();
            let names: Vec<_> = (0..count).map(|number| format!("team {number}")).collect();
            world.publish(games(&names.iter().map(String::as_str).collect::<Vec<_>>())).await;
            let node = world.node();
            node.poll().await;
            let results = ResultsNow::new(&world, &node);
            let limit = Limit::new(limit).expect("a limit");
            let (mut rows, mut snapshot, mut next) = (Vec::new(), None, Some(0));
            while let Some(offset) = next {
                let request = of_season(SEASON, offset, snapshot.as_ref());
                let page = results.page(MARKET, &request, limit).await.expect("a page");
                rows.extend(page.rows.iter());
                snapshot = Some(page.snapshot);
                next = page.next_offset;
            }
            prop_assert_eq!(rows, (0..count).collect::<Vec<_>>());
            Ok(())
        })?;
    }
}
