//! The page of one game: its course from the first release, both sides with their prices, the grade, and what is open of it.

use serde_json::{Value, json};

use super::LOOKS;
use super::accessibility::{axe, findings};
use super::visit::{Visit, list, text};
use crate::application::histories::{AT_NOW, RAVENS, day, found, moved_start};
use crate::browser::Browser;
use crate::demo::Demo;
use crate::public_record::{league, serve};

/// The markets with the fields of both sides' values: those of the positive side first.
const MARKETS: [(&str, [&str; 2], [&str; 2]); 3] = [
    ("won_on_points", ["home", "away"], ["ev_home_ml", "ev_away_ml"]),
    ("won_on_spread", ["home", "away"], ["ev_home_spread", "ev_away_spread"]),
    ("over_under", ["over", "under"], ["ev_pos", "ev_neg"]),
];

/// Returns the address of a game's page; the moneyline is the market of an address that names none.
fn address(sport: &str, game: &str, market: &str) -> String {
    let option = if market == "won_on_points" { String::new() } else { format!("?market={market}") };
    format!("game/{sport}/{game}{option}")
}

/// Returns the values of a model in a history, each change once, as a browser writes them.
fn changes(history: &Value, model: &str) -> Vec<String> {
    let all = list(&history["forecasts"]).iter().filter_map(|one| one["probabilities"][model].as_f64());
    let mut values: Vec<String> = all.map(|value| value.to_string()).collect();
    values.dedup();
    values
}

/// Returns the values of a model's steps in the course.
fn steps(visit: &mut Visit<'_>, model: &str) -> Vec<String> {
    let marks = visit.marks("#figure-probability .tread", "model");
    marks.into_iter().filter(|(name, _)| name == model).map(|(_, value)| value).collect()
}

/// Returns an attribute of each element.
fn data(visit: &mut Visit<'_>, selector: &str, name: &str) -> Value {
    visit.page.evaluate(&format!(
        "[...document.querySelectorAll({})].map(found => found.dataset.{name} ?? null)",
        json!(selector)
    ))
}

