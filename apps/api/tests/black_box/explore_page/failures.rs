//! The page's display of failures.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::visit::Visit;
use crate::browser::Browser;
use crate::demo::Demo;

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_wrong_key_is_reported_and_can_be_replaced() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("teams/nfl/won_on_points").await;
    visit.type_key("sk_service_wrong").await;
    assert_eq!(visit.text("#failure h2"), json!(["This key is not accepted"]));
    assert_eq!(visit.text("#failure p"), json!(["Invalid or expired API key."]));
    visit.keep_picture("failure-wrong-key");
    assert_eq!(visit.text("#key strong"), json!(["The key was not accepted. "]));
    // Public data is displayed all the same.
    visit.show("overview").await;
    assert_eq!(visit.text("#failure"), json!([]));
    assert!(!visit.marks("figure .mark", "game").is_empty(), "the public picture stays");
    visit.show("today/nfl/won_on_points").await;
    assert_eq!(visit.text("#failure h2"), json!(["This key is not accepted"]));
    assert!(visit.text(".slate .game-row .opener").as_array().expect("rows").len() > 5);
    visit.show("teams/nfl/won_on_points").await;
    visit.page.evaluate("document.querySelector('#other-key').click()");
    visit.page.expect("!!document.querySelector('#key-needed')", &json!(true)).await;
    visit.type_key(demo.0.key()).await;
    assert_eq!(visit.text("#failure"), json!([]));
    assert!(visit.text("tbody tr").as_array().expect("rows").len() > 20);
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_malformed_key_is_refused_at_its_field() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.page.evaluate("document.querySelector('#key-field').focus()");
    visit.page.call("Input.insertText", &json!({ "text": "sk_service_clé–" }));
    visit.press("Enter", "\r");
    let message = visit.page.evaluate("document.querySelector('#key-field').validationMessage");
    assert!(message.as_str().expect("text").starts_with("This is no API key"), "{message}");
    assert_eq!(visit.page.evaluate("sessionStorage.length"), json!(0));
    visit.page.evaluate("document.querySelector('#key-field').select()");
    visit.type_key(demo.0.key()).await;
    assert_eq!(visit.text("#failure"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_used_up_quota_is_reported_in_the_servers_words() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[("SPORTS_LIMITS__MONTHLY", "4")]).await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for sport in ["nfl", "nba", "mlb", "nhl", "ncaab"] {
        visit.show(&format!("teams/{sport}/won_on_points")).await;
    }
    assert_eq!(visit.text("#failure h2"), json!(["Too many requests"]));
    let message = visit.text("#failure p")[0].as_str().expect("text").to_owned();
    assert!(
        message.starts_with("Rate limit exceeded. Limit: 4 requests per month; the next month begins "),
        "{message}"
    );
    visit.keep_picture("failure-429");
    // Views without counted requests still work.
    visit.show("freshness").await;
    assert_eq!(visit.text("#failure"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_stale_league_is_marked_wherever_it_is_shown() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let stopped =
        [["--seasons", "1"], ["--cycle", "stopped"], ["--as-of", "2026-03-14T17:55:00Z"], crate::demo::AT_ONCE];
    let demo = Demo::start(folder.path(), &stopped.concat()).await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("freshness").await;
    assert_eq!(visit.row("league-nfl")[1], "Stale");
    assert_eq!(visit.row("league-nhl")[1], "Off-day");
    assert_eq!(visit.row("league-ncaab")[1], "Partial");
    let markets = visit.row("league-nfl")[2..5].join(" ");
    assert!(markets.contains("Partial") && markets.contains("refresh pending"), "{markets}");
    let due = visit.text(".countdown")[0].as_str().expect("text").to_owned();
    assert!(due.starts_with("Today's data was due by 10:15\u{a0}AM\u{a0}ET, 3 h 40 min ago"), "{due}");
    visit.page.evaluate("document.querySelector('#league-nfl-open').click()");
    let rebuild = visit.row("league-nfl-won_on_points")[4].clone();
    assert_eq!(rebuild, "was due by Mar 14, 1:50\u{a0}PM ET");
    visit.keep_picture("stale-freshness");
    visit.show("today/nfl/won_on_points").await;
    let message = visit.text(".league-status.alert")[0].as_str().expect("text").to_owned();
    assert!(message.starts_with("NFL Stale") && message.contains("predictions were not rebuilt"), "{message}");
    assert!(!message.contains("being rebuilt"), "{message}");
    visit.keep_picture("stale-today");
    // An off-day has no models to choose from, and a league without today's slate shows the last one, marked as such.
    visit.show("today/nhl/won_on_points").await;
    assert_eq!(visit.text("[aria-label=Model]"), json!([]));
    visit.show("today/ncaab/won_on_points").await;
    let reading = visit.text("#figure-slate .reading")[0].as_str().expect("text").to_owned();
    assert!(reading.starts_with("Today's slate is missing: these are the games of the last one. "), "{reading}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_stopped_server_is_reported_and_the_request_can_be_retried() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Demo(service) = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    service.stop();
    visit.show("record/nba").await;
    assert_eq!(visit.text("#failure h2"), json!(["The server does not answer"]));
    visit.keep_picture("failure-stopped");
    let before = visit.requested().len();
    visit.page.evaluate("document.querySelector('#retry').click()");
    visit.page.expect("document.querySelector('main').dataset.shown", &json!("#/record/nba")).await;
    assert_eq!(visit.text("#failure h2"), json!(["The server does not answer"]));
    assert!(visit.requested().len() > before);
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn displayed_data_stays_beneath_a_notice_while_the_server_is_down() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Demo(service) = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.hasten();
    visit.page.evaluate("window.before = true; location.hash = '#/freshness'; location.reload()");
    let shown = "!window.before && document.querySelectorAll('tbody tr:not(.more)').length";
    visit.page.expect(shown, &json!(6)).await;
    service.stop();
    let notice = "document.querySelector('#failure h2')?.innerText";
    visit.page.expect(notice, &json!("The server does not answer")).await;
    assert_eq!(visit.page.evaluate(shown), json!(6));
    assert_eq!(visit.text("#retry"), json!(["Try again"]));
    assert_eq!(visit.page.evaluate("document.querySelector('.board').className"), json!("board old"));
    assert!(visit.text(".checked")[0].as_str().expect("text").starts_with("Checked "));
    visit.keep_picture("failure-renewal");
}

/// The first view of a telephone, without a key.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_filters_of_a_slate_work_from_the_first_view_on_and_while_the_server_is_down() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Demo(service) = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.look(390, "light");
    visit.hasten();
    visit.page.evaluate("window.before = true; location.hash = '#/today/nba/won_on_points'; location.reload()");
    visit.page.expect("!window.before && !!document.querySelector('.game-row')", &json!(true)).await;
    let filters =
        "[document.querySelector('#filters-open').ariaExpanded, document.querySelector('#search').checkVisibility()]";
    let toggled = async |visit: &mut Visit<'_>, is_open: bool| {
        visit.page.evaluate("document.querySelector('#filters-open').click()");
        visit.page.expect(filters, &json!([is_open.to_string(), is_open])).await;
    };
    toggled(&mut visit, true).await;
    toggled(&mut visit, false).await;
    service.stop();
    visit.page.expect("document.querySelector('#failure h2')?.innerText", &json!("The server does not answer")).await;
    toggled(&mut visit, true).await;
    visit.page.evaluate("document.querySelector('#search').focus()");
    visit.page.call("Input.insertText", &json!({ "text": "no such team" }));
    visit
        .page
        .expect("document.querySelector('.rows-tools [role=status]').innerText.startsWith('0 of ')", &json!(true))
        .await;
    // The next failure draws the notice again.
    let failures = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('data-status')).length";
    let before = visit.page.evaluate(failures);
    visit.page.expect(&format!("{failures} > {before}"), &json!(true)).await;
    assert_eq!(visit.page.evaluate("document.querySelector('#search').value"), json!("no such team"));
    toggled(&mut visit, false).await;
}

