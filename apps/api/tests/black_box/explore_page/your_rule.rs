//! A rule of the reader's own, in Strategies.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::LOOKS;
use super::accessibility::{axe, findings};
use super::charts::{kept_file, sorted, written};
use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;
use crate::public_record::{league, serve};

const VIEW: &str = "strategies/nba/won_on_points";
const PATH: &str = "/api/v1/backtest/nba/won_on_points";

/// Returns the values of a field along the course, as a mark has them.
fn along(answer: &Value, field: &str) -> String {
    let values: Vec<_> = list(&answer["course"]).iter().map(|point| written(&point[field])).collect();
    values.join(" ")
}

/// Types a value into a control as a person does.
fn type_into(visit: &mut Visit<'_>, parameter: &str, value: &str) {
    visit.page.evaluate(&format!(
        "(control => {{ control.focus(); control.select(); }})(document.querySelector('#rule-{parameter}'))"
    ));
    visit.page.call("Input.insertText", &json!({ "text": value }));
    visit.press("Enter", "\r");
}

/// Waits for the answer to a rule.
async fn answered(visit: &mut Visit<'_>, address: &str) {
    visit.page.expect("document.querySelector('main').dataset.shown", &json!(format!("#/{address}"))).await;
    visit.settle().await;
}

/// Returns the queries of the backtests that were requested.
fn backtests(visit: &mut Visit<'_>) -> Vec<String> {
    let requested = visit.requested();
    requested.iter().filter_map(|url| url.split_once(PATH)).map(|(_, query)| query.to_owned()).collect()
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_rule_of_an_address_is_drawn_as_the_api_answers_it() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let rule = "season=all&side=underdog&min_edge=0.03&stake=kelly";
    visit.show(&format!("{VIEW}?rule=own&{rule}")).await;
    let answer = demo.get(&format!("{PATH}?{rule}")).await;
    assert_eq!(visit.text("#rule-sentence"), json!([answer["rule"]["sentence"]]));
    let said = visit.text("#rule-luck")[0].clone();
    assert!(text(&said).starts_with(text(&answer["luck"]["p_in_words"])), "{said}");
    assert!(text(&said).contains("you have tried 1 rule, so one this good was to be expected "), "{said}");
    for (parameter, value) in [("season", "all"), ("side", "underdog"), ("min_edge", "0.03"), ("stake", "kelly")] {
        let shown = visit.page.evaluate(&format!("document.querySelector('#rule-{parameter}').value"));
        assert_eq!(shown, value, "{parameter}");
    }

    let lines = sorted(visit.marks("#figure-course path.line", "model"));
    let expected = ["p50", "units"].map(|field| (field.to_owned(), along(&answer, field)));
    assert_eq!(lines, BTreeMap::from(expected));
    let bands = "[...document.querySelectorAll('#figure-course .plot .band')].map(({ dataset }) => [dataset.low, dataset.high])";
    let expected = [["p5", "p95"], ["p25", "p75"]].map(|ends| ends.map(|field| along(&answer, field)));
    assert_eq!(visit.page.evaluate(bands), json!(expected));

    let figures = "Object.fromEntries([...document.querySelectorAll('.figures div')].map(({ children: [name, value] }) => \
                   [name.innerText, value.innerText]))";
    let figures = visit.page.evaluate(figures);
    let record = &answer["record"];
    for (name, value) in [
        ("Bets", super::figures::whole(&record["bets"])),
        ("Units won", super::figures::units(&record["units"])),
        ("Return of a unit (ROI)", super::figures::gain(&record["roi"])),
        ("Left out: Kelly's formula stakes nothing", super::figures::whole(&record["exclusions"]["no_stake"])),
        ("Largest fall of the bank", super::figures::share(&record["kelly"]["drawdown"])),
        ("On walk-forward forecasts", super::figures::whole(&answer["forecast_sources"]["walk_forward"])),
        ("Forecast is in the record", super::figures::whole(&answer["proof"]["recorded"])),
    ] {
        assert_eq!(figures[name], value, "{name}: {figures}");
    }
    visit.page.evaluate("document.querySelectorAll('.backtest > details').forEach(folded => folded.open = true)");
    visit.page.expect("!!document.querySelector('#rule-by-month-0')", &json!(true)).await;
    for (table, rows) in [
        ("by-season", &answer["by_season"]),
        ("by-month", &answer["by_month"]),
        ("by-edge", &answer["by_edge"]),
        ("by-price-in-decimal-odds", &answer["by_price"]),
        ("neighbours", &answer["neighbours"]),
        (
            "the-newest-season-and-those-before",
            &json!([answer["out_of_sample"]["newest"], answer["out_of_sample"]["before"]]),
        ),
    ] {
        for (place, row) in list(rows).iter().enumerate() {
            let cells = visit.row(&format!("rule-{table}-{place}"));
            assert_eq!(cells[1], super::figures::whole(&row["bets"]), "{table}: {cells:?}");
            assert!(cells.contains(&super::figures::units(&row["units"])), "{table}: {cells:?}");
        }
    }
    assert!(visit.text(".backtest > .note")[0].as_str().expect("text").starts_with(text(&answer["note"])));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn each_new_rule_of_a_tab_is_counted_once_and_sent_as_tried() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show(VIEW).await;
    visit.page.evaluate("document.querySelector('#your-rule').click()");
    answered(&mut visit, &format!("{VIEW}?rule=own")).await;
    type_into(&mut visit, "min_edge", "0.05");
    answered(&mut visit, &format!("{VIEW}?rule=own&min_edge=0.05")).await;
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("rule-min_edge"), "the focus stays");
    let answer = demo.get(&format!("{PATH}?min_edge=0.05&tried=2")).await;
    assert_eq!(visit.text("#rule-sentence"), json!([answer["rule"]["sentence"]]));
    let drawn = sorted(visit.marks("#figure-course path.line", "model"));
    assert_eq!(drawn["units"], along(&answer, "units"));
    let tried = |visit: &mut Visit<'_>| text(&visit.text("#rule-luck")[0]).contains("you have tried 2 rules, so");
    assert!(tried(&mut visit));
    // The rule again, in another spelling, and the first rule.
    type_into(&mut visit, "min_edge", ".050");
    answered(&mut visit, &format!("{VIEW}?rule=own&min_edge=.050")).await;
    assert!(tried(&mut visit));
    visit.show(&format!("{VIEW}?rule=own")).await;
    assert!(tried(&mut visit));
    let sent = ["?tried=1", "?min_edge=0.05&tried=2", "?min_edge=.050&tried=3", "?min_edge=.050&tried=2", "?tried=2"];
    assert_eq!(backtests(&mut visit), sent);
    // The number stays when the page is loaded anew, and another market is another rule.
    visit.page.evaluate("window.before = true; location.reload()");
    visit.page.expect("!window.before && !!document.querySelector('#rule-luck')", &json!(true)).await;
    assert!(tried(&mut visit));
    visit.show("strategies/nba/won_on_spread?rule=own").await;
    assert!(text(&visit.text("#rule-luck")[0]).contains("you have tried 3 rules"));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn typing_goes_on_while_a_change_is_answered_and_is_no_rule_until_it_ends() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show(&format!("{VIEW}?rule=own")).await;
    let insert = |visit: &mut Visit<'_>, typed: &str| {
        visit.page.call("Input.insertText", &json!({ "text": typed }));
    };
    visit.page.evaluate("document.querySelector('#rule-min_edge').focus()");
    insert(&mut visit, "0.04");
    visit.press("Tab", "");
    insert(&mut visit, "0.");
    answered(&mut visit, &format!("{VIEW}?rule=own&min_edge=0.04")).await;
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("rule-max_edge"));
    insert(&mut visit, "2");
    visit.press("Tab", "");
    answered(&mut visit, &format!("{VIEW}?rule=own&min_edge=0.04&max_edge=0.2")).await;
    let sent = ["?tried=1", "?min_edge=0.04&tried=2", "?min_edge=0.04&max_edge=0.2&tried=3"];
    assert_eq!(backtests(&mut visit), sent);
    // Leaving the view in the middle of a value leaves it.
    visit.page.evaluate("document.querySelector('#rule-max_edge').focus()");
    insert(&mut visit, "9");
    visit.show("results/nba/won_on_points").await;
    assert_eq!(visit.page.evaluate("location.hash"), json!("#/results/nba/won_on_points"));
    assert_eq!(backtests(&mut visit), sent);
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_condition_is_added_and_removed_and_links_keep_the_rule_or_leave_it() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let all = "rule=own&season=all&team=boston_celtics";
    visit.show(&format!("{VIEW}?{all}")).await;
    let choose = "(menu => { menu.value = [...menu.options].find(({ text }) => text === 'month').value; \
                  menu.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector('#rule-add'))";
    visit.page.evaluate(choose);
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("rule-month"));
    visit.page.evaluate("document.activeElement.value = '1'; document.activeElement.dispatchEvent(new Event('change', { bubbles: true }))");
    answered(&mut visit, &format!("{VIEW}?{all}&month=1")).await;
    assert!(text(&visit.text("#rule-sentence")[0]).ends_with("and the month is January."));
    for (link, hash) in [
        ("pick-market-spread", format!("#/strategies/nba/won_on_spread?{all}&month=1")),
        ("pick-league-nfl", "#/strategies/nfl/won_on_points?rule=own&month=1".to_owned()),
        ("sixteen-rules", format!("#/{VIEW}")),
        ("view-results", "#/results/nba/won_on_points".to_owned()),
    ] {
        assert_eq!(visit.page.evaluate(&format!("document.querySelector('#{link}').hash")), json!(hash));
    }
    visit.page.evaluate("document.querySelector('[aria-label=\"Remove the condition: month\"]').click()");
    answered(&mut visit, &format!("{VIEW}?{all}")).await;
    assert_eq!(visit.text("#rule-month"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_refused_value_stays_typed_beside_the_reason_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show(&format!("{VIEW}?rule=own&side=home")).await;
    for value in ["3 %", "NaN"] {
        type_into(&mut visit, "min_edge", value);
        visit.page.expect("document.querySelector('main').dataset.shown === location.hash", &json!(true)).await;
        visit.settle().await;
        visit.page.expect("document.querySelector('#rule-min_edge').ariaInvalid", &json!("true")).await;
        let refused = demo.0.get(&format!("{PATH}?min_edge={}", value.replace(' ', "+").replace('%', "%25"))).await;
        assert_eq!(refused.status, 400);
        assert_eq!(visit.text("#rule-refused"), json!([refused.json()["detail"]]));
        let kept = "['min_edge', 'side'].map(name => document.querySelector(`#rule-${name}`).value)";
        assert_eq!(visit.page.evaluate(kept), json!([value, "home"]));
        assert_eq!(visit.text("#rule-luck, #failure"), json!([]));
    }
    visit.show("strategies/nba/over_under?rule=own&side=home").await;
    assert_eq!(visit.page.evaluate("document.querySelector('#rule-side').value"), json!("home"));
    assert_eq!(visit.page.evaluate("document.querySelector('#rule-side').ariaInvalid"), json!("true"));
}

/// An answer that passes is requested again, and the rule stays in its controls.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_full_queue_is_reported_below_the_rule_and_asked_again() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.page.evaluate(
        "window.refusals = [429, 503]; const send = window.fetch; window.fetch = async (url, options) => { \
         const status = url.pathname.includes('/backtest/') && window.refusals.shift(); \
         const headers = { 'Retry-After': '1' }; \
         return status ? new Response(JSON.stringify({ detail: 'Not now' }), { status, headers }) : send(url, options); }; 0",
    );
    visit.show(&format!("{VIEW}?rule=own&min_edge=0.01")).await;
    assert!(text(&visit.text(".trouble")[0]).starts_with("Too many requests. Not now. Ask again in 1 s."));
    assert_eq!(visit.page.evaluate("document.querySelector('#rule-min_edge').value"), json!("0.01"));
    visit
        .page
        .expect("!!document.querySelector('#rule-luck') && !document.querySelector('.trouble')", &json!(true))
        .await;
    assert_eq!(visit.page.evaluate("window.refusals"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn without_a_key_the_rule_waits_for_one() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show(&format!("{VIEW}?rule=own&min_edge=0.02")).await;
    assert_eq!(visit.text("#key-needed h2"), json!(["This part needs an API key"]));
    visit.type_key(demo.0.key()).await;
    visit.settle().await;
    assert!(text(&visit.text("#rule-sentence")[0]).ends_with("where the edge is at least 0.02."));
}

/// A backtest needs a key also where a record is open to everybody.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_rule_over_an_open_record_names_the_key_it_needs() {
    let Some(mut browser) = Browser::start() else { return };
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("strategies/nfl/won_on_points?rule=own&min_edge=0.02").await;
    assert_eq!(visit.text("#key-needed h2"), json!(["API key required"]));
    assert_eq!(visit.page.evaluate("document.querySelector('#rule-min_edge').value"), json!("0.02"));
    assert_eq!(visit.text("#failure, .trouble"), json!([]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_saved_picture_has_the_rule_its_record_its_luck_and_its_address() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let kept = folder.path().join("downloads");
    visit.save_to(&kept);
    let rule =
        "season=all&min_edge=0.03&max_edge=0.2&min_price=-250&max_price=300&agree=2&models=XGB%2CRF%2CLGB&bet=value";
    visit.show(&format!("{VIEW}?rule=own&{rule}")).await;
    let answer = demo.get(&format!("{PATH}?{rule}")).await;
    visit.page.evaluate("document.querySelector('#picture-png').click()");
    let png = kept_file(&kept.join("nba-won_on_points-rule.png")).await;
    assert!(png.starts_with(b"\x89PNG") && png.len() > 20_000, "{} bytes", png.len());
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!([side(16), side(20)], [1200, 630]);

    visit.page.evaluate("document.querySelector('#picture-svg').click()");
    let svg = String::from_utf8(kept_file(&kept.join("nba-won_on_points-rule.svg")).await).expect("text");
    assert!(svg.contains("width=\"1200\" height=\"630\""), "{svg}");
    let lines = svg.split("<text x=\"40\"").skip(1).filter_map(|line| line.split(['>', '<']).nth(1));
    let words = lines.collect::<String>().replace("&amp;", "&");
    let record = &answer["record"];
    let interval = ["roi_low", "roi_high"].map(|end| super::figures::gain(&record[end])).join(" to ");
    let luck = visit.text("#rule-luck")[0].clone();
    for needed in [
        text(&answer["rule"]["sentence"]),
        &format!("ROI {} (95 %: {interval})", super::figures::gain(&record["roi"])),
        &super::figures::units(&record["units"]),
        text(&luck),
        "1 rule tried, 2026-03-14. Simulated data.",
        &demo.0.url(&format!("/explore/#/{VIEW}?rule=own&{rule}")),
    ] {
        assert!(words.contains(needed), "{needed} is not in {words}");
    }
    for (end, field) in
        [("low", "p5"), ("high", "p95"), ("low", "p25"), ("high", "p75"), ("value", "units"), ("value", "p50")]
    {
        assert!(svg.contains(&format!("data-{end}=\"{}\"", along(&answer, field))), "{field} is not drawn");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_rule_is_accessible_and_fits_a_telephone() {
    let (Some(axe), Some(mut browser)) = (axe(), Browser::start()) else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.page.evaluate(&format!("{axe}; 0"));
    let conditions =
        "min_edge=0.02&agree=1&models=XGB,RF&weekday=friday&from=2026-01-01&stake=kelly&forecast_source=all";
    for (width, scheme) in LOOKS {
        visit.look(width, scheme);
        for rule in [conditions, "season=all", "min_ev=much"] {
            visit.show(&format!("{VIEW}?rule=own&{rule}")).await;
            assert_eq!(findings(&mut visit, rule), Vec::<Value>::new(), "{rule} {width} {scheme}");
            let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().expect("a number") <= 0, "{rule} is wider than {width}: {wide}");
        }
        visit.show(&format!("{VIEW}?rule=own&{conditions}")).await;
        visit.keep_picture(&format!("your-rule-{width}-{scheme}"));
    }
}
