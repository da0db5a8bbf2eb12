use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::recording::{Recording, mistyped, unknown_key};
use crate::operations::{self, Operation};
use crate::service::{Service, Site};
use crate::signed::sign;

const KEYS: &str = "/api/v1/customers/me/api-keys";
const WEBHOOKS: &str = "/api/v1/customers/me/webhooks";
const REFRESH: &str = "/api/v1/service-sports-data/refresh";

/// Returns requests for the operation with a key in each of its three places.
fn in_every_place(service: &Service, operation: &Operation, path: &str, key: &str) -> [RequestBuilder; 3] {
    let request = |path: &str| {
        let request = service.bare(operation.method.clone(), path);
        match body(operation, key) {
            Some(body) => request.json(&body),
            None => request,
        }
    };
    let query = format!("{path}{}api_key={key}", if path.contains('?') { '&' } else { '?' });
    [
        request(path).header("X-API-Key", key),
        request(path).header("Authorization", format!("Bearer {key}")),
        request(&query),
    ]
}

/// Returns the body of an operation, which names the key.
fn body(operation: &Operation, key: &str) -> Option<Value> {
    match (&operation.method, operation.template.as_str()) {
        (&Method::POST, KEYS) => Some(json!({ "name": "made" })),
        (&Method::POST, WEBHOOKS) => Some(json!({ "url": "https://example.com/" })),
        (&Method::PATCH, _) => Some(json!({ "api_key_to_rename": key, "new_name": "renamed" })),
        _ => None,
    }
}

#[tokio::test]
async fn no_operation_shows_a_key_from_any_part_of_the_request() {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    site.add_dataset("odds", "nfl.csv", b"a,b\n");
    let _ = sign(&site).await;
    let (id, good) = site.customer("ann@example.com", "ai");
    let (_, lapsed) = site.customer("bob@example.com", "none");
    site.entitle(&id, "odds");
    let mut keys = vec![good.clone(), lapsed, unknown_key(), mistyped(&good)];
    let service = site.serve_with(&[("RUST_LOG", "trace"), ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")]).await;
    let operations = operations::all(&service).await;
    let mut recording = Recording::default();
    let (mut links, mut answered) = (Vec::new(), 0);
    for key in keys.clone() {
        for operation in &operations {
            // The key to revoke is the key itself.
            let path = operation.path().replace("sk_service_aaaa*****", &key);
            let creates = key == good && operation.template == KEYS && operation.method == Method::POST;
            for request in in_every_place(&service, operation, &path, &key) {
                let again = request.try_clone().expect("no stream");
                if creates {
                    keys.push(recording.create_key(request).await);
                    continue;
                }
                let answer = recording.send(request).await;
                if operation.template == REFRESH && answer.status == 200 {
                    links.push(answer.json()["downloads"][0]["url"].as_str().expect("a link").to_owned());
                }
                answered += usize::from(key == good && answer.status == 200);
                if let Some(etag) = answer.header("etag") {
                    let same = recording.send(again.header("If-None-Match", etag)).await;
                    assert_eq!(same.status, 304, "{path}");
                }
            }
        }
    }
    // Only the revocation of the key in use was refused, histories and a proof without a game, and what needs a webhook.
    let of_games = operations.iter().filter(|operation| operation.is_of_a_game()).count();
    assert_eq!(of_games, 3);
    let of_webhooks = operations.iter().filter(|operation| operation.template.contains("/webhooks/{id}")).count();
    let others = operations.len() - 5 - of_webhooks;
    assert_eq!(answered, 3 * others, "every other operation was answered with 200 three times");
    assert_eq!((links.len(), keys.len()), (3, 7));
    for link in links {
        assert_eq!(recording.send(service.fetch(&link).header("X-API-Key", &good)).await.body, "a,b\n");
        let part = service.fetch(&link).bearer_auth(&good).header("Range", "bytes=0-1");
        assert_eq!(recording.send(part).await.status, 206);
        recording.send(service.fetch(&format!("{link}&api_key={good}"))).await;
    }
    recording.stop(&site, service);
    recording.read_files(site.place.path());
    recording.assert_without(&keys);
}
