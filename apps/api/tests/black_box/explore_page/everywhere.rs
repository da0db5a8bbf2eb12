//! The parts of every view: sorted tables, explained terms, the place on the page, and figures above the fold.

use serde_json::{Value, json};

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;
use crate::service::{Service, Site};

/// Each head sorts by the API's figures, the largest number first, and then the other way round.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_sortable_column_is_sorted_as_the_figures_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/nhl/over_under").await;
    let summary = demo.get("/api/v1/summary/nhl/over_under").await;
    let table = "document.querySelector('#summary-BLEND').closest('table')";
    // The column of the favourite's record is counted over the games of each model.
    let fields = [
        (1, "/total_games"),
        (2, "/picks/won"),
        (4, "/win %"),
        (5, "/picks/break_even"),
        (6, "/picks/roi"),
        (7, "/picks/units"),
        (8, "/win % 4W"),
        (9, "/fade %"),
    ];
    for (place, field) in fields {
        for direction in ["descending", "ascending"] {
            visit.page.evaluate(&format!("{table}.querySelectorAll('.sort')[{place}].click()"));
            let sorted = format!("{table}.querySelectorAll('th[scope=col]')[{place}].getAttribute('aria-sort')");
            assert_eq!(visit.page.evaluate(&sorted), json!(direction), "{field}");
            let rows = visit.page.evaluate(&format!("[...{table}.tBodies[0].rows].map(row => row.id)"));
            let figures = list(&rows).iter().map(|row| {
                let model = text(row).strip_prefix("summary-").expect("a model");
                let found = list(&summary["summaries"]).iter().find(|one| one["model"] == model).expect("a summary");
                found.pointer(field).and_then(Value::as_f64)
            });
            let (known, missing): (Vec<_>, Vec<_>) = figures.partition(Option::is_some);
            assert!(known.len() > 5);
            assert!(missing.iter().all(Option::is_none));
            let is_sorted =
                known.is_sorted_by(|one, other| if direction == "ascending" { one <= other } else { one >= other });
            assert!(is_sorted, "{field} {direction}: {known:?}");
        }
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_term_is_explained_by_keyboard_and_touch() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/nhl/over_under").await;
    visit.page.evaluate("document.querySelector('.explain').focus()");
    visit.press("Enter", "\r");
    let open = "[...document.querySelectorAll('.tip:popover-open')].map(tip => tip.innerText)";
    let shown = visit.page.evaluate(open);
    assert!(text(&shown[0]).starts_with("Picks The picks that won or lost"), "{shown}");
    visit.press("Escape", "");
    assert_eq!(visit.page.evaluate(open), json!([]));
    visit.look(390, "light");
    visit.show("track-record/nhl/won_on_points").await;
    // The page may be drawn anew when the demo publishes.
    visit.page.expect("document.querySelector('#api-wins') !== null", &json!(true)).await;
    visit.page.evaluate("document.querySelector('#api-wins').click()");
    let edges = "(({ left, right }) => [left >= 0, right <= innerWidth])(document.querySelector('#api-wins + .panel').getBoundingClientRect())";
    assert_eq!(visit.page.evaluate(edges), json!([true, true]), "a panel is within the window");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn going_back_restores_the_place_on_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/nba/won_on_spread").await;
    visit.page.evaluate("scrollTo(0, 900)");
    visit.page.expect("history.state?.place", &json!(900)).await;
    visit.show("today/nba/won_on_spread").await;
    assert_eq!(visit.page.evaluate("scrollY"), json!(0));
    visit.page.evaluate("history.back()");
    visit.page.expect("document.querySelector('main').dataset.shown", &json!("#/track-record/nba/won_on_spread")).await;
    visit.page.expect("scrollY", &json!(900)).await;
}

