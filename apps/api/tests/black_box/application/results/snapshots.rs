use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;

use crate::folder::Folder;
use crate::rows;
use crate::service::{Answer, Site};

const OLDER: &str = "/api/v1/results/nfl/over_under?season=2023-24";
const RESTART: &str = "Season 2023-24 of nfl over_under was published anew since this snapshot; \
                       start again from the first page, without `snapshot` and `offset`";
const UNKNOWN: &str = "This is no snapshot of season 2023-24 of nfl over_under; \
                       start again from the first page, without `snapshot` and `offset`";

fn snapshot(page: &Answer) -> String {
    page.json()["snapshot"].as_str().expect("a snapshot").to_owned()
}

/// Creates week 18 with one probability of one market changed.
fn corrected() -> Folder {
    Folder::copy_of("nfl-2023-week-18").replace("probabilities/over_under/2023-24.csv", "0.4729", "0.4730")
}

#[tokio::test]
async fn a_season_republished_between_pages_is_409() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let first = service.get(&format!("{OLDER}&limit=7")).await;
    let before = snapshot(&first);
    let moneyline = snapshot(&service.page("nfl/won_on_points?season=2023-24").await);
    site.publish(corrected().path());

    let second = format!("{OLDER}&limit=7&offset=7&snapshot={before}");
    let refused = service.until(&second, |answer| answer.status != 200).await;
    assert_eq!(refused.failure(409), RESTART);
    // The first page is refused with the old snapshot, too, and served without it.
    let stale = service.get(&format!("{OLDER}&snapshot={before}")).await;
    assert_eq!(stale.failure(409), RESTART);
    let anew = service.get(&format!("{OLDER}&limit=7")).await;
    let after = snapshot(&anew);
    assert_ne!(after, before);
    assert!(rows::raw(&first).contains(r#""RF":0.4729"#) && rows::raw(&anew).contains(r#""RF":0.473,"#));
    let second = service.get(&format!("{OLDER}&limit=7&offset=7&snapshot={after}")).await;
    assert_eq!((second.status, &second.json()["next_offset"]), (200, &Value::from(14)));
    // The other markets are unchanged.
    assert_eq!(snapshot(&service.page("nfl/won_on_points?season=2023-24").await), moneyline);
}

#[tokio::test]
async fn another_season_published_between_pages_has_no_effect() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let before = service.get(OLDER).await;
    site.publish_fixture("edge-cases");

    let current = "/api/v1/results/nfl/over_under?limit=1";
    service.until(current, |page| page.json()["season"] == "2024-25").await;
    let later = service.get(&format!("{OLDER}&limit=7&offset=7&snapshot={}", snapshot(&before))).await;
    assert_eq!(later.status, 200, "{}", later.text());
    assert_eq!(rows::texts(&later), rows::texts(&before)[7..14]);
    assert_eq!(service.get(OLDER).await.body, before.body);
}

#[tokio::test]
async fn the_current_season_can_be_paged_over_a_republish() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    let first = service.page("nfl/over_under?limit=7").await;
    assert_eq!(first.json()["next_offset"], 7);
    let folder = Folder::copy_of("edge-cases").append(
        "games/2024-25.csv",
        "2025-01-26,15:00:00,2024-25,postseason,buffalo_bills,detroit_lions,,,,,,,,,,,,,,,,,",
    );
    site.publish(folder.path());

    let second = "/api/v1/results/nfl/over_under?limit=7&offset=7";
    let second = service.until(second, |page| page.json()["total"] == 21).await;
    // One game is newer than the first page, so the second page starts with the first page's last row.
    assert_eq!(rows::texts(&second)[0], rows::texts(&first)[6]);
    let whole = service.page("nfl/over_under").await;
    assert_eq!(rows::texts(&second), rows::texts(&whole)[7..14]);
    assert_eq!(rows::texts(&whole)[1..8], rows::texts(&first));
    assert!(rows::texts(&whole)[0].contains(r#""date":"2025-01-26""#));
}

/// Two nodes over one store; the second would poll for the next generation an hour later.
#[tokio::test]
async fn a_node_polls_for_a_newer_generation_before_it_refuses_a_snapshot() {
    let site = Site::on_one_machine();
    site.publish_fixture("nfl-2023-week-18");
    let store = format!("file:{}", site.place.store().display());
    let behind = Site::on_one_machine();
    let slow = behind.app_with(&[("SPORTS_STORE__URL", &store), ("SPORTS_STORE__POLL_INTERVAL", "1h")]).await;
    let before = snapshot(&slow.get(OLDER).await);
    let other_market = slow.page("nfl/won_on_points?season=2023-24").await;
    site.publish(corrected().path());
    let after = snapshot(&site.app().await.get(OLDER).await);
    assert_ne!(after, before);

    sleep(Duration::from_millis(200)).await;
    assert_eq!(snapshot(&slow.get(OLDER).await), before, "the slow node has not looked");
    let page = slow.get(&format!("{OLDER}&limit=7&offset=7&snapshot={after}")).await;
    assert_eq!((page.status, snapshot(&page)), (200, after.clone()), "{}", page.text());
    // It is the current generation there now, for every caller.
    assert_eq!(snapshot(&slow.get(OLDER).await), after);
    assert_eq!(slow.get(&format!("{OLDER}&snapshot={before}")).await.failure(409), RESTART);
    assert_eq!(snapshot(&slow.page("nfl/won_on_points?season=2023-24").await), snapshot(&other_market));
}

#[tokio::test]
async fn a_snapshot_names_one_market_of_one_season() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    let service = site.app().await;
    let mut seen = Vec::new();
    for model_type in ["over_under", "won_on_points", "won_on_spread"] {
        for season in ["2023-24", "2024-25"] {
            seen.push(snapshot(&service.page(&format!("nfl/{model_type}?season={season}&limit=1")).await));
        }
        let current = snapshot(&service.page(&format!("nfl/{model_type}?limit=1")).await);
        assert_eq!(Some(&current), seen.last(), "both modes are cut from the same content");
    }
    for (position, snapshot) in seen.iter().enumerate() {
        assert!(!seen[..position].contains(snapshot), "{snapshot}");
    }
    let borrowed = service.get(&format!("{OLDER}&offset=7&snapshot={}", seen[1])).await;
    assert_eq!(borrowed.failure(409), UNKNOWN);
}

/// A server started after the season was published anew knows its earlier snapshots from the log.
#[tokio::test]
async fn an_unknown_snapshot_is_distinguished_from_an_old_one() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let before = snapshot(&site.app().await.get(OLDER).await);
    site.publish(corrected().path());
    let service = site.app().await;
    let refused = |snapshot: &str| {
        let path = format!("{OLDER}&offset=7&snapshot={snapshot}");
        let service = &service;
        async move { service.get(&path).await.failure(409) }
    };
    for made_up in ["abc", "0123456789abcdef", "0123456789ABCDEF", "%F0%9F%8F%88%F0%9F%8F%88%F0%9F%8F%88%F0%9F%8F%88"] {
        assert_eq!(refused(made_up).await, UNKNOWN, "{made_up}");
    }
    assert_eq!(refused(&before).await, RESTART);
    site.publish_fixture("edge-cases");
    service.until("/api/v1/results/nfl/over_under?limit=1", |page| page.json()["season"] == "2024-25").await;
    assert_eq!(refused(&before).await, RESTART, "still, after later publishes");
}