/// A view whose first request failed is requested again by itself, and so is one that had data.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_view_recovers_by_itself_after_a_failure() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    // The seconds until a retry pass a hundred times as fast here.
    visit.page.evaluate("const wait = setTimeout; window.setTimeout = (work, time) => wait(work, time / 100); 0");
    for view in ["teams/nhl/won_on_points", "record/nba", "freshness"] {
        visit.be_offline(true).await;
        visit.show(view).await;
        assert_eq!(visit.text("#failure h2"), json!(["The server does not answer"]), "{view}");
        visit.be_offline(false).await;
        visit
            .page
            .expect("!document.querySelector('#failure') && !!document.querySelector('tbody tr')", &json!(true))
            .await;
    }
}

/// A section is requested again once the second is over; a used-up month, whose end is far, is not.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_section_above_the_limit_of_a_second_is_requested_again() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let refuse = |visit: &mut Visit<'_>, path: &str, [from, to, seconds]: [u32; 3]| {
        let refusal = json!({ "path": path, "from": from, "to": to, "seconds": seconds.to_string() });
        visit.page.evaluate(&format!("window.sent = []; window.refusal = {refusal}; 0"));
    };
    refuse(&mut visit, "/clv/", [1, 1, 1]);
    // Refuses the requests of a path from one place in their order to another.
    visit.page.evaluate(
        "const send = window.fetch; window.fetch = async (url, options) => { \
         const { path, from, to, seconds } = window.refusal; \
         const place = url.pathname.includes(path) ? window.sent.push(url) : 0; \
         const headers = { 'Retry-After': seconds }; \
         return place < from || place > to ? send(url, options) : \
         new Response(JSON.stringify({ detail: 'Too fast' }), { status: 429, headers }); }; 0",
    );
    visit.show("track-record/nfl/won_on_points").await;
    visit.page.expect("window.sent.length > 1 && document.querySelectorAll('.trouble').length", &json!(0)).await;
    // The first replay is that of the chart, and the others are those of the sparklines.
    refuse(&mut visit, "/replay", [2, 4, 1]);
    visit.show("strategies/nfl/won_on_points").await;
    visit.page.expect("document.querySelectorAll('.sparkline').length", &json!(16)).await;
    assert_eq!(visit.page.evaluate("window.sent.length"), json!(19));
    refuse(&mut visit, "/clv/", [1, 99, 2_592_000]);
    visit.show("track-record/nba/won_on_points").await;
    sleep(Duration::from_secs(2)).await;
    assert_eq!(
        visit.page.evaluate("[window.sent.length, document.querySelectorAll('.trouble').length]"),
        json!([1, 1])
    );
}
