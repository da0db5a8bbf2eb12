use crate::service::Site;

/// There is no archive for an old date, and today's answer must not be mistaken for it.
/// Paths without an answer as of another time.
const PRESENT: [&str; 4] = ["sports", "customers/me", "markets/nfl", "public/ml-picks/nfl/spread"];

#[tokio::test]
async fn a_date_parameter_is_refused_by_paths_that_answer_as_of_now() {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:00:00Z")]).await;
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
