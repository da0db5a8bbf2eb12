use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key_record, second};

use crate::support::World;

const NOTE: &str = "No validated betting selector is active, so there are no picks. Model outputs are research signals, \
                    and no edge is guaranteed.";

fn no_picks_on(date: &str) -> Value {
    json!({ "date": date, "picks": [], "summary": { "total_picks": 0, "by_sport": {} }, "note": NOTE })
}

#[actix_web::test]
async fn there_are_no_picks_today_in_the_eastern_calendar() {
    let world = World::with_subscriber().await;
    assert_eq!(world.get_with_key("/api/v1/picks/today").await.json(), no_picks_on("2025-05-01"));
}

#[actix_web::test]
async fn there_are_no_picks_on_any_day() {
    let world = World::with_subscriber().await;
    for date in ["2025-01-15", "2024-02-29", "1999-12-31"] {
        assert_eq!(world.get_with_key(&format!("/api/v1/picks/{date}")).await.json(), no_picks_on(date));
    }
}

#[actix_web::test]
async fn a_date_other_than_yyyy_mm_dd_is_400() {
    let world = World::with_subscriber().await;
    for date in ["2025-02-29", "2025-1-5", "20250115", "15-01-2025", "yesterday", "2025-13-01", "+025-01-15", "TODAY"] {
        let detail = format!("`{date}` is not a date; dates are YYYY-MM-DD");
        world.get_with_key(&format!("/api/v1/picks/{date}")).await.expect_failure(400, &detail);
    }
}

#[actix_web::test]
async fn every_window_of_performance_is_zero_for_any_query() {
    let world = World::with_subscriber().await;
    let zero = json!({ "picks": 0, "wins": 0, "losses": 0, "pushes": 0, "win_pct": 0.0, "units": 0.0, "roi": 0.0 });
    let expected = json!({ "last_7_days": zero, "last_30_days": zero, "season": zero, "all_time": zero, "note": NOTE });
    for query in ["", "?sport=MLB", "?sport=ncaab&market=Total", "?market=spread", "?sport=NHL&market=moneyline"] {
        let answer = world.get_with_key(&format!("/api/v1/picks/performance{query}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, expected.clone()), "{query}");
    }
}

#[actix_web::test]
async fn an_unknown_sport_or_market_is_400() {
    let world = World::with_subscriber().await;
    let table = [
        ("sport=xfl", "`sport`: `xfl` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab"),
        ("market=over_under", "`market` must be one of spread, total, moneyline"),
        ("market=", "`market` must be one of spread, total, moneyline"),
        ("market=total&market=spread", "`market` is given more than once"),
    ];
    for (query, detail) in table {
        world.get_with_key(&format!("/api/v1/picks/performance?{query}")).await.expect_failure(400, detail);
    }
}

#[actix_web::test]
async fn picks_need_any_key() {
    let lapsed = World::new();
    lapsed.admit(&a_customer().without_plan().build(), &a_key_record().issued(second(-60)).build()).await;
    for path in ["today", "performance", "2025-01-15"] {
        let path = format!("/api/v1/picks/{path}");
        assert_eq!(lapsed.get_with_key(&path).await.status, 200, "{path}");
        lapsed.get(&path).await.expect_failure(401, "API key required");
    }
    lapsed.get("/api/v1/picks/yesterday").await.expect_failure(401, "API key required");
}

#[actix_web::test]
async fn every_operation_of_empty_picks_is_deprecated_in_its_headers_and_the_document() {
    let world = World::with_subscriber().await;
    let document = world.get("/openapi.json").await.json();
    let table = [
        ("/api/v1/picks/today", "/api/v1/picks/today"),
        ("/api/v1/picks/{date}", "/api/v1/picks/2025-01-15"),
        ("/api/v1/picks/performance", "/api/v1/picks/performance"),
        ("/api/v1/edge-picks", "/api/v1/edge-picks"),
        ("/api/v1/edge-picks/{date_str}", "/api/v1/edge-picks/2025-01-15"),
        ("/api/v1/edge-picks/track-record", "/api/v1/edge-picks/track-record"),
    ];
    for (pattern, path) in table {
        let answer = world.get_with_key(path).await;
        // 29 November 2026 at midnight, in seconds of Unix.
        assert_eq!(answer.header("deprecation"), Some("@1795910400"), "{path}");
        let link = "</docs#deprecated>; rel=\"deprecation\"; type=\"text/html\"";
        assert_eq!(answer.header("link"), Some(link), "{path}");
        let operation = &document["paths"][pattern]["get"];
        assert_eq!(operation["deprecated"], true, "{pattern}");
        assert!(operation["responses"]["200"]["headers"]["Deprecation"].is_object(), "{pattern}");
    }
    let operations = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|path| path.as_object().expect("operations").values());
    assert_eq!(operations.filter(|operation| operation["deprecated"] == true).count(), table.len());
    let page = world.get("/docs/").await;
    assert!(page.text.contains("id=\"deprecated\""), "the section that the link names");
}
