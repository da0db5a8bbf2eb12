//! The horizon of the calibration in Track record.

use serde_json::json;

use super::visit::{Visit, list, text};
use crate::application::clv::{Season, TUESDAY};
use crate::browser::Browser;
use crate::demo::Demo;

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn each_horizon_has_the_scores_of_its_forecasts_and_those_that_lack() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/mlb/won_on_points").await;
    let chosen = "[...document.querySelectorAll('[aria-label=Horizon] [aria-current]')].map(link => link.innerText)";
    assert_eq!(visit.page.evaluate(chosen), json!(["Every forecast"]));
    assert_eq!(visit.text("#at-horizon"), json!([]));
    let mut lacking = 0;
    for (code, name, words) in [
        ("first", "First forecast", "the first one of each game"),
        ("24h", "24 h before play", "24\u{a0}h before the start"),
        ("6h", "6 h before play", "6\u{a0}h before the start"),
        ("1h", "1 h before play", "1\u{a0}h before the start"),
        ("standing", "Standing forecast", "the standing one of each game"),
    ] {
        let link = format!("#pick-horizon-{}", name.to_lowercase().replace(' ', "-"));
        for selector in ["#menu-horizon", &link] {
            visit.page.evaluate(&format!("document.querySelector('{selector}').focus()"));
            visit.press("Enter", "\r");
        }
        let hash = format!("#/track-record/mlb/won_on_points?horizon={code}");
        visit.page.expect("document.querySelector('main').dataset.shown", &json!(hash)).await;
        visit.page.expect("document.querySelectorAll('#at-horizon').length", &json!(1)).await;
        assert_eq!(visit.page.evaluate(chosen), json!([name]));
        let served = demo.get(&format!("/api/v1/calibration/mlb/won_on_points?horizon={code}")).await;
        let block = &served["sources"][0];
        for model in list(&block["models"]) {
            let row = visit.row(&format!("scores-live-{}", text(&model["model"])));
            assert_eq!(row[1], model["games"].to_string(), "{code}");
            let missing = model["no_forecast_then"].as_u64();
            assert_eq!(row.get(8).cloned(), missing.map(|number| number.to_string()), "{code}");
            lacking += missing.unwrap_or(0);
        }
        let captions = visit.text("caption");
        assert!(captions.to_string().contains(&format!("forecasts recorded before the game, {words}")), "{captions}");
        let left_out = block["not_recorded_here"].as_u64();
        let note = visit.text("#at-horizon")[0].clone();
        assert_eq!(text(&note).contains("as with imported ones: 0 games."), left_out == Some(0), "{note}");
    }
    assert!(lacking > 0, "a day before play, games had no forecast");
    let link = visit.page.evaluate("document.querySelector('#view-results').hash");
    assert_eq!(link, json!("#/results/mlb/won_on_points?horizon=standing"), "it goes along, as the accounting does");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The imported game of `clv.rs` has no history, so no horizon has it.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn imported_games_are_counted_and_a_wrong_horizon_is_refused_in_its_place() {
    let Some(mut browser) = Browser::start() else { return };
    let season = Season::new();
    let service = season.site.serve_with(&[("SPORTS_CLOCK__AS_OF", TUESDAY)]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("track-record/nfl/won_on_spread?horizon=first").await;
    visit.page.expect("document.querySelectorAll('#at-horizon').length", &json!(1)).await;
    let note = visit.text("#at-horizon")[0].clone();
    assert!(text(&note).ends_with("as with imported ones: 1 game."), "{note}");
    visit.show("track-record/nfl/won_on_spread?horizon=2h").await;
    visit.page.expect("document.querySelectorAll('.trouble').length", &json!(1)).await;
    assert!(text(&visit.text(".trouble")[0]).starts_with("This cannot be asked. "));
    assert!(!list(&visit.text("#summary-BLEND")).is_empty(), "the rest of the view is displayed");
}
