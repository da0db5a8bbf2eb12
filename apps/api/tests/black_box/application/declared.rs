//! The document's declarations of statuses and headers, compared with real answers.

use reqwest::Method;

use crate::operations;
use crate::service::{Answer, Service, Site};
use crate::signed;

async fn get_with(service: &Service, path: &str, header: Option<(&str, &str)>) -> Answer {
    let request = service.keyed(path);
    Answer::to(header.into_iter().fold(request, |request, (name, value)| request.header(name, value))).await
}

#[tokio::test]
async fn every_get_answers_itself_and_its_own_etag_with_a_declared_status() {
    let site = Site::publishing(&["nfl-2023-week-18", "nfl-2023-week-18-slate"]);
    let _ = signed::sign(&site).await;
    let service = site.app().await;
    let (mut operations, mut revalidated) = (0, 0);
    let operations_of_all = operations::all(&service).await;
    // Histories have tests of their own: a game that started before it was published has none. Nor is there a last refresh before one,
    // or a webhook.
    let is_asked = |operation: &&operations::Operation| {
        let of_nothing = ["/last", "/webhooks/{id}/deliveries"].iter().any(|end| operation.template.ends_with(end));
        operation.method == Method::GET && !operation.is_of_a_game() && !of_nothing
    };
    for operation in operations_of_all.iter().filter(is_asked) {
        let (path, declared) = (operation.path(), &operation.declared);
        let answer = get_with(&service, &path, None).await;
        assert_eq!((answer.status, declared.contains(&200)), (200, true), "{path}: {}", answer.text());
        assert_eq!(answer.header("etag").is_some(), declared.contains(&304), "{path} declares {declared:?}");
        operations += 1;
        let kept = answer.header("cache-control").expect(&path);
        let is_immutable = ["{tile}", "{sha256}"].iter().any(|end| operation.template.ends_with(end));
        let expected: &[&str] = match (operation.public, is_immutable) {
            (true, true) => &["public, max-age=31536000, immutable"],
            (true, false) => &["public, no-cache"],
            (false, _) => &["private, no-cache", "no-store"],
        };
        assert!(expected.contains(&kept), "{path}: {kept}");
        if let Some(etag) = answer.header("etag") {
            let again = get_with(&service, &path, Some(("If-None-Match", etag))).await;
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(etag)), "{path}");
            assert_eq!(again.header("cache-control"), Some(kept), "{path}");
            revalidated += 1;
        }
        let refused = get_with(&service, &format!("{path}?apikey=x"), None).await;
        if refused.status != 200 {
            assert!(declared.contains(&refused.status), "{path} answers {} and declares {declared:?}", refused.status);
            assert_eq!(refused.header("cache-control"), Some("no-store"), "{path}");
        }
    }
    assert!(operations > 20 && revalidated > 12, "{operations} operations, {revalidated} with an ETag");
}

/// Refusals by caller, at every operation.
#[tokio::test]
async fn every_refusal_has_a_declared_status() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    // It lacks a subscription, and the scope for the account, which needs none.
    let lapsed = site.key_of_another("none", &["--scope", "read"]);
    let service = site.app().await;
    for operation in operations::all(&service).await {
        let (mut path, declared) = (operation.path(), &operation.declared);
        if operation.public && declared.contains(&403) {
            // Earlier moments alone take a key.
            path.push_str("?generation=1");
        }
        let answer = Answer::to(service.with_key(&lapsed).request(operation.method.clone(), &path)).await;
        assert!(declared.contains(&answer.status), "{path} answers {} and declares {declared:?}", answer.status);
        let forbids = answer.status == 403;
        assert_eq!(forbids, declared.contains(&403), "{path} answers {} and declares {declared:?}", answer.status);
    }
}
