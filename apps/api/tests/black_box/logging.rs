//! The log line of a request, as JSON and as text.

use serde_json::Value;

use crate::service::Site;

#[tokio::test]
async fn a_line_names_the_customer_and_the_league_and_numbers_are_numbers() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let (ann, key) = site.customer("ann@example.com", "ai");
    let (bob, lapsed) = site.customer("bob@example.com", "none");
    let service = site.serve_with_arguments(&["--log-format", "json"]).await;
    let send = |path: &'static str, key: &str| service.bare(reqwest::Method::GET, path).header("X-API-Key", key).send();
    send("/api/v1/results/NFL/over_under?limit=1", &key).await.expect("answered");
    send("/api/v1/results/nfl/over_under?limit=none", &key).await.expect("answered");
    send("/api/v1/results/nhl/over_under", &lapsed).await.expect("answered");
    send("/api/v1/results/cricket/over_under", &key).await.expect("answered");
    send("/api/v1/customers/me", &lapsed).await.expect("answered");
    send("/api/v1/data-status/nba", "").await.expect("answered");
    service.stop();

    let log = site.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lines =
        lines.iter().filter(|line| line["target"] == "sports_api::access" && line["route"] != "/api/v1/readiness");
    let seen = lines.map(|line| {
        assert!(line["ms"].as_f64().is_some_and(|ms| ms > 0.0) && line["status"].is_u64(), "{line}");
        let text = |name: &str| line.get(name).map(|value| value.as_str().expect("text").to_owned());
        (line["status"].as_u64().unwrap_or_default(), text("customer"), text("sport"))
    });
    let some = |text: &str| Some(text.to_owned());
    let expected = [
        (200, some(&ann), some("nfl")),
        (400, some(&ann), some("nfl")),
        (403, some(&bob), some("nhl")),
        (400, some(&ann), None),
        (200, some(&bob), None),
        (200, None, some("nba")),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
    let published =
        log.lines().find(|line| line.contains(r#""message":"a generation is current""#)).expect("a generation");
    assert!(published.contains(r#""generation":1,"#), "{published}");
}

#[tokio::test]
async fn the_text_log_has_the_fields_of_the_json_log() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let (ann, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    service.with_key(&key).get("/api/v1/results/nfl/over_under?limit=1").await;
    service.stop();
    let log = site.log();
    let line = log.lines().find(|line| line.contains("over_under") || line.contains("{model_type}")).expect("a line");
    for part in [format!("customer={ann}"), "sport=nfl".to_owned(), "status=200".to_owned(), "ms=".to_owned()] {
        assert!(line.contains(&part), "{line}");
    }
}
