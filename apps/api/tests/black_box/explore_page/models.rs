//! The models of the publisher on the page.

mod league;

use std::collections::BTreeSet;

use league::{MARKUP, RETIRED, slate, week};
use serde_json::{Value, json};

use super::LOOKS;
use super::accessibility::{axe, findings};
use super::figures::{gain, percent, share, units, whole};
use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;

/// Returns the displayed name of a model with its title and its mark.
fn label(model: &str) -> String {
    match model {
        "ELO" => format!("ELO {MARKUP}"),
        "a.b-c_1" => format!("a.b-c_1 {}", "W".repeat(64)),
        RETIRED => format!("{RETIRED} retired"),
        _ => model.to_owned(),
    }
}

/// Asserts that views fit in every look, without a finding of axe, and show a title as text.
async fn assert_fit(visit: &mut Visit<'_>, axe: &str, views: &[&str]) {
    visit.page.evaluate(&format!("{axe}; 0"));
    for (width, scheme) in LOOKS {
        visit.look(width, scheme);
        for view in views {
            visit.show(&format!("{view}/nfl/over_under?model=ELO")).await;
            assert_eq!(visit.text("#failure, #no-model"), json!([]), "{view}");
            assert_eq!(findings(visit, view), Vec::<Value>::new(), "{view} {width} {scheme}");
            let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().expect("a number") <= 0, "{view} is wider than {width}: {wide}");
            assert_eq!(visit.text("[aria-label=Model] [aria-current]"), json!([label("ELO")]), "{view}");
            assert_eq!(visit.page.evaluate("document.images.length"), json!(0), "{view}");
            let mixed = visit.page.evaluate("document.querySelectorAll('.model > small:not(:has(> bdi))').length");
            assert_eq!(mixed, json!(0), "{view} has a title that could turn the direction of other text");
            visit.keep_picture(&format!("models-{view}-{width}-{scheme}"));
        }
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_slate_with_40_models_fits_every_look_and_has_the_served_figures() {
    let (Some(axe), Some(mut browser)) = (axe(), Browser::start()) else { return };
    let (_site, service) = slate().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    assert_fit(&mut visit, &axe, &["today"]).await;
    for model in ["ELO", "constructor", "XGB"] {
        visit.show(&format!("today/nfl/over_under?model={model}")).await;
        let served = service.json_of(&format!("predictions/nfl/over_under?model={model}")).await;
        assert_eq!(served["model"], model);
        visit.open_numbers();
        let rows = visit.page.evaluate(
            "[...document.querySelector('#figure-slate > .under table').tBodies[0].rows].filter(row => row.className !== 'more').map(row => [...row.cells].map(cell => cell.innerText))",
        );
        assert_eq!(list(&rows).len(), 16);
        for (row, game) in list(&rows).iter().zip(list(&served["games"])) {
            assert_eq!(row[2], share(&game["predictions"][model]), "{model}");
            let values = ["ev_pos", "ev_neg"].map(|field| json!(gain(&game[field])));
            let cells = list(row);
            assert_eq!(cells[cells.len() - 4..cells.len() - 2], values, "{model}");
        }
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_track_record_of_40_models_fits_every_look_and_has_the_served_figures() {
    let (Some(axe), Some(mut browser)) = (axe(), Browser::start()) else { return };
    let (_site, service) = week().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    assert_fit(&mut visit, &axe, &["track-record", "strategies", "results"]).await;
    visit.show("track-record/nfl/over_under?model=ELO&models=ELO,constructor").await;
    let summary = service.json_of("summary/nfl/over_under").await;
    assert_eq!(list(&summary["summaries"]).len(), 42, "with the market and the ensemble");
    for entry in list(&summary["summaries"]) {
        let row = visit.row(&format!("summary-{}", text(&entry["model"])));
        let picks = &entry["picks"];
        assert_eq!(row[1], whole(&entry["total_games"]), "{entry}");
        assert_eq!(row[2], super::figures::record(picks), "{entry}");
        assert!(row[4].starts_with(&share(&entry["win %"])), "{row:?}");
        assert_eq!(row[7], units(&picks["units"]), "{entry}");
    }
    let density = service.json_of("results/nfl/over_under/density?model=ELO").await;
    let served: BTreeSet<_> =
        list(&density["current"]["cells"]).iter().map(|cell| cell["win_pct"].to_string()).collect();
    let shown: BTreeSet<_> = visit.marks("#figure-grid .heat", "model").into_iter().map(|(_, value)| value).collect();
    assert!(served.len() > 1);
    assert_eq!(shown.len(), served.len());
    assert_eq!(visit.text("h2")[4], "ELO against the market");
    let season = text(&summary["season"]);
    let early = format!("The curves of {season} start four weeks after its first game, with 30 picks in four weeks.");
    assert_eq!(visit.text("#too-early"), json!([early]));
    assert!(visit.text("#too-few")[0].as_str().expect("text").starts_with("No model has 30 graded picks"));
    assert_eq!(visit.text(".plot:not(.square)"), json!([]), "nothing is drawn of a week");
    assert_eq!(visit.text("#failure"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn strategies_rank_by_the_edge_of_the_chosen_model() {
    let Some(mut browser) = Browser::start() else { return };
    let (_site, service) = week().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    let mut boards = Vec::new();
    for model in ["ELO", "BLEND"] {
        visit.show(&format!("strategies/nfl/over_under?model={model}")).await;
        let board = service.json_of(&format!("strategies/nfl/over_under?accounting=recorded_v2&model={model}")).await;
        for entry in list(&board["strategies"]) {
            let row = visit.row(&format!("rule-{}", text(&entry["id"])));
            assert_eq!(row[4..6], [text(&entry["record"]).to_owned(), percent(&entry["win_pct"], false)], "{model}");
        }
        let note = visit.text("main .note:not(.split)")[0].clone();
        assert!(text(&note).contains(&format!("the side that {model} gives a higher probability")), "{note}");
        boards.push(board["strategies"].clone());
    }
    assert_ne!(boards[0], boards[1], "each model has edges of its own");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn every_own_model_has_a_line_of_its_own() {
    let Some(mut browser) = Browser::start() else { return };
    let (_site, service) = week().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    let declared = service.json_of("models/nfl").await;
    let names =
        list(&declared["models"]).iter().filter(|model| model["kind"] == "own").map(|model| text(&model["model"]));
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 32);
    visit.show("track-record/nfl/over_under").await;
    let picker = |name: &str| format!("#pick-models-{}", name.replace('.', "\\."));
    let lines: BTreeSet<_> = names.iter().map(|name| line_of(&mut visit, &picker(name))).collect();
    assert_eq!(lines.len(), 32, "eight colours by four patterns");
    for (place, name) in names.iter().enumerate() {
        let (stroke, dash) = line_of(&mut visit, &picker(name));
        assert_eq!(stroke, format!("var(--tone-own-{})", place % 8), "{name}");
        assert!(!dash.is_empty(), "{name}: lines of own models are dashed");
    }
}

/// Returns the colour and the pattern of a model's line in a place of the page.
fn line_of(visit: &mut Visit<'_>, place: &str) -> (String, String) {
    let line = format!("document.querySelector({}).querySelector('.swatch line')", json!(place));
    let found =
        visit.page.evaluate(&format!("[{line}.getAttribute('stroke'), {line}.getAttribute('stroke-dasharray') ?? '']"));
    serde_json::from_value(found).expect("two texts")
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_picker_the_legend_and_the_curve_of_a_model_have_one_line() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let drawn = ["XGB", "BLEND", "IMPLIED"];
    visit.show(&format!("track-record/nba/over_under?models={}", drawn.join(","))).await;
    for (place, name) in drawn.iter().enumerate() {
        let picked = line_of(&mut visit, &format!("#pick-models-{name}"));
        let legend = line_of(&mut visit, &format!("#figure-curves .legend li:nth-child({})", place + 1));
        let curve = format!("document.querySelectorAll('#figure-curves path.line')[{place}]");
        let curve = visit
            .page
            .evaluate(&format!("[{curve}.getAttribute('stroke'), {curve}.getAttribute('stroke-dasharray') ?? '']"));
        assert_eq!(legend, picked, "{name}");
        assert_eq!(curve, json!([picked.0, picked.1]), "{name}");
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn many_models_are_filtered_and_chosen_with_the_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let (_site, service) = slate().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("today/nfl/over_under").await;
    let left = "[aria-label=Model] li:not([hidden])";
    let all = visit.text(left);
    assert_eq!(list(&all).len(), 40);
    assert_eq!(list(&all).last().expect("a model"), &label(RETIRED), "retired models are last");
    let announced = |visit: &mut Visit<'_>| visit.text("[aria-label=Model] [role=status]")[0].clone();
    assert_eq!(announced(&mut visit), "40 models");
    visit.page.evaluate("document.querySelector('#menu-model').focus()");
    visit.press("Enter", "\r");
    visit.page.evaluate("document.querySelector('#filter-model').focus()");
    visit.page.call("Input.insertText", &json!({ "text": " M1" }));
    let expected: Vec<_> = (10..20).map(|number| format!("m{number}")).collect();
    assert_eq!(visit.text(left), json!(expected));
    assert_eq!(announced(&mut visit), "10 of 40 models");
    visit.press("Tab", "");
    visit.press("Enter", "\r");
    visit.page.expect("document.querySelector('main').dataset.shown", &json!("#/today/nfl/over_under?model=m10")).await;
    assert_eq!(visit.page.evaluate("document.activeElement.id"), "menu-model", "the focus stays");
    visit.press("Enter", "\r");
    assert_eq!(visit.text("[aria-label=Model] [aria-current]"), json!(["m10"]));
    assert_eq!(visit.text(left), json!(expected), "the filter stays");
    visit
        .page
        .evaluate("document.querySelector('#filter-model').focus(); document.querySelector('#filter-model').select()");
    visit.page.call("Input.insertText", &json!({ "text": "ONERROR" }));
    assert_eq!(visit.text(left), json!([label("ELO")]), "titles are searched, too");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_free_slate_offers_public_models_alone() {
    let Some(mut browser) = Browser::start() else { return };
    let (_site, service) = slate().await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("today/nfl/over_under?model=nan").await;
    let models = json!(["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ELO", "nan"]);
    assert_eq!(visit.text("[aria-label=Model] li"), models);
    assert_eq!(visit.text("[aria-label=Model] [aria-current]"), json!(["nan"]));
    assert_eq!(visit.text("#no-model, #failure"), json!([]));
    visit.show("today/nfl/over_under?model=true").await;
    assert_eq!(visit.text("#no-model"), json!(["The free slate has no model true; the figures are those of BLEND."]));
    assert_eq!(visit.text("[aria-label=Model] li"), models);
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_model_that_a_league_lacks_is_replaced_by_the_default_with_a_note() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for view in ["today", "track-record", "strategies", "results"] {
        for unknown in ["Nowhere", "IMPLIED", "x!"] {
            visit.show(&format!("{view}/nba/over_under?model={unknown}")).await;
            let note = format!("NBA has no model {unknown}; the figures are those of BLEND.");
            assert_eq!(visit.text("#no-model"), json!([note]), "{view}");
            assert_eq!(visit.text("[aria-label=Model] [aria-current]"), json!(["BLEND"]), "{view}");
            assert_eq!(visit.text("#failure"), json!([]), "{view} {unknown}");
        }
    }
    visit.show("track-record/nba/over_under?models=XGB,constructor").await;
    let season = demo.get("/api/v1/summary/nba/over_under").await["season"].clone();
    assert_eq!(visit.text("#no-curve"), json!([format!("There is no curve of constructor in {}.", text(&season))]));
    assert_eq!(visit.text("[aria-label=Models] [aria-current]"), json!(["XGB"]));
}
