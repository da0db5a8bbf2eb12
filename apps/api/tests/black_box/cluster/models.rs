//! Declarations of models on several nodes.

use serde_json::json;
use tempfile::tempdir;

use super::Cluster;

const MODELS: &str = "/api/v1/models/nfl";
const PATHS: [&str; 7] = [
    MODELS,
    "/api/v1/models/nfl?format=csv",
    "/api/v1/summary/nfl/won_on_points",
    "/api/v1/strategies/nfl/won_on_points",
    "/api/v1/strategies/nfl/won_on_points?model=ELO",
    "/api/v1/results/nfl/won_on_points",
    "/api/v1/releases/nfl",
];

/// Asserts that each node answers with the same bytes.
async fn assert_agree(cluster: &Cluster) {
    for path in PATHS {
        let first = cluster.nodes[0].get(path).await;
        assert_eq!(first.status, 200, "{path}: {}", first.text());
        for node in &cluster.nodes[1..] {
            let other = node.get(path).await;
            assert_eq!((&other.body, other.header("etag")), (&first.body, first.header("etag")), "{path}");
        }
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn three_nodes_agree_on_models_and_their_figures_after_each_declaration() {
    let Some(site) = Cluster::site() else { return };
    site.publish_fixture("own-models");
    let cluster = Cluster::start(site, &[]).await;
    assert_agree(&cluster).await;
    let folder = tempdir().expect("a folder");
    let models = json!({ "nn_v2": { "retired": true }, "ELO": { "title": "Elo, second edition", "version": "2" } });
    let release = json!({ "sport": "nfl", "slate_date": "2023-09-15", "headline": "ELO", "models": models });
    std::fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
    cluster.site.publish(folder.path());
    for node in &cluster.nodes {
        node.until(MODELS, |answer| answer.json()["headline"] == "ELO").await;
    }
    assert_agree(&cluster).await;
    let listed = cluster.next().get(MODELS).await.json();
    let own = &listed["models"].as_array().expect("models")[8..];
    assert_eq!((&own[0]["title"], &own[1]["retired_at"].is_string()), (&json!("Elo, second edition"), &true));
    let release = &cluster.next().get("/api/v1/releases/nfl").await.json()["releases"][0]["changed"];
    assert_eq!((&release["models_declared"], &release["models_retired"]), (&json!([]), &json!(["nn_v2"])));
}
