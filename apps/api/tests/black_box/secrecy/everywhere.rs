use reqwest::Method;
use serde_json::json;

use super::recording::{Recording, mistyped, unknown_key};
use crate::service::Site;

const KEYS: &str = "/api/v1/customers/me/api-keys";

#[tokio::test]
async fn a_key_in_the_wrong_place_is_shown_nowhere() {
    let site = Site::publishing(&["doubleheader"]);
    let (_, good) = site.customer("ann@example.com", "ai");
    let (_, lapsed) = site.customer("bob@example.com", "none");
    let (unknown, typo) = (unknown_key(), mistyped(&good));
    let service = site.serve_with(&[("RUST_LOG", "trace")]).await;
    let ann = service.with_key(&good);
    let mut recording = Recording::default();
    for key in [&good, &lapsed, &unknown, &typo] {
        let path = |path: &str| path.replace("KEY", key);
        let mut requests = vec![
            service.request("/api/v1/sports").header("Authorization", format!("Basic {key}")),
            service.request("/api/v1/sports").header("Cookie", key).header("Referer", key).header("X-Request-Id", key),
            service.request("/api/v1/sports").header("User-Agent", key).header("X-Forwarded-For", key),
        ];
        for place in [
            "/api/v1/sports?api_key=KEY&api_key=KEY",
            "/api/v1/sports?apikey=KEY",
            "/api/v1/sports?KEY=KEY",
            "/api/v1/picks/today?KEY=KEY",
            "/api/v1/results/mlb/over_under?season=KEY",
            "/api/v1/results/mlb/over_under?limit=KEY&snapshot=KEY",
            "/api/v1/results/KEY/over_under",
            "/api/v1/customers/me/api-keys/KEY",
            "/KEY",
            "/downloads/KEY/KEY/KEY/KEY?signature=KEY",
            "/docs/KEY",
        ] {
            requests.push(service.request(&path(place)));
            requests.push(service.request(&path(place)).header("X-API-Key", &good));
        }
        for body in [json!(key), json!({ "name": [key] }), json!({ key.as_str(): key })] {
            requests.push(ann.request(Method::POST, KEYS).json(&body));
        }
        for body in [
            json!({ "api_key_to_rename": { "key": key }, "new_name": 5 }),
            json!({ "api_key_to_rename": key, "new_name": "" }),
        ] {
            requests.push(ann.request(Method::PATCH, "/api/v1/customers/me/api-keys/rename").json(&body));
        }
        // Without its prefix the text is still a secret: as an id, as a method, and with the prefix as a method.
        let body = &key["sk_service_".len()..];
        for id in [body, &format!("id-{body}"), &format!("sk-service-{body}")] {
            requests.push(service.request("/api/v1/sports").header("X-Request-Id", id));
        }
        for method in [key.as_str(), body] {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            requests.push(service.bare(method.clone(), "/api/v1/sports"));
            requests.push(service.bare(method, "/nowhere").header("X-API-Key", &good));
        }
        for request in requests {
            recording.send(request).await;
        }
    }
    assert_eq!(recording.statuses, [200, 400, 401, 403, 404, 405].into(), "every kind of call was made");
    recording.stop(&site, service);
    recording.read_files(site.place.path());
    recording.assert_without([&good, &lapsed, &unknown, &typo]);
}
