//! The movement of an opened game's lines: the changes of the API's history, with the opener, the close and the start.

use serde_json::{Value, json};

use super::charts::kept_file;
use super::passing_on::copied;
use super::visit::{Visit, list, text};
use crate::application::clv::{Season, TUESDAY};
use crate::application::histories::{AT_NOW, RAVENS, day, found, morning, moved_start, publish_afternoon};
use crate::browser::Browser;
use crate::demo::Demo;

/// Opens the row of a game by its name, and waits for its movement.
async fn open(visit: &mut Visit<'_>, matchup: &str) {
    let opener = format!(
        "[...document.querySelectorAll('.opener')].find(button => button.innerText.includes({}))",
        json!(matchup)
    );
    visit.page.evaluate(&format!("{opener}.click()"));
    visit.page.expect("document.querySelectorAll('.movement .later:not([aria-busy])').length", &json!(1)).await;
}

/// Chooses a line with the keyboard: its neighbour on the right until it is the one.
fn choose(visit: &mut Visit<'_>, field: &str) {
    visit.page.evaluate("document.querySelector('.line-choice input:checked').focus()");
    for _ in 0..4 {
        if visit.page.evaluate("document.activeElement.value") == json!(field) {
            break;
        }
        visit.press("ArrowRight", "");
    }
    assert_eq!(visit.page.evaluate("document.querySelector('.line-choice input:checked').value"), json!(field));
}

/// Returns the values of a field in the lines of a history that have it, as a browser writes them.
fn values(history: &Value, field: &str, mark: Option<&str>) -> Vec<String> {
    let marked =
        |line: &&Value| mark.is_none_or(|mark| line["mark"].as_str().is_some_and(|marked| marked.contains(mark)));
    let lines = list(&history["lines"]).iter().filter(marked);
    lines.filter_map(|line| line[field].as_f64()).map(|value| value.to_string()).collect()
}

/// Returns the values of marks in the movement.
fn drawn(visit: &mut Visit<'_>, selector: &str) -> Vec<String> {
    visit.marks(&format!(".movement .plot {selector}"), "game").into_iter().map(|(_, value)| value).collect()
}

