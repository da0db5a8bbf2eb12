use serde_json::json;

use crate::service::{Answer, Site};

#[tokio::test]
async fn every_path_of_picks_exists_and_is_empty() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2025-01-16T03:00:00Z")]).await;
    let today = service.get("/api/v1/picks/today").await.json();
    assert_eq!(today["date"], "2025-01-15", "ten in the evening, Eastern");
    assert_eq!((&today["picks"], &today["summary"]), (&json!([]), &json!({ "total_picks": 0, "by_sport": {} })));
    assert_eq!(service.get("/api/v1/picks/2025-01-15").await.json(), today);
    let performance = service.get("/api/v1/picks/performance?sport=NFL&market=spread").await.json();
    for window in ["last_7_days", "last_30_days", "season", "all_time"] {
        assert_eq!((&performance[window]["picks"], &performance[window]["roi"]), (&json!(0), &json!(0.0)), "{window}");
    }
    assert_eq!(performance["note"], today["note"]);
}

#[tokio::test]
async fn parameters_of_old_clients_are_ignored() {
    let site = Site::empty();
    let service = site.serve().await;
    let query = "?sport=NFL&season=2024&limit=5&as_of=2024-01-01&sports=nfl&limit=6";
    for path in [
        "picks/today",
        "picks/2025-01-15",
        "picks/performance",
        "edge-picks",
        "edge-picks/2025-01-15",
        "edge-picks/track-record",
    ] {
        let plain = service.get(&format!("/api/v1/{path}")).await;
        let answer = service.get(&format!("/api/v1/{path}{query}")).await;
        assert_eq!((answer.status, answer.json()), (200, plain.json()), "{path}");
    }
    assert_eq!(service.get("/api/v1/picks/performance?sport=cricket").await.status, 400, "a league it does take");
}

/// There is no archive for an old date, and today's answer must not be mistaken for it.
/// Paths without an answer as of another time.
const PRESENT: [&str; 4] = ["sports", "customers/me", "markets/nfl", "public/ml-picks/nfl/spread"];

#[tokio::test]
async fn a_date_parameter_is_refused_by_paths_that_answer_as_of_now() {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:00:00Z")]).await;
    for path in [
        "predictions/nfl/won_on_spread",
        "odds/nfl",
        "markets/nfl",
        "public/ml-picks/nfl/spread",
        "data-status/nfl",
        "results/nfl/over_under",
        "results/nfl/over_under/seasons",
        "results/nfl/over_under/rolling",
        "results/nfl/over_under/density",
        "results/nfl/over_under/team-form",
        "summary/nfl/over_under",
        "model-tracking/nfl/over_under",
        "strategies/nfl/over_under",
        "strategies/nfl/won_on_spread/follow_line_follow_edge_home/replay",
        "sports",
        "customers/me",
    ] {
        for name in ["as_of", "date"] {
            let refused = service.get(&format!("/api/v1/{path}?{name}=2023-12-31")).await;
            let detail = refused.failure(400);
            let start = match (PRESENT.contains(&path), name) {
                (true, _) => format!("`{name}` is not a parameter here: this path answers as of now. This path takes"),
                (false, "as_of") => "`as_of` must be an RFC 3339 instant".to_owned(),
                (false, _) => format!("`{name}` is not a parameter here, did you mean `as_of`? This path takes"),
            };
            assert!(detail.starts_with(&start), "{path}: {detail}");
        }
    }
}

#[tokio::test]
async fn picks_need_any_key_and_edge_picks_no_key() {
    let site = Site::empty();
    let lapsed = site.key_of_another("none", &[]);
    let service = site.serve().await;
    for path in ["today", "performance", "2025-01-15"] {
        let path = format!("/api/v1/picks/{path}");
        assert_eq!(Answer::to(service.request(&path)).await.failure(401), "API key required");
        assert_eq!(Answer::to(service.request(&path).header("X-API-Key", &lapsed)).await.status, 200, "{path}");
    }
    for path in ["", "?sport=MLB", "/2025-01-15", "/track-record"] {
        let answer = Answer::to(service.request(&format!("/api/v1/edge-picks{path}"))).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_malformed_date_is_refused_and_a_longer_path_is_404() {
    let site = Site::empty();
    let service = site.serve().await;
    let detail = "`tomorrow` is not a date; dates are YYYY-MM-DD";
    assert_eq!(service.get("/api/v1/picks/tomorrow").await.failure(400), detail);
    assert_eq!(service.get("/api/v1/edge-picks/tomorrow").await.failure(400), detail);
    assert_eq!(service.get("/api/v1/picks/performance?market=runs").await.status, 400);
    for path in ["/api/v1/picks", "/api/v1/picks/2025-01-15/nfl", "/api/v1/edge-picks/track-record/2025"] {
        service.get(path).await.failure(404);
    }
}
