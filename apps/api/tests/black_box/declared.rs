//! The document tells the truth about statuses and headers.

use serde_json::Value;

use crate::service::{Answer, Service, Site};

/// Where `SPORT`, a model type and so on stand in a path.
const PARTS: [(&str, &str); 7] = [
    ("{sport}", "nfl"),
    ("{model_type}", "won_on_spread"),
    ("{market}", "spread"),
    ("{strategy_id}", "follow_line_home"),
    ("{date}", "2024-01-06"),
    ("{date_str}", "2024-01-06"),
    ("{api_key}", "sk_service_aaaa*****"),
];

/// The statuses that the document has for an operation.
fn declared(operation: &Value) -> Vec<u16> {
    let responses = operation["responses"].as_object().expect("responses");
    responses.keys().map(|status| status.parse().expect("a number")).collect()
}

async fn ask(service: &Service, path: &str, header: Option<(&str, &str)>) -> Answer {
    let request = service.keyed(path);
    Answer::to(header.into_iter().fold(request, |request, (name, value)| request.header(name, value))).await
}

#[tokio::test]
async fn every_get_answers_itself_and_its_own_etag_with_a_declared_status() {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    let service = site.serve().await;
    let document = service.get("/openapi.json").await.json();
    let (mut asked, mut revalidated) = (0, 0);
    for (template, item) in document["paths"].as_object().expect("paths") {
        let Some(operation) = item.get("get") else { continue };
        let path = PARTS.iter().fold(template.clone(), |path, (name, value)| path.replace(name, value));
        let answer = ask(&service, &path, None).await;
        let declared = declared(operation);
        assert_eq!((answer.status, declared.contains(&200)), (200, true), "{path}: {}", answer.text());
        assert_eq!(answer.header("etag").is_some(), declared.contains(&304), "{path} declares {declared:?}");
        asked += 1;
        let public = operation["security"] == serde_json::json!([{}]);
        let kept = answer.header("cache-control").expect(&path);
        let expected: &[&str] = if public { &["public, no-cache"] } else { &["private, no-cache", "no-store"] };
        assert!(expected.contains(&kept), "{path}: {kept}");
        if let Some(etag) = answer.header("etag") {
            let again = ask(&service, &path, Some(("If-None-Match", etag))).await;
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(etag)), "{path}");
            assert_eq!(again.header("cache-control"), Some(kept), "{path}");
            revalidated += 1;
        }
        let refused = ask(&service, &format!("{path}?apikey=x"), None).await;
        if refused.status != 200 {
            assert!(declared.contains(&refused.status), "{path} answers {} and declares {declared:?}", refused.status);
            assert_eq!(refused.header("cache-control"), Some("no-store"), "{path}");
        }
    }
    assert!(asked > 20 && revalidated > 12, "{asked} operations, {revalidated} with an ETag");
}

/// Refusals that hang on who asks, at every operation there is.
#[tokio::test]
async fn whoever_is_refused_is_refused_as_declared() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let lapsed = site.key_of_another("none", &[]);
    let service = site.serve().await;
    let document = service.get("/openapi.json").await.json();
    for (template, item) in document["paths"].as_object().expect("paths") {
        let path = PARTS.iter().fold(template.clone(), |path, (name, value)| path.replace(name, value));
        for (method, operation) in item.as_object().expect("operations") {
            let method = method.to_uppercase().parse().expect("a method");
            let answer = Answer::to(service.with_key(&lapsed).request(method, &path)).await;
            let declared = declared(operation);
            assert!(declared.contains(&answer.status), "{path} answers {} and declares {declared:?}", answer.status);
            let forbids = answer.status == 403;
            assert_eq!(forbids, declared.contains(&403), "{path} answers {} and declares {declared:?}", answer.status);
        }
    }
}
