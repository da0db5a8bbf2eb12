//! Rules 4 and 5 of authentication: the paths of each plan, and the paths without a key.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::operations::{self, Operation};
use crate::service::{Answer, Customer, Service, Site};
use crate::signed;

/// The paths of rule 5, the document itself and the record.
const OPEN: [&str; 19] = [
    "/",
    "/api/v1/health",
    "/api/v1/readiness",
    "/api/v1/liveness",
    "/api/v1/data-status/{sport}",
    "/api/v1/data-status/{sport}/history",
    "/api/v1/releases/{sport}",
    "/api/v1/record/keys",
    "/api/v1/record/{sport}/checkpoint",
    "/api/v1/record/{sport}/checkpoints",
    "/api/v1/record/{sport}/checkpoints/{size}",
    "/api/v1/record/{sport}/checkpoints/{size}/timestamps/{sha256}",
    "/api/v1/record/{sport}/tile/{tile}",
    "/api/v1/public/ml-picks/{sport}/{market}",
    "/api/v1/public/leagues",
    "/api/v1/teams/{sport}",
    "/api/v1/edge-picks",
    "/api/v1/edge-picks/{date_str}",
    "/api/v1/edge-picks/track-record",
];

/// The paths that any key opens, with a subscription or without.
const KEYED: [&str; 6] = [
    "/api/v1/markets/{sport}",
    "/api/v1/picks/today",
    "/api/v1/picks/{date}",
    "/api/v1/picks/performance",
    "/api/v1/customers/me",
    "/api/v1/customers/me/usage",
];

/// The paths that need a subscription.
const SOLD: [&str; 38] = [
    "/api/v1/sports",
    "/api/v1/models/{sport}",
    "/api/v1/predictions/{sport}/{model_type}",
    "/api/v1/predictions/{sport}/{model_type}/history",
    "/api/v1/predictions/{sport}/{model_type}/moves",
    "/api/v1/predictions/{sport}/{model_type}/season",
    "/api/v1/odds/{sport}",
    "/api/v1/odds/{sport}/closing",
    "/api/v1/odds/{sport}/history",
    "/api/v1/odds/{sport}/moves",
    "/api/v1/slate/{sport}",
    "/api/v1/corrections/{sport}",
    "/api/v1/games/{sport}",
    "/api/v1/record/{sport}/proof",
    "/api/v1/record/{sport}/{model_type}/openings",
    "/api/v1/results/{sport}/{model_type}",
    "/api/v1/results/{sport}/{model_type}/seasons",
    "/api/v1/results/{sport}/{model_type}/rolling",
    "/api/v1/results/{sport}/{model_type}/density",
    "/api/v1/results/{sport}/{model_type}/team-form",
    "/api/v1/strategies/{sport}/{model_type}",
    "/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay",
    "/api/v1/summary/{sport}/{model_type}",
    "/api/v1/calibration/{sport}/{model_type}",
    "/api/v1/clv/{sport}/{model_type}",
    "/api/v1/backtest/{sport}/{model_type}",
    "/api/v1/model-tracking/{sport}/{model_type}",
    "/api/v1/customers/me/api-keys",
    "/api/v1/customers/me/api-keys/rename",
    "/api/v1/customers/me/api-keys/{api_key}",
    "/api/v1/customers/me/webhooks",
    "/api/v1/customers/me/webhooks/{id}",
    "/api/v1/customers/me/webhooks/{id}/deliveries",
    "/api/v1/customers/me/webhooks/{id}/enable",
    "/api/v1/customers/me/webhooks/{id}/test",
    "/api/v1/service-sports-data/status",
    "/api/v1/service-sports-data/refresh",
    "/api/v1/service-sports-data/refresh/last",
];

fn with_body(operation: &Operation, request: RequestBuilder) -> RequestBuilder {
    match operation.method {
        Method::POST if operation.template.ends_with("/api-keys") => request.json(&json!({ "name": "made" })),
        Method::POST if operation.template.ends_with("/webhooks") => {
            request.json(&json!({ "url": "https://example.com/" }))
        }
        Method::PATCH => request.json(&json!({ "api_key_to_rename": "sk_service_aaaa*****", "new_name": "x" })),
        _ => request,
    }
}

async fn send_with(customer: &Customer<'_>, operation: &Operation) -> Answer {
    Answer::to(with_body(operation, customer.request(operation.method.clone(), &operation.path()))).await
}

/// Creates a site where every path has content, and a server without limits per second.
async fn full() -> (Site, Service, Vec<Operation>) {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    site.add_dataset("odds", "nfl.csv", b"a,b\n");
    let _ = signed::sign(&site).await;
    let service = site.serve_with(&[("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")]).await;
    let operations = operations::all(&service).await;
    (site, service, operations)
}

#[tokio::test]
async fn every_path_has_its_level_of_access() {
    let (_site, _service, operations) = full().await;
    let templates: BTreeSet<_> = operations.iter().map(|operation| operation.template.as_str()).collect();
    assert_eq!(templates, OPEN.into_iter().chain(KEYED).chain(SOLD).collect());
}

#[tokio::test]
async fn public_operations_need_no_key_and_all_others_do() {
    let (_site, service, operations) = full().await;
    for operation in &operations {
        let request = with_body(operation, service.bare(operation.method.clone(), &operation.path()));
        let answer = Answer::to(request).await;
        if OPEN.contains(&&*operation.template) {
            assert_eq!(answer.status, 200, "{}", operation.template);
        } else {
            assert_eq!(answer.failure(401), "API key required", "{}", operation.template);
        }
    }
}

#[tokio::test]
async fn each_plan_opens_everything() {
    let (site, service, operations) = full().await;
    for plan in ["ai", "data", "basic", "premium"] {
        let (id, key) = site.customer(&format!("{plan}@example.com"), plan);
        site.entitle(&id, "odds");
        for operation in &operations {
            let answer = send_with(&service.with_key(&key), operation).await;
            // No customer has the key that is to be renamed or revoked, and the webhook.
            let expected = match operation.method {
                Method::PATCH | Method::DELETE => 404,
                _ if operation.template.contains("/webhooks/") => 404,
                _ if operation.is_of_a_game() => 400,
                _ => 200,
            };
            assert_eq!(answer.status, expected, "{plan}: {} {}", operation.template, answer.text());
        }
    }
}

#[tokio::test]
async fn without_a_plan_a_key_opens_the_account_markets_and_old_picks() {
    let (site, service, operations) = full().await;
    let (id, key) = site.customer("lapsed@example.com", "none");
    site.entitle(&id, "odds");
    for operation in &operations {
        let answer = send_with(&service.with_key(&key), operation).await;
        if SOLD.contains(&&*operation.template) {
            assert_eq!(answer.failure(403), "Active subscription required", "{}", operation.template);
        } else {
            assert_eq!(answer.status, 200, "{}: {}", operation.template, answer.text());
        }
    }
}
