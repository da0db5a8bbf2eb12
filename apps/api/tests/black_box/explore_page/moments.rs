//! Slates of earlier moments in Today.

use serde_json::json;

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;

/// Moves the slider one release back, as a key does.
const STEP: &str = "{ const slider = document.querySelector('#moment'); slider.stepDown(); \
                    for (const name of ['input', 'change']) slider.dispatchEvent(new Event(name)); }";

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
        visit.page.evaluate("document.querySelector('.slate .opener').click()");
        let heads = visit.text("#figure-slate .row-detail:not([hidden]) .columns thead th");
        assert_eq!(list(&heads).last(), Some(&json!(posted)));
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_earlier_moment_is_never_answered_with_the_current_slate() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    let past = "today/nba/won_on_spread?generation=3";
    visit.show(past).await;
    assert_eq!(visit.text("#key-needed h2"), json!(["Earlier moments need an API key"]));
    assert_eq!(visit.text("#figure-slate, #as-of"), json!([]));
    visit.type_key(demo.0.key()).await;
    assert_eq!(list(&visit.text("#figure-slate")).len(), 1);
    for generation in ["0", "-1", "abc", "1e0", "2.0", "0x2", "%203", ""] {
        visit.show(&format!("today/nba/won_on_spread?generation={generation}")).await;
        assert_eq!(visit.text("#failure p"), json!(["`generation` must be a whole number from 1."]), "{generation:?}");
        assert_eq!(visit.text("#figure-slate, #as-of"), json!([]), "{generation:?}");
    }
    // The browser still has answers to the former key.
    visit.page.evaluate("sessionStorage.setItem('api-key', 'sk_service_wrong')");
    visit.show(past).await;
    assert_eq!(visit.text("#failure h2"), json!(["This key is not accepted"]));
    assert_eq!(visit.text("#figure-slate, #as-of"), json!([]));
}

/// The address keeps its slate after newer releases.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_newest_entry_of_an_address_has_a_banner() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let newest = demo.get("/api/v1/releases/nba?limit=1").await["releases"][0]["generation"].clone();
    visit.show(&format!("today/nba/won_on_points?generation={newest}")).await;
    for selector in ["#as-of", ".moments output"] {
        let said = visit.text(selector)[0].clone();
        assert!(text(&said).contains(&format!("entry {newest}")), "{selector}: {said}");
    }
    visit.page.evaluate("document.querySelector('#now').click()");
    visit.page.expect("document.querySelector('main').dataset.shown", &json!("#/today/nba/won_on_points")).await;
    assert_eq!(visit.text("#as-of"), json!([]));
    assert_eq!(visit.text(".moments output"), json!(["now"]));
}

/// A held key moves the slider thirty times a second.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_slider_on_the_move_requests_the_slate_at_which_it_rests() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let newest = demo.get("/api/v1/releases/nba?limit=1").await["releases"][0]["generation"].clone();
    let newest = newest.as_u64().expect("a number");
    visit.show("today/nba/won_on_points").await;
    let before = visit.requested().len();
    // In one task, so that the machine cannot pause between the movements.
    let steps = format!("for (let step = 0; step < 3; step++) {{ {STEP} }}");
    let moved = format!("(() => {{ document.querySelector('#moment').focus(); {steps} }})()");
    visit.page.evaluate(&moved);
    let place = |generation| json!(format!("#/today/nba/won_on_points?generation={generation}"));
    let shown = "document.querySelector('main').dataset.shown";
    visit.page.expect(shown, &place(newest - 3)).await;
    let requested = visit.requested().split_off(before);
    let slates = requested.iter().filter(|url| url.contains("/predictions/")).count();
    assert_eq!(slates, 1, "{requested:?}");
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("moment"), "the focus stays");
    visit.press("ArrowRight", "");
    visit.page.expect(shown, &place(newest - 2)).await;
}

/// The slate of the first movement arrives right after the second one.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_slider_that_moves_on_while_a_slate_is_on_its_way_stays_where_it_is_put() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let newest = demo.get("/api/v1/releases/nba?limit=1").await["releases"][0]["generation"].clone();
    let newest = newest.as_u64().expect("a number");
    visit.show("today/nba/won_on_points").await;
    let held = "(ask => async (...asked) => { if (!/predictions/.test(asked[0])) return ask(...asked); window.fetch = ask; \
                await new Promise(resolve => { window.arrive = resolve; }); return ask(...asked); })(window.fetch)";
    visit.page.evaluate(&format!("{{ window.fetch = {held}; {STEP} }}"));
    visit.page.expect("typeof window.arrive", &json!("function")).await;
    visit.page.evaluate(&format!("{{ {STEP} window.arrive(); }}"));
    let place = |generation| json!(format!("#/today/nba/won_on_points?generation={generation}"));
    visit.page.expect("document.querySelector('main').dataset.shown", &place(newest - 2)).await;
    assert!(text(&visit.text(".moments output")[0]).ends_with(&format!("entry {}", newest - 2)));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_slider_has_the_focus_again_after_a_failure() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_points").await;
    let refused =
        "new Response('{\"detail\":\"Rate limit exceeded\"}', { status: 429, headers: { 'Retry-After': '1' } })";
    let once = format!(
        "(() => {{ const ask = window.fetch; window.fetch = (...asked) => {{ if (!/predictions/.test(asked[0])) return \
         ask(...asked); window.fetch = ask; return Promise.resolve({refused}); }}; \
         document.querySelector('#moment').focus(); }})()"
    );
    visit.page.evaluate(&once);
    visit.press("ArrowLeft", "");
    visit.page.expect("document.querySelector('#failure h2')?.innerText", &json!("Too many requests")).await;
    visit.page.expect("document.activeElement.id", &json!("moment")).await;
    assert_eq!(visit.text("#failure"), json!([]));
    assert_eq!(list(&visit.text("#as-of")).len(), 1);
}