/// Every line of every market, chosen with the keyboard.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_steps_of_an_opened_game_are_the_changes_of_its_history() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let game = "nfl-2026-03-14-chicago_bears-philadelphia_eagles";
    let history = demo.get(&format!("/api/v1/odds/nfl/history?game_id={game}")).await;
    assert!(list(&history["lines"]).len() > 2, "{history}");
    for (market, fields) in [
        ("over_under", &["over_under", "over_line", "under_line"][..]),
        ("won_on_points", &["home_money_line", "away_money_line"]),
        (
            "won_on_spread",
            &["home_point_spread", "home_point_spread_line", "away_point_spread", "away_point_spread_line"],
        ),
    ] {
        visit.show(&format!("today/nfl/{market}")).await;
        open(&mut visit, "Chicago Bears at Philadelphia Eagles").await;
        for field in fields {
            choose(&mut visit, field);
            assert_eq!(drawn(&mut visit, ".step"), values(&history, field, None), "{field}");
            assert_eq!(drawn(&mut visit, ".line-open"), values(&history, field, Some("first")), "{field}");
            assert_eq!(drawn(&mut visit, ".line-close"), values(&history, field, Some("latest")), "{field}");
        }
        // The start is a line at the end of the axis, and the game has not begun.
        let start = visit.page.evaluate("document.querySelector('.movement .plot line.start').getAttribute('x1')");
        assert_eq!(start, json!("100%"));
        assert_eq!(visit.text(".movement .legend li"), json!(["First line", "Latest line", "Start"]));
        visit.page.evaluate("document.querySelector('.slate .opener[aria-expanded=true]').click()");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_table_of_a_movement_has_every_change_and_its_time() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("results/nfl/won_on_points").await;
    open(&mut visit, "Houston Texans at Indianapolis Colts").await;
    visit.page.evaluate("document.querySelector('.movement .under details').open = true");
    let rows =
        "[...document.querySelectorAll('.movement tbody tr')].map(row => [...row.cells].map(cell => cell.innerText))";
    // 15:00Z is ten in New York. The night's file has no more odds of the game.
    let expected = json!([
        ["Jan 6, 10:00\u{a0}AM ET", "\u{2212}125", "+105", "Jan 6, 9:30\u{a0}AM ET", "first"],
        ["Jan 6, 1:00\u{a0}PM ET", "\u{2212}130", "+110", "Jan 6, 12:30\u{a0}PM ET", "–"],
        ["Jan 6, 5:30\u{a0}PM ET", "+130", "\u{2212}150", "Jan 6, 5:30\u{a0}PM ET", "close"],
        ["Jan 6, 6:30\u{a0}PM ET", "–", "–", "Jan 6, 5:30\u{a0}PM ET", "–"],
    ]);
    visit.page.expect(rows, &expected).await;
    choose(&mut visit, "home_money_line");
    assert_eq!(drawn(&mut visit, ".step"), ["105", "110", "-150"]);
    assert_eq!(visit.text(".movement .legend li"), json!(["First line", "Close", "Start"]));
    let close = "The close was last published Jan 6, 5:30\u{a0}PM ET, of odds read 2 h 45 min before the start.";
    assert_eq!(visit.text(".movement p.note"), json!([close]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The slate stays as it is read, with an opened game, until the person asks for what has landed.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_release_that_lands_is_shown_with_its_movement_once_it_is_asked_for() {
    let Some(mut browser) = Browser::start() else { return };
    let site = morning();
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T18:05:00Z")]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("today/nfl/won_on_points").await;
    open(&mut visit, "Colts").await;
    choose(&mut visit, "home_money_line");
    assert_eq!(drawn(&mut visit, ".step"), ["105"]);
    publish_afternoon(&site);
    let news = "document.querySelector('[data-release=\"2\"]')?.innerText";
    visit.page.expect(news, &json!("New: 1:00\u{a0}PM release, lines of 1 game moved. Show it")).await;
    assert_eq!(drawn(&mut visit, ".step"), ["105"]);
    visit.page.evaluate("document.querySelector('#show-release').click()");
    let steps = "[...document.querySelectorAll('.movement .plot .step')].map(step => step.dataset.value)";
    visit.page.expect(steps, &json!(["105", "110"])).await;
    assert_eq!(visit.text("[data-release]"), json!([]));
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("title"));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Odds of the evening, after the Ravens' start, are a count in words. What is not drawn is not the close.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn odds_after_the_start_are_counted_in_words_and_not_drawn() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let service = site.serve_with(&[AT_NOW]).await;
    let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={RAVENS}")).await;
    assert_eq!(history["quoted_after_start"], 2);
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.look(320, "dark");
    visit.show("results/nfl/won_on_points").await;
    open(&mut visit, "Pittsburgh Steelers at Baltimore Ravens").await;
    choose(&mut visit, "home_money_line");
    assert_eq!(drawn(&mut visit, ".step, .line-open, .line-close"), ["130", "130", "130"]);
    let words = text(&visit.text(".movement .in-play")[0]).to_owned();
    assert!(words.starts_with("2 releases at or after the start quoted the game"), "{words}");
    let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().expect("a number") <= 0, "{wide}");
    visit.keep_picture("movement-320");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_earlier_start_is_marked_and_named() {
    let Some(mut browser) = Browser::start() else { return };
    let site = moved_start();
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    visit.show("results/nfl/won_on_points").await;
    open(&mut visit, "Houston Texans at Indianapolis Colts").await;
    assert_eq!(visit.text(".movement .legend li"), json!(["First line", "Close", "Start", "Earlier start"]));
    // From ten to nine in the evening are eleven hours; the earlier start is three quarters of an hour before.
    let place = visit.page.evaluate("document.querySelector('.movement .plot line.earlier-start').getAttribute('x1')");
    let place: f64 = text(&place).trim_end_matches('%').parse().expect("a number");
    assert!((place - 100.0 * 10.25 / 11.0).abs() < 0.01, "{place}");
    let words = visit.text(".movement p.note");
    assert!(list(&words).contains(&json!("The game was first to start Jan 6, 8:15\u{a0}PM ET.")), "{words}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Forecasts that were recomputed later, and one that another system recorded, belong to no release of the record.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_game_without_odds_on_record_has_a_sentence_in_place_of_a_chart() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let season = Season::new();
    let imported = season.site.serve_with(&[("SPORTS_CLOCK__AS_OF", TUESDAY)]).await;
    for (service, address) in
        [(&demo.0, "results/nfl/won_on_points?season=2024-25"), (&imported, "results/nfl/won_on_spread?to=2023-12-31")]
    {
        let mut visit = Visit::with_key(&mut browser, service).await;
        visit.show(address).await;
        visit.page.evaluate("document.querySelector('tbody .opener').click()");
        visit.settle().await;
        let words = text(&visit.text(".movement")[0]).to_owned();
        assert!(words.ends_with("no odds of this game are on record here, so its lines have no history."), "{words}");
        assert_eq!(visit.text(".movement .plot, #failure"), json!([]));
        let asked = visit.requested().into_iter().filter(|url| url.contains("/history?")).count();
        assert_eq!(asked, 0, "{address}");
    }
}

/// The link under the chart opens its game, and the history is requested once however often the board is drawn.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_movement_has_a_link_that_opens_its_game_and_a_picture() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let kept = folder.path().join("downloads");
    visit.save_to(&kept);
    let served = demo.get("/api/v1/predictions/nba/won_on_points").await;
    let game = &list(&served["games"])[2];
    let figure = format!("moves-{}", text(&game["game_id"]));
    visit.show(&format!("today/nba/won_on_points?figure={figure}")).await;
    visit.page.expect("document.querySelectorAll('.movement .plot').length", &json!(1)).await;
    visit.page.expect("scrollY > 100", &json!(true)).await;
    let link = copied(&mut visit.page, &format!("copy-link-{figure}")).await;
    assert_eq!(link, json!(demo.0.url(&format!("/figure/{figure}/today/nba/won_on_points"))));
    visit.page.evaluate("document.querySelector('#search').focus()");
    visit.page.call("Input.insertText", &json!({ "text": "a" }));
    visit.page.expect("document.querySelectorAll('.movement .plot').length", &json!(1)).await;
    let histories = visit.requested().into_iter().filter(|url| url.contains("/history?")).count();
    assert_eq!(histories, 1);
    visit.page.evaluate(&format!("document.getElementById('png-{figure}').click()"));
    let name = kept.join(format!("today-nba-won_on_points-{figure}.png"));
    assert!(kept_file(&name).await.len() > 5_000, "it has a drawing");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The history of a game that was quoted for longer than the days that are read, and never with a price.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_history_without_its_beginning_or_a_close_is_described_in_words() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::with_key(&mut browser, &service).await;
    let altered = "const ask = fetch; \
                   const alter = async answer => \
                       new Response(JSON.stringify({ ...await answer.json(), complete: false, close: null })); \
                   window.fetch = (url, ...rest) => \
                       String(url).includes('/history?') ? ask(url, ...rest).then(alter) : ask(url, ...rest); 0";
    visit.page.evaluate(altered);
    visit.show("results/nfl/won_on_points").await;
    open(&mut visit, "Houston Texans at Indianapolis Colts").await;
    let words = [
        "An older release than those read quoted the game, too: the first line here may not be the first of all.",
        "There is no close: no line with a price was published before the start.",
    ];
    assert_eq!(visit.text(".movement p.note"), json!(words));
    assert_eq!(visit.text(".movement .legend li")[0], json!("First line read"));
}
