//! Access by keyboard and screen reader.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::visit::Visit;
use super::{LOOKS, VIEWS};
use crate::browser::Browser;
use crate::demo::Demo;

/// The path at which `.ci/web/packages` installs the checker.
const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/web/node_modules/axe-core/axe.min.js");

/// Returns the accessibility checker; `None`, with a message, if it is not installed and not required.
pub(super) fn axe() -> Option<String> {
    let found = fs::read_to_string(AXE).ok();
    if found.is_none() {
        assert!(std::env::var_os("REQUIRE_SERVICES").is_none(), "axe-core is required: run .ci/web/packages");
        eprintln!("skipped: this needs axe-core, which .ci/web/packages fetches");
    }
    found
}

/// Returns the findings of the checker, which the page has loaded; folded content is checked, too.
pub(super) fn findings(visit: &mut Visit<'_>, view: &str) -> Vec<Value> {
    let run = "axe.run().then(({ violations, passes }) => [passes.length, violations.map(({ id, impact, nodes }) => \
               [impact, id, nodes.slice(0, 3).map(node => [node.html, node.failureSummary])])])";
    visit.page.evaluate("document.querySelectorAll('.opener').forEach((opener, i) => i < 2 && opener.click())");
    visit.page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)");
    let result = visit.page.evaluate(run);
    assert!(result[0].as_u64().expect("a number") > 15, "{view}: it looked at nothing");
    result[1].as_array().expect("a list").clone()
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn no_view_has_a_serious_accessibility_violation() {
    let (Some(axe), Some(mut browser)) = (axe(), Browser::start()) else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("results/nba/over_under").await;
    visit.page.evaluate(&format!("{axe}; 0"));
    let mut found = BTreeSet::new();
    for (key, looks) in [(None, &LOOKS[..1]), (Some(demo.0.key()), &LOOKS)] {
        if let Some(key) = key {
            visit.type_key(key).await;
        }
        for (width, scheme) in looks {
            visit.look(*width, scheme);
            for (view, _) in VIEWS {
                visit.show(&format!("{view}/nba/over_under")).await;
                let is_serious = |found: &Value| ["serious", "critical"].contains(&found[0].as_str().unwrap_or(""));
                let serious = findings(&mut visit, view).into_iter().filter(is_serious);
                found.extend(serious.map(|violation| format!("{view} {scheme} {width}: {violation}")));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Tab reaches every control, and the focused control can be used with the keyboard.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_keyboard_alone_reaches_everything() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (view, _) in VIEWS {
        visit.show(&format!("{view}/mlb/won_on_points")).await;
        let usable = "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]\
                      .filter(element => element.checkVisibility())";
        let all = visit.page.evaluate(&format!("{usable}.map((element, i) => element.dataset.place = i).length"));
        let all = all.as_u64().expect("a number");
        visit.page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0); 0");
        let mut reached = BTreeSet::new();
        for _ in 0..all + 8 {
            visit.press("Tab", "");
            let on = visit.page.evaluate("document.activeElement?.dataset.place ?? null");
            reached.extend(on.as_str().and_then(|place| place.parse::<u64>().ok()));
        }
        let missed: Vec<_> = (0..all).filter(|place| !reached.contains(place)).collect();
        let named = visit.page.evaluate(&format!(
            "{}.map(place => document.querySelector(`[data-place=\"${{place}}\"]`)?.outerHTML)",
            json!(missed)
        ));
        assert!(missed.is_empty(), "{view}: {named}");
        assert!(all > 10, "{view} has {all} things to use");
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_view_can_be_opened_and_read_with_the_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let press_on = async |visit: &mut Visit<'_>, selector: &str| {
        visit.page.evaluate(&format!("document.querySelector({}).focus()", json!(selector)));
        visit.press("Enter", "\r");
    };
    press_on(&mut visit, "#view-today").await;
    visit.page.expect("document.querySelector('main').dataset.view", &json!("today")).await;
    visit.page.expect("document.activeElement.id", &json!("title")).await;
    press_on(&mut visit, "#menu-league").await;
    press_on(&mut visit, "#pick-league-nba").await;
    visit.page.expect("document.querySelector('main').dataset.shown?.startsWith('#/today/nba')", &json!(true)).await;
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("menu-league"), "the focus stays");
    press_on(&mut visit, ".opener").await;
    assert_eq!(visit.page.evaluate("document.querySelector('.opener').ariaExpanded"), json!("true"));
    visit.show("strategies/nba/won_on_spread").await;
    let read = "document.querySelector('.slider output').innerText";
    let last = visit.page.evaluate(read);
    visit.page.evaluate("document.querySelector('.slider input').focus()");
    visit.press("ArrowLeft", "");
    let before = visit.page.evaluate(read);
    assert_ne!(last, before, "the chart is read point by point");
    let spoken = visit.page.evaluate("document.querySelector('.slider input').getAttribute('aria-valuetext')");
    assert!(spoken.as_str().expect("text").starts_with(before.as_str().expect("text")), "{spoken}");
}
