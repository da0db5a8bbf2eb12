use proptest::prelude::*;
use sports_domain::Sport;
use sports_domain::paging::{HistoryRequest, Limit, Snapshot};
use sports_publication::testing::{a_game, a_release, season};
use sports_usecases::results::{ResultsError, SeasonList};

use crate::world::{MARKET, ResultsNow, SEASON, SPORT, World, games};

const FIRST: HistoryRequest = HistoryRequest::Current { offset: 0 };

fn of_season(label: &str, offset: usize, snapshot: Option<&Snapshot>) -> HistoryRequest {
    HistoryRequest::new(Some(season(SPORT, label)), offset, snapshot.cloned()).expect("goes together")
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