/// Every market of a game to come, which has its own title and no place among the links to views.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_game_to_come_has_the_course_and_the_values_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (market, sides, values) in MARKETS {
        let slate = demo.get(&format!("/api/v1/predictions/nba/{market}")).await;
        let priced = |game: &&Value| values.iter().all(|field| game[field].is_number());
        let game = list(&slate["games"]).iter().rfind(priced).expect("a game with both values");
        let id = text(&game["game_id"]);
        let history = demo.get(&format!("/api/v1/predictions/nba/{market}/history?game_id={id}")).await;
        visit.show(&address("nba", id, market)).await;
        assert_eq!(data(&mut visit, "#game-state", "state"), json!(["coming"]), "{id}");
        assert_eq!(steps(&mut visit, "BLEND"), changes(&history, "BLEND"), "{market} {id}");
        let book = steps(&mut visit, "IMPLIED");
        for implied in changes(&history, "IMPLIED") {
            assert!(book.contains(&implied), "{market} {id}: {implied} is not in {book:?}");
        }
        let games = data(&mut visit, "#figure-probability .tread", "game");
        assert!(list(&games).iter().all(|game| game == id), "{games}");
        for (side, field) in sides.into_iter().zip(values) {
            let selector = format!(".side-card[data-side={side}] dd[data-model=BLEND]");
            // The first figure is the probability, the second the value at the price of the forecast.
            let figures = data(&mut visit, &selector, "value");
            let value: f64 = text(&figures[1]).parse().expect("a number");
            assert!((value - game[field].as_f64().expect("a number")).abs() < 1e-11, "{side} {figures}");
        }
        let title = visit.page.evaluate("document.title");
        assert!(text(&title).contains(" at ") && text(&title).contains(" · NBA – "), "{title}");
        assert_eq!(visit.text("#views [aria-current]"), json!([]));
        assert_eq!(data(&mut visit, "main", "view"), json!(["game"]));
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_final_grades_the_pick_and_each_side() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let page = demo.get("/api/v1/results/nba/won_on_spread?state=graded&limit=12").await;
    let mut grades = Vec::new();
    for game in list(&page["results"]).iter().filter(|game| game["BLEND"] != 0.5) {
        visit.show(&address("nba", text(&game["game_id"]), "won_on_spread")).await;
        let covered = game["won_on_spread"] == 1;
        let is_home = game["BLEND"].as_f64().expect("a number") > 0.5;
        let (side, grade) = (if is_home { "home" } else { "away" }, if is_home == covered { "won" } else { "lost" });
        let pick = ".followed-one[data-of=picks]";
        assert_eq!(data(&mut visit, pick, "side"), json!([side]), "{game}");
        assert_eq!(data(&mut visit, pick, "grade"), json!([grade]), "{game}");
        assert_eq!(data(&mut visit, &format!(".side-card[data-side={side}]"), "grade"), json!([grade]), "{game}");
        let scores = [&game["away_score"], &game["home_score"]].map(Value::to_string);
        assert_eq!(data(&mut visit, "#game-state [data-value]", "value"), json!(scores));
        assert_eq!(
            visit.page.evaluate("document.querySelectorAll('#figure-probability .plot .final').length"),
            json!(1)
        );
        grades.push(grade);
    }
    assert!(grades.contains(&"won") && grades.contains(&"lost"), "{grades:?}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// A push returns the stake of either side.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_push_is_neither_won_nor_lost() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let seasons = demo.get("/api/v1/results/mlb/over_under/seasons").await;
    let season = text(&seasons["seasons"][1]);
    let page = demo.get(&format!("/api/v1/results/mlb/over_under?season={season}&limit=100000")).await;
    let game = list(&page["results"]).iter().find(|game| game["push"] == true).expect("a push");
    visit.show(&address("mlb", text(&game["game_id"]), "over_under")).await;
    assert_eq!(data(&mut visit, ".side-card", "grade"), json!(["pushed", "pushed"]), "{game}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Odds of a running game are no part of its course, and its close is the last price before the start.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_started_game_ends_its_course_at_the_start() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let service = site.serve_with(&[AT_NOW]).await;
    let history = found(&service, &format!("/api/v1/predictions/nfl/won_on_points/history?game_id={RAVENS}")).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show(&address("nfl", RAVENS, "won_on_points")).await;
    assert_eq!(data(&mut visit, "#game-state", "state"), json!(["begun"]));
    assert_eq!(steps(&mut visit, "IMPLIED"), changes(&history, "IMPLIED"));
    let close = visit.marks("#figure-probability .line-close", "model");
    assert_eq!(close, [("IMPLIED".to_owned(), changes(&history, "IMPLIED").concat())]);
    let legend = visit.text("#figure-probability .legend li");
    assert!(list(&legend).contains(&json!("Close")) && list(&legend).contains(&json!("Start")), "{legend}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_earlier_start_is_on_the_axis() {
    let Some(mut browser) = Browser::start() else { return };
    let site = moved_start();
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("game/nfl/nfl-2024-01-06-houston_texans-indianapolis_colts").await;
    let lines = "['start', 'earlier-start'].map(kind => \
                 document.querySelectorAll(`#figure-probability .plot > line.${kind}`).length)";
    assert_eq!(visit.page.evaluate(lines), json!([1, 1]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The forecasts of a season before this log are of no release: the models are drawn without a course.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_final_with_an_imported_forecast_has_every_model_and_no_course() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let page = demo.get("/api/v1/results/nba/won_on_points?season=2024-25&state=graded&limit=1").await;
    let game = &list(&page["results"])[0];
    visit.show(&address("nba", text(&game["game_id"]), "won_on_points")).await;
    assert_eq!(visit.text("#failure, #no-game, #figure-probability .plot"), json!([]));
    let marks = visit.marks("#figure-probability .mark", "model");
    for model in ["IMPLIED", "BLEND", "XGB"] {
        let value = game[model].as_f64().expect("a number").to_string();
        assert!(marks.contains(&(model.to_owned(), value)), "{model}: {marks:?}");
    }
    assert_eq!(visit.text(".proof"), json!([]), "it is not in the record");
    let asked = visit.requested().into_iter().filter(|url| url.contains("/history?")).count();
    assert_eq!(asked, 0);
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_address_of_no_game_leads_back_to_today_and_results() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (address, head) in [
        ("game/nba/nonsense", "There is no such game"),
        ("game/nba", "There is no such game"),
        ("game/nba/%zz", "There is no such game"),
        ("game/xfl/xfl-2026-03-14-a-b", "There is no league “xfl”"),
    ] {
        visit.show(address).await;
        assert_eq!(visit.text("#no-game h2"), json!([head]), "{address}");
        let links =
            visit.page.evaluate("[...document.querySelectorAll('#no-game a')].map(link => link.hash.split('/')[1])");
        assert_eq!(links, json!(["today", "results"]), "{address}");
        assert_eq!(visit.text("#failure"), json!([]), "{address}");
    }
}

/// Without a key there are the free picks, and of a league with an open record the games that have started.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn without_a_key_there_is_what_is_open_of_a_game() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    let free = demo.get("/api/v1/public/ml-picks/nba/spread").await;
    let game = &list(&free["games"])[0];
    visit.show(&address("nba", text(&game["game_id"]), "won_on_spread")).await;
    assert_eq!(list(&visit.text("#free-game")).len(), 1);
    let value = game["models"]["BLEND"].as_f64().expect("a number").to_string();
    assert!(visit.marks("#figure-probability .mark", "model").contains(&("BLEND".to_owned(), value)));
    let final_of = demo.get("/api/v1/results/nba/won_on_spread?state=final&limit=1").await;
    visit.show(&address("nba", text(&list(&final_of["results"])[0]["game_id"]), "won_on_spread")).await;
    assert_eq!(list(&visit.text("#key-needed h2")).len(), 1);
    assert_eq!(visit.complaints(), Vec::<String>::new());

    let site = league();
    let service = serve(&site, "nfl=all").await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show(&address("nfl", RAVENS, "won_on_points")).await;
    assert_eq!(visit.text("#key-needed, #failure, #no-game"), json!([]));
    assert!(!steps(&mut visit, "BLEND").is_empty(), "its course is open");
    let models = visit.text("#menu-model-panel").to_string();
    assert!(models.contains("ELO") && !models.contains("nn_v2"), "{models}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// A tap and the arrow keys read values off the course.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_tap_and_the_arrow_keys_read_the_course() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    let page = demo.get("/api/v1/results/nba/won_on_points?state=graded&limit=1").await;
    let id = text(&list(&page["results"])[0]["game_id"]).to_owned();
    let history = demo.get(&format!("/api/v1/predictions/nba/won_on_points/history?game_id={id}")).await;
    visit.show(&address("nba", &id, "won_on_points")).await;
    let read = "document.querySelector('#probability-at').getAttribute('aria-valuetext')";
    let last = visit.page.evaluate(read);
    let tap = "(() => { const plot = document.querySelector('#figure-probability .plot'); \
               const { left, top } = plot.getBoundingClientRect(); \
               plot.dispatchEvent(new PointerEvent('pointerdown', { clientX: left + 2, clientY: top + 9 })); })()";
    visit.page.evaluate(tap);
    let first = visit.page.evaluate(read);
    assert_ne!(first, last);
    let value = list(&history["forecasts"])[0]["probabilities"]["BLEND"].as_f64().expect("a number").to_string();
    assert_eq!(data(&mut visit, "#figure-probability circle[data-model=BLEND]", "value"), json!([value]));
    visit.page.evaluate("document.querySelector('#probability-at').focus()");
    visit.press("ArrowRight", "");
    assert_ne!(visit.page.evaluate(read), first);
    visit.page.evaluate(tap);
    visit.show(&address("nba", &id, "won_on_spread")).await;
    let place = "(({ value, max }) => [value, max])(document.querySelector('#probability-at'))";
    let place = visit.page.evaluate(place);
    assert_eq!(place[0], place[1], "another market is read from its end");
    assert_ne!(place[1], json!("0"));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_opened_row_leads_to_its_game_which_keeps_market_and_model() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_spread?model=XGB").await;
    visit.page.evaluate("document.querySelector('.slate .opener').click()");
    let link = "document.querySelector('.movement a[href^=\"#/game/nba/\"]')";
    let hash = visit.page.evaluate(&format!("{link}.hash"));
    assert!(text(&hash).ends_with("?model=XGB&market=won_on_spread"), "{hash}");
    visit.page.evaluate(&format!("{link}.click()"));
    visit.page.expect("document.querySelector('main').dataset.shown", &hash).await;
    let chosen = visit.text("[aria-label=Market] [aria-current], [aria-label=Model] [aria-current]");
    assert_eq!(chosen, json!(["Spread", "XGB"]));
    let other = visit.page.evaluate("document.querySelector('#pick-market-moneyline').hash");
    assert_eq!(other, json!(text(&hash).replace("&market=won_on_spread", "")));
    let back = visit.page.evaluate("document.querySelector('#view-results').hash");
    assert_eq!(back, json!("#/results/nba/won_on_spread?model=XGB"));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_game_fits_every_look_and_is_accessible() {
    let (Some(axe), Some(mut browser)) = (axe(), Browser::start()) else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let page = demo.get("/api/v1/results/nba/won_on_spread?state=graded&limit=1").await;
    let id = text(&list(&page["results"])[0]["game_id"]).to_owned();
    visit.page.evaluate(&format!("{axe}; 0"));
    for (width, scheme) in LOOKS {
        visit.look(width, scheme);
        visit.show(&address("nba", &id, "won_on_spread")).await;
        let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().expect("a number") <= 0, "{width}: {wide}");
        let tall = visit.page.evaluate("document.documentElement.scrollHeight / 844");
        assert!(width > 390 || tall.as_f64().expect("a number") < 5.0, "{tall} screens");
        visit.keep_picture(&format!("game-{width}-{scheme}"));
        let serious = |found: &Value| ["serious", "critical"].contains(&found[0].as_str().unwrap_or(""));
        let violations: Vec<_> = findings(&mut visit, "game").into_iter().filter(serious).collect();
        assert_eq!(violations, Vec::<Value>::new(), "{width} {scheme}");
        // Another address shows the page anew, with what is folded folded again.
        visit.show("freshness").await;
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}