/// On a telephone, the menus are on one line, the first figure begins on the first screen, and no cell covers another.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_telephone_shows_a_figure_on_the_first_screen() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    for view in ["overview", "today", "track-record", "strategies", "results"] {
        visit.show(&format!("{view}/nba/won_on_points")).await;
        let first = "Math.min(...[...document.querySelectorAll('.headline .mark, figure .mark, figure path.line')].filter(mark => !mark.closest('.legend')).map(mark => mark.getBoundingClientRect().bottom))";
        let first = visit.page.evaluate(first).as_f64().expect("a place");
        assert!(first < 844.0, "{view}: the first mark is at {first}");
        let menus = "[...document.querySelectorAll('.menu')].slice(0, 3).map(menu => Math.round(menu.getBoundingClientRect().top))";
        let menus = visit.page.evaluate(menus);
        assert!(list(&menus).windows(2).all(|two| two[0] == two[1]), "{view}: {menus}");
        let covered = "[...document.querySelectorAll('tbody tr:not(.more)')].slice(0, 20).flatMap(row => { \
            const boxes = [...row.cells].map(cell => cell.getBoundingClientRect()).filter(box => box.width > 0); \
            return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(other => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1).map(() => row.id)); })";
        assert_eq!(visit.page.evaluate(covered), json!([]), "{view}");
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_search_leaves_the_games_of_a_team() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_points").await;
    let served = demo.get("/api/v1/public/ml-picks/nba/moneyline").await;
    let team = text(&list(&served["games"])[0]["home_team"]).to_owned();
    visit.page.evaluate("document.querySelector('#search').focus()");
    visit.page.call("Input.insertText", &json!({ "text": team.to_uppercase() }));
    let rows = visit.text(".slate .opener");
    assert_eq!(list(&rows).len(), 1, "{rows}");
    assert!(text(&rows[0]).contains(&team), "{rows}");
    let status = visit.text(".rows-tools [role=status]");
    assert_eq!(status, json!([format!("1 of {} games", list(&served["games"]).len())]));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_new_key_can_be_copied_and_the_key_in_use_is_marked() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("account").await;
    let marked = "[...document.querySelectorAll('tbody tr.marked')].map(row => row.cells[1].innerText)";
    let marked = visit.page.evaluate(marked);
    assert_eq!(list(&marked).len(), 1, "{marked}");
    let begins = text(&marked[0]).split('*').next().expect("a beginning").to_owned();
    assert!(demo.0.key().starts_with(&begins), "{marked}");
    let refused = "(ask => (url, options) => { if (options?.method !== 'POST') return ask(url, options); \
                   window.fetch = ask; return Promise.resolve(new Response('{}', { status: 503 })); })(window.fetch)";
    visit.page.evaluate(&format!(
        "window.fetch = {refused}; document.querySelector('#new-key-name').value = 'copied'; \
         document.querySelector('#create-key').click()"
    ));
    visit.page.expect("!!document.querySelector('#keys-status .alert')", &json!(true)).await;
    let typed = "document.querySelector('#new-key-name').value";
    assert_eq!(visit.page.evaluate(typed), json!("copied"));
    visit.page.evaluate("document.querySelector('#create-key').click()");
    visit.page.expect("!!document.querySelector('#copy-key')", &json!(true)).await;
    assert_eq!(visit.page.evaluate(typed), json!(""));
    let permission = json!({ "permission": { "name": "clipboard-write" }, "setting": "granted" });
    visit.page.call("Browser.setPermission", &permission);
    visit.page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }; document.querySelector('#copy-key').click()");
    visit.page.expect("window.copied === document.querySelector('#new-key').innerText", &json!(true)).await;
}

/// Returns the price of a probability in American odds, with a margin of two points.
fn price(probability: f64) -> i64 {
    let offered = probability + 0.02;
    let odds = if offered > 0.5 { -100.0 * offered / (1.0 - offered) } else { 100.0 * (1.0 - offered) / offered };
    format!("{odds:.0}").parse().expect("a whole number")
}

/// Publishes a slate of 120 games of invented teams, each with a forecast and prices of its own.
async fn large_slate() -> (Site, Service) {
    let games = (0_u32..120).map(|game| {
        let book = 0.3 + f64::from(game * 37 % 100) / 250.0;
        let forecast = |shift: u32| book + (f64::from((game + shift) * 53 % 21) - 10.0) / 100.0;
        let mut row = json!({
            "date": "2024-01-06",
            "time_est": format!("{:02}:{:02}:00", 12 + game % 10, game * 15 % 60),
            "away_team": format!("Visitors {game}"),
            "home_team": format!("Hosts {game}"),
            "home_money_line": price(book),
            "away_money_line": price(1.0 - book),
        });
        for (shift, model) in (0..).zip(["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"]) {
            row[model] = json!((forecast(shift) * 10_000.0).round() / 10_000.0);
        }
        row
    });
    let slate: Vec<_> = games.collect();
    let folder = tempfile::tempdir().expect("a folder");
    let release = json!({
        "sport": "ncaab", "season": "2023-24", "slate_date": "2024-01-06", "slate": "active",
        "run": { "id": "large", "started_at": "2024-01-06T14:38:00Z", "completed_at": "2024-01-06T14:50:00Z" },
    });
    std::fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
    std::fs::create_dir(folder.path().join("predictions")).expect("a folder");
    let file = folder.path().join("predictions/won_on_points.json");
    std::fs::write(file, Value::from(slate).to_string()).expect("written");
    let site = Site::empty();
    let path = folder.path().to_str().expect("text");
    let printed = site.place.ctl(["publish", path, "--as-of", "2024-01-06T15:00:00Z"]);
    assert!(printed.contains("published: "), "{printed}");
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:05:00Z")]).await;
    (site, service)
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_slate_of_120_games_is_drawn_ordered_and_searched() {
    let Some(mut browser) = Browser::start() else { return };
    let (_site, service) = large_slate().await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    let visible = "[...document.querySelectorAll('.game-row')].filter(row => row.checkVisibility()).length";
    visit.show("today/ncaab/won_on_points").await;
    assert_eq!(visit.page.evaluate(visible), json!(20));
    assert_eq!(visit.text("#figure-slate .show-all"), json!(["Show all 120"]));
    visit.page.evaluate("document.querySelector('#figure-slate .show-all').click()");
    for order in ["start", "edge", "value"] {
        visit.show(&format!("today/ncaab/won_on_points?sort={order}")).await;
        assert_eq!(visit.marks("#figure-slate .mark.model", "game").len(), 120, "{order}");
    }
    visit.show("today/ncaab/won_on_points").await;
    assert_eq!(visit.page.evaluate(visible), json!(120), "a list that was shown whole stays so");
    visit.page.evaluate("document.querySelector('#search').focus()");
    visit.page.call("Input.insertText", &json!({ "text": "hosts 77" }));
    assert_eq!(visit.text(".slate .opener"), json!(["Visitors 77 at Hosts 77"]));
    visit.look(390, "light");
    let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().expect("a number") <= 0, "{wide}");
    assert_eq!(visit.text("#failure"), json!([]));
}
