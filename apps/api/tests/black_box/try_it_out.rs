//! Every request that the documentation prefills, sent from the page to a demo.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::demo::Demo;
use crate::docs_page::{areas, enter, execute, fold, is_of, operations, toggle, unfold};

/// The ends of operations whose requests name a game, the size of a checkpoint, a tile or a webhook: none is on every demo, and the
/// page encodes the slashes of a tile. Two of them are histories. The answer of a stream has no end.
const NAMED: [&str; 11] = [
    "show_forecast_history",
    "show_odds_history",
    "show_signed_checkpoint",
    "show_timestamp",
    "show_proof",
    "show_tile",
    "stream_releases",
    "enable_webhook",
    "list_webhook_deliveries",
    "remove_webhook",
    "test_webhook",
];

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn every_prefilled_request_of_the_page_answers_200_on_the_demo() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let service = &demo.0;
    let mut page = browser.open(&service.url("/docs/"));
    let expected = operations(service).await;
    let areas = areas(&mut page).await;
    enter(&mut page, 0, service.key()).await;
    let (mut refused, mut named, mut count) = (Vec::new(), Vec::new(), 0);
    // In the page's order: the spare key is renamed before it is revoked.
    for area in areas {
        for id in unfold(&mut page, &area).await {
            count += 1;
            if NAMED.iter().any(|end| id.ends_with(end)) {
                named.push(id);
                continue;
            }
            let operation = format!("#{id}");
            let status = execute(&mut page, &operation).await;
            // Closed again, as the page gets slower with every open answer.
            page.evaluate(&toggle(&operation));
            if status != "200" {
                refused.push(format!("{id}: {status}"));
            }
        }
        fold(&mut page, &area).await;
    }
    assert_eq!(count, expected);
    assert_eq!(named.len(), NAMED.len(), "{named:?}");
    assert_eq!(refused, Vec::<String>::new());
    assert_eq!(page.errors(), Vec::<Value>::new());
    assert_eq!(page.evaluate("window.refused"), json!([]));
    let requested = page.requested();
    assert!(
        requested.iter().filter(|url| url.contains("/api/v1/")).count() >= expected - 1 - named.len(),
        "{requested:?}"
    );
    let outside: Vec<_> = requested.into_iter().filter(|url| !is_of(service, url)).collect();
    assert_eq!(outside, Vec::<String>::new());
}
