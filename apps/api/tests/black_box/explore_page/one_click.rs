//! The printed address with a token.

use serde_json::json;

use super::visit::Visit;
use crate::browser::Browser;
use crate::demo::Demo;

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_printed_address_has_the_key_once_and_loses_its_token_at_once() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let printed = demo.0.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("the page is at ")).expect("an address");
    let address = address.split(' ').next().expect("an address").to_owned();
    let token = address.split_once("#token=").expect("a token").1.to_owned();
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.page.go("about:blank");
    visit.page.go(&address);
    visit.page.expect("sessionStorage['api-key']", &json!(demo.0.key())).await;
    visit.page.expect("document.querySelector('main')?.dataset.shown", &json!("")).await;
    assert_eq!(visit.page.evaluate("location.href"), json!(demo.0.url("/explore/")));
    assert!(!visit.requested().iter().any(|url| url.contains(&token) && !url.contains('#')), "it is in no request");
    assert_eq!(visit.text("#failure, #key [role=alert]"), json!([]));

    visit.page.evaluate("sessionStorage.clear()");
    visit.page.go("about:blank");
    visit.page.go(&address);
    visit
        .page
        .expect("document.querySelector('#key [role=alert]')?.innerText.includes('use the printed key')", &json!(true))
        .await;
    assert_eq!(visit.page.evaluate("[location.href, sessionStorage.length]"), json!([demo.0.url("/explore/"), 0]));
}
