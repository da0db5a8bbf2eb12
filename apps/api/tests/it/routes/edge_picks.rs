use serde_json::json;

use crate::support::World;

const NOTE: &str = "No validated betting selector is active, so there are no picks. Model outputs are research signals, \
                    and no edge is guaranteed.";

#[actix_web::test]
async fn edge_picks_are_empty_and_need_no_key() {
    let world = World::new();
    let expected = json!({ "picks": [], "total_picks": 0, "note": NOTE });
    for query in ["", "?sport=nfl", "?sport=cricket", "?sport="] {
        let answer = world.get(&format!("/api/v1/edge-picks{query}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, expected.clone()), "{query}");
    }
}

#[actix_web::test]
async fn there_are_no_picks_on_any_day() {
    let answer = World::new().get("/api/v1/edge-picks/2025-01-15").await;
    assert_eq!(answer.json(), json!({ "date": "2025-01-15", "picks": [], "total_picks": 0, "note": NOTE }));
}

#[actix_web::test]
async fn a_date_other_than_yyyy_mm_dd_is_400() {
    let detail = "`2025-1-15` is not a date; dates are YYYY-MM-DD";
    World::new().get("/api/v1/edge-picks/2025-1-15").await.expect_failure(400, detail);
}

#[actix_web::test]
async fn the_track_record_of_edge_picks_is_empty() {
    let zero = json!({ "picks": 0, "wins": 0, "losses": 0, "pushes": 0, "win_pct": 0.0, "units": 0.0, "roi": 0.0 });
    let answer = World::new().get("/api/v1/edge-picks/track-record").await;
    assert_eq!(answer.json(), json!({ "record": zero, "history": [], "note": NOTE }));
}

#[actix_web::test]
async fn parameters_of_edge_picks_are_ignored() {
    let world = World::new();
    for path in ["/api/v1/edge-picks?season=2024", "/api/v1/edge-picks/2025-01-15?sport=nfl"] {
        assert_eq!(world.get(path).await.status, 200, "{path}");
    }
}
