//! Slates of earlier moments in Today.

use serde_json::json;

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;

/// The first release of the demo has results alone.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_slider_stays_at_a_moment_without_a_slate() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let first = demo.0.get("/api/v1/predictions/nba/won_on_points?generation=1").await;
    assert_eq!(first.status, 404, "{}", first.text());
    for options in ["generation=1", "generation=1&model=XGB"] {
        visit.show(&format!("today/nba/won_on_points?{options}")).await;
        assert_eq!(visit.text("main .empty"), json!(["No slate was served then."]));
        assert_eq!(visit.text("#failure"), json!([]));
        let banner = visit.text("#as-of")[0].clone();
        assert!(text(&banner).contains("entry 1 of the record"), "{banner}");
        assert_eq!(list(&visit.text("#moment")).len(), 1);
    }
    visit.page.evaluate("document.querySelector('#now').click()");
    visit.page.expect("document.querySelectorAll('.slate .opener').length > 3", &json!(true)).await;
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_past_slate_is_labelled_by_its_own_moment() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let releases = demo.get("/api/v1/releases/nba?limit=100").await;
    let mut earlier = list(&releases["releases"]).iter().filter(|release| text(&release["slate_date"]) < "2026-03-14");
    let generation = &earlier.next().expect("a release of yesterday")["generation"];
    let served = demo.get(&format!("/api/v1/predictions/nba/won_on_points?generation={generation}")).await;
    assert!(list(&served["games"]).iter().any(|game| text(&game["date"]) < "2026-03-14"), "a game has started since");
    for (options, posted) in [(String::new(), "Posted now"), (format!("?generation={generation}"), "Posted then")] {
        visit.show(&format!("today/nba/won_on_points{options}")).await;
        visit.open_numbers();
        let marks = visit.text("#figure-slate .marks").to_string();
        assert!(options.is_empty() || !marks.contains("Started"), "{marks}");
        visit.page.evaluate("document.querySelector('.slate .rows .opener').click()");
        let heads = visit.text("#figure-slate .row-detail:not([hidden]) .columns thead th");
        assert_eq!(list(&heads).last(), Some(&json!(posted)));
    }
}
