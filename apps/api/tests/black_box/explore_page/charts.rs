//! The marks of charts: each is a shape of a drawing with its figure, which equals the one of the API.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::passing_on::{copied, size_of};
use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;

/// Returns a figure as a browser writes it as text.
pub(super) fn written(value: &Value) -> String {
    value.as_f64().map_or_else(String::new, |number| number.to_string())
}

/// Returns a field of each entry by the name in another.
fn by(entries: &[Value], name: &str, field: &str) -> BTreeMap<String, String> {
    entries.iter().map(|entry| (text(&entry[name]).to_owned(), written(&entry[field]))).collect()
}

/// Returns the values of marks by their names, each of which has one mark.
pub(super) fn sorted(marks: Vec<(String, String)>) -> BTreeMap<String, String> {
    let number = marks.len();
    let sorted: BTreeMap<_, _> = marks.into_iter().collect();
    assert_eq!(sorted.len(), number, "one mark for each name");
    sorted
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_marks_of_a_slate_are_the_probabilities_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_points?model=XGB").await;
    let served = demo.get("/api/v1/predictions/nba/won_on_points?model=XGB").await;
    let compared = demo.get("/api/v1/markets/nba?model=XGB").await;
    let forecasts = list(&served["games"]).iter();
    let forecasts: BTreeMap<_, _> =
        forecasts.map(|game| (text(&game["game_id"]).to_owned(), written(&game["predictions"]["XGB"]))).collect();
    assert_eq!(sorted(visit.marks("#figure-slate .mark.model", "game")), forecasts);
    let books = by(list(&compared["games"]), "game_id", "book_home");
    assert_eq!(sorted(visit.marks("#figure-slate .mark.book", "game")), books);
    // Prices of the prediction market change by themselves: only their games are compared.
    let listed = list(&compared["games"]).iter().filter(|game| game["kalshi_home"].is_number()).count();
    assert_eq!(visit.marks("#figure-slate .mark.exchange", "game").len(), listed);
    // An opened game has every model.
    visit.page.evaluate("document.querySelector('.slate .opener').click()");
    let game = &list(&served["games"])[0];
    let models = game["predictions"].as_object().expect("models").iter();
    let models: BTreeMap<_, _> = models.map(|(model, value)| (model.clone(), written(value))).collect();
    assert_eq!(sorted(visit.marks(".row-detail:not([hidden]) .mark", "model")), models);
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// A pick is the side above one half, a bet the better side at the price if its value is above zero. It has its own number, and
/// nothing else of its row is bold.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_row_names_the_pick_or_the_bet_and_is_marked_from_the_readers_edge() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let served = demo.get("/api/v1/predictions/nba/won_on_spread").await;
    for (edge, order, of) in [(0.0, "value", "bets"), (2.0, "edge", "picks"), (90.0, "start", "bets")] {
        visit.show(&format!("today/nba/won_on_spread?edge={edge}&sort={order}&of={of}")).await;
        let rows = "[...document.querySelectorAll('.slate .game-row')].map(row => [row.dataset.game, row.dataset.side, \
                    row.innerText, row.classList.contains('marked'), row.getBoundingClientRect().height, \
                    [...row.querySelectorAll('*')].filter(part => part.childElementCount === 0 && part.innerText?.trim() && \
                    Number(getComputedStyle(part).fontWeight) > 500).map(part => part.innerText)])";
        let rows = visit.page.evaluate(rows);
        assert_eq!(list(&rows).len(), list(&served["games"]).len());
        let (mut values, mut edges) = (Vec::new(), Vec::new());
        for row in list(&rows) {
            let game = list(&served["games"]).iter().find(|game| game["game_id"] == row[0]).expect("a game");
            let number = |field: &str| game[field].as_f64().expect("a number");
            let forecast = game["predictions"]["BLEND"].as_f64().expect("one");
            let gap = forecast - game["predictions"]["IMPLIED"].as_f64().expect("one");
            let is_home =
                if of == "bets" { number("ev_home_spread") > number("ev_away_spread") } else { forecast > 0.5 };
            let (side, edge_of) = if is_home { ("home", gap) } else { ("away", -gap) };
            let value = number(&format!("ev_{side}_spread"));
            let is_taken = of == "picks" || value > 0.0;
            assert_eq!(row[1], if is_taken { side } else { "none" }, "{of} {game}");
            let (shown, value_shown) = (text(&row[2]), super::figures::gain(&json!(value)));
            let value_shown = if is_taken { value_shown } else { format!("no bet ({value_shown} at best)") };
            assert!(shown.contains(&value_shown), "{shown} {game}");
            let line = number(&format!("{side}_point_spread"));
            let line =
                if line.abs() < f64::EPSILON { "PK".to_owned() } else { format!("{line:+}").replace('-', "\u{2212}") };
            let bold = list(&row[5]);
            assert_eq!(bold.len(), usize::from(is_taken), "{bold:?}");
            assert!(bold.iter().all(|side| text(side).ends_with(&format!(" {line}"))), "{bold:?} {line}");
            assert_eq!(row[3], (edge_of * 1000.0).round() / 10.0 >= edge, "{shown}");
            assert!(row[4].as_f64().expect("a height") <= 40.0, "{shown}");
            values.push(value);
            edges.push(edge_of);
        }
        let order_of = match order {
            "value" => values,
            "edge" => edges,
            _ => continue,
        };
        assert!(order_of.is_sorted_by(|one, other| one >= other), "{order}: {order_of:?}");
    }
}

/// Returns the records of who follows each model's picks, with the model and its win rate.
fn picks_of(summary: &Value) -> Vec<Value> {
    let entries = list(&summary["summaries"]).iter();
    let records = entries.map(|entry| {
        let mut record = entry["picks"].clone();
        for field in ["model", "win %"] {
            record[field] = entry[field].clone();
        }
        record
    });
    records.collect()
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_marks_of_a_track_record_are_the_figures_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/nhl/over_under").await;
    let summary = demo.get("/api/v1/summary/nhl/over_under").await;
    let models = &picks_of(&summary);
    let mut returns: Vec<_> = models.iter().filter(|model| model["roi"].is_number()).collect();
    returns.sort_by(|one, other| other["roi"].as_f64().partial_cmp(&one["roi"].as_f64()).expect("numbers"));
    let expected: Vec<_> =
        returns.iter().map(|model| (text(&model["model"]).to_owned(), written(&model["roi"]))).collect();
    assert_eq!(visit.marks("#figure-returns .mark", "model"), expected, "ordered by return");
    assert_eq!(sorted(visit.marks("#figure-wins .mark", "model")), by(models, "model", "win %"));
    let references = sorted(visit.marks("#figure-wins .row .reference", "model"));
    let even: BTreeMap<_, _> =
        by(models, "model", "break_even").into_iter().filter(|(_, value)| !value.is_empty()).collect();
    assert_eq!(references, even);
    for (figure, low, high) in [("wins", "wilson_low", "wilson_high"), ("returns", "roi_low", "roi_high")] {
        for (end, field) in [("low", low), ("high", high)] {
            let drawn = format!(
                "Object.fromEntries([...document.querySelectorAll('#figure-{figure} .interval')].map(line => [line.dataset.model, line.dataset.{end}]))"
            );
            let served: BTreeMap<_, _> =
                by(models, "model", field).into_iter().filter(|(_, value)| !value.is_empty()).collect();
            assert_eq!(visit.page.evaluate(&drawn), json!(served), "{field}");
        }
    }
    assert_calibration(&mut visit, &demo).await;
    let density = demo.get("/api/v1/results/nhl/over_under/density").await;
    for (figure, grid) in [("grid", "current"), ("grid-before", "previous")] {
        let cells = list(&density[grid]["cells"]).iter();
        let mut served: Vec<_> = cells.map(|cell| ("BLEND".to_owned(), written(&cell["win_pct"]))).collect();
        let mut drawn = visit.marks(&format!("#figure-{figure} .heat"), "model");
        served.sort();
        drawn.sort();
        assert_eq!(drawn, served, "{figure}");
        // Bins without games have their place: a grid is as wide as it is high.
        let size = visit.page.evaluate(&format!(
            "[...new Set([...document.querySelectorAll('#figure-{figure} line.grid')].map(line => line.getAttribute('x1') === line.getAttribute('x2') ? 'x' + line.getAttribute('x1') : 'y' + line.getAttribute('y1')))].map(line => line[0]).sort().join('')"
        ));
        let lines = text(&size);
        assert_eq!(lines.matches('x').count(), lines.matches('y').count(), "{figure}");
    }
    assert_curves(&mut visit, &demo).await;
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Asserts that steps and bars are those of the API, and that nothing is drawn of fewer than 30 games.
async fn assert_calibration(visit: &mut Visit<'_>, demo: &Demo) {
    let calibration = demo.get("/api/v1/calibration/nhl/over_under").await;
    let mut few = 0;
    for source in list(&calibration["sources"]) {
        let name = text(&source["forecast_source"]);
        let model = list(&source["models"]).iter().find(|model| model["model"] == "BLEND").expect("BLEND");
        let of = |entries: &Value, field: &str| {
            list(entries).iter().map(|entry| ("BLEND".to_owned(), written(&entry[field]))).collect::<Vec<_>>()
        };
        let is_enough = model["games"].as_u64().expect("a count") >= 30;
        few += usize::from(!is_enough);
        let none = Vec::new;
        let steps = if is_enough { of(&model["reliability_diagram"], "rate") } else { none() };
        let bars = if is_enough { of(&model["murphy"]["bins"], "games") } else { none() };
        assert_eq!(visit.marks(&format!("#figure-reliability-{name} .step"), "model"), steps, "{name}");
        assert_eq!(visit.marks(&format!("#figure-forecasts-{name} rect.mark"), "model"), bars, "{name}");
    }
    assert_eq!(list(&visit.text(".too-few")).len(), few);
}

/// Asserts that curves have every point of the API from the day on at which four weeks are over: those of 30 to 59 picks are pale,
/// and those of fewer are left out.
async fn assert_curves(visit: &mut Visit<'_>, demo: &Demo) {
    let rolling = demo.get("/api/v1/results/nhl/over_under/rolling").await;
    let number = |point: &Value, field: &str| point[field].as_u64().expect("a number");
    for (model, values) in visit.marks("#figure-curves path.line:not([data-faded])", "model").into_iter().take(2) {
        let points = list(&rolling["seasons"][0]["models"][&model]);
        let whole: Vec<_> =
            points.iter().filter(|point| number(point, "day") >= 27 && number(point, "games") >= 30).collect();
        let of = |is_pale: bool| {
            let served = whole.iter().filter(|point| (number(point, "games") < 60) == is_pale);
            served.map(|point| written(&point["win_pct"])).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(values, of(false), "{model}");
        let pale = visit.marks(&format!("#figure-curves path.line[data-faded][data-model={model}]"), "model");
        assert_eq!(pale.first().map_or("", |(_, values)| values), of(true), "{model}");
        assert!(whole.len() < points.len(), "the first four weeks are left out");
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn overlaid_rules_and_sparklines_end_at_the_totals_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let rules = ["follow_edge_home", "fade_edge_home"];
    visit.show(&format!("strategies/nba/won_on_spread?strategies={}", rules.join(","))).await;
    let path = "/api/v1/strategies/nba/won_on_spread";
    let mut ends = BTreeMap::new();
    for rule in rules {
        let replay = demo.get(&format!("{path}/{rule}/replay?accounting=recorded_v2")).await;
        let mut totals: BTreeMap<String, String> = BTreeMap::new();
        for row in list(&replay["rows"]) {
            totals.insert(text(&row["date"]).to_owned(), written(&row["total"]));
        }
        let drawn = sorted(visit.marks("#figure-units path.line", "model"));
        assert_eq!(drawn[rule], totals.values().cloned().collect::<Vec<_>>().join(" "));
        ends.insert(rule.to_owned(), totals.values().last().expect("a bet").clone());
    }
    visit.page.expect("document.querySelectorAll('.sparkline').length", &json!(16)).await;
    let board = demo.get(&format!("{path}?accounting=recorded_v2")).await;
    let sparks = sorted(visit.marks(".sparkline .line", "model"));
    assert_eq!(sparks.len(), 16);
    for (rule, end) in ends {
        assert_eq!(sparks[&rule], end);
    }
    for entry in list(&board["strategies"]) {
        let end: f64 = sparks[text(&entry["id"])].parse().expect("a number");
        assert!((end - entry["profit_units"].as_f64().expect("units")).abs() < 0.01, "{entry}");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_last_days_of_a_league_are_those_of_its_status() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("freshness").await;
    let history = demo.get("/api/v1/data-status/nba/history?days=30").await;
    let days = list(&history["days"]);
    let last: Vec<_> = days.iter().skip(days.len().saturating_sub(14)).collect();
    // Each change of the status, since a state that lasts beyond its day is drawn once.
    let mut changes = Vec::new();
    for state in last.iter().flat_map(|day| list(&day["states"])) {
        let status = text(&state["status"]);
        if changes.last().is_none_or(|(_, before)| *before != status) {
            changes.push((chrono::DateTime::parse_from_rfc3339(text(&state["since"])).expect("an instant"), status));
        }
    }
    let drawn = visit.page.evaluate(
        "[...document.querySelectorAll('.cell[data-league=nba]')].map(cell => [cell.dataset.value, cell.dataset.state])",
    );
    let drawn: Vec<_> = list(&drawn)
        .iter()
        .map(|cell| (chrono::DateTime::parse_from_rfc3339(text(&cell[0])).expect("an instant"), text(&cell[1])))
        .collect();
    assert_eq!(drawn, changes);
    let deadlines =
        visit.page.evaluate("[...document.querySelectorAll('#days-nba .deadline')].map(line => line.dataset.day)");
    assert_eq!(deadlines, last.iter().map(|day| day["date"].clone()).collect::<serde_json::Value>());
    let told = visit.page.evaluate("document.querySelector('#days-nba .row-figures').textContent");
    let expected = format!("{} of {} on time", history["days_on_time"], history["days_counted"]);
    assert!(text(&told).starts_with(&expected), "{told}");
}

/// Returns a file of the browser's downloads, which is empty until it is there.
pub(super) async fn kept_file(path: &Path) -> Vec<u8> {
    crate::service::eventually("it is kept", || fs::metadata(path).is_ok_and(|file| file.len() > 0)).await;
    fs::read(path).expect("a file")
}

/// Every drawing is SVG and has a table, and a mark has a name and a value.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn every_figure_has_its_table_its_file_and_its_request() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let kept = folder.path().join("downloads");
    visit.save_to(&kept);
    for (view, figure) in [
        ("overview", "values"),
        ("today", "slate"),
        ("track-record", "wins"),
        ("strategies", "units"),
        ("results", "hits"),
        ("freshness", "days"),
    ] {
        visit.show(&format!("{view}/nba/won_on_points")).await;
        assert_eq!(visit.page.evaluate("document.querySelectorAll('canvas').length"), json!(0));
        let nameless = "[...document.querySelectorAll('figure .mark')].filter(mark => !mark.closest('.legend') && \
                        (!(mark.dataset.game || mark.dataset.model) || mark.dataset.value === undefined)).map(mark => mark.outerHTML)";
        // The prediction market has no model, and its marks have a game.
        assert_eq!(visit.page.evaluate(nameless), json!([]), "{view}");
        visit.open_numbers();
        let tables =
            "[...document.querySelectorAll('figure')].every(figure => figure.querySelector('.under tbody tr'))";
        assert_eq!(visit.page.evaluate(tables), json!(true), "{view}");
        let request =
            visit.page.evaluate(&format!("document.querySelector('#api-{figure} + .panel .address').textContent"));
        let path = text(&request).strip_prefix(&demo.0.url("")).expect("of this server").to_owned();
        demo.get(&path).await;
        for format in ["csv", "png"] {
            visit.page.evaluate(&format!("document.querySelector('#{format}-{figure}').click()"));
            let name = kept.join(format!("{view}-nba-won_on_points-{figure}.{format}"));
            let content = kept_file(&name).await;
            if format == "png" {
                assert_eq!(size_of(&content), (1200, 675), "{view}");
            } else {
                let under = format!("document.querySelectorAll('#figure-{figure} .under tbody tr').length");
                let rows = visit.page.evaluate(&under);
                let lines = String::from_utf8(content).expect("text").lines().count();
                assert_eq!(json!(lines - 1), rows, "{view}");
            }
        }
        let link = copied(&mut visit.page, &format!("copy-link-{figure}")).await;
        assert_eq!(link, json!(demo.0.url(&format!("/figure/{figure}/{view}/nba/won_on_points"))));
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The slider over releases: the slate of an earlier moment, as the API serves it for the entry.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_slider_shows_the_slate_of_an_earlier_release_with_a_banner() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_points").await;
    assert_eq!(visit.text("#as-of"), json!([]));
    assert_eq!(visit.text(".moments output"), json!(["now"]));
    let releases = demo.get("/api/v1/releases/nba?limit=100").await;
    let before = &list(&releases["releases"])[1];
    visit.page.evaluate("document.querySelector('#moment').focus()");
    visit.press("ArrowLeft", "");
    let hash = format!("#/today/nba/won_on_points?generation={}", before["generation"]);
    visit.page.expect("document.querySelector('main').dataset.shown", &json!(hash)).await;
    let banner = visit.text("#as-of")[0].clone();
    assert!(text(&banner).starts_with("As of ") && text(&banner).contains(&format!("entry {}", before["generation"])));
    let served = demo.get(&format!("/api/v1/predictions/nba/won_on_points?generation={}", before["generation"])).await;
    let forecasts = list(&served["games"]).iter();
    let forecasts: BTreeMap<_, _> =
        forecasts.map(|game| (text(&game["game_id"]).to_owned(), written(&game["predictions"]["BLEND"]))).collect();
    assert!(forecasts.len() > 3);
    assert_eq!(sorted(visit.marks("#figure-slate .mark.model", "game")), forecasts);
    assert_eq!(visit.marks("#figure-slate .mark.exchange", "game"), [], "the exchange has no earlier prices");
    visit.page.evaluate("document.querySelector('#now').click()");
    visit.page.expect("document.querySelector('main').dataset.shown", &json!("#/today/nba/won_on_points")).await;
    assert_eq!(visit.text("#as-of"), json!([]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The requests under a figure answer the games that it shows, with its filters.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_requests_of_a_figure_answer_the_games_of_its_marks() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let requests = |visit: &mut Visit<'_>, figure: &str| {
        let of =
            format!("[...document.querySelectorAll('#api-{figure} + .panel .address')].map(code => code.textContent)");
        let urls = visit.page.evaluate(&of);
        let path = |url: &Value| text(url).strip_prefix(&demo.0.url("")).expect("of this server").to_owned();
        list(&urls).iter().map(path).collect::<Vec<_>>()
    };
    for filters in ["", "?team=boston_celtics&from=2026-01-15&to=2026-02-28"] {
        visit.show(&format!("results/nba/won_on_points{filters}")).await;
        let served = demo.get(&requests(&mut visit, "hits")[0]).await;
        let is_pick = |game: &&Value| game["graded"] == true && game["push"] == false && game["BLEND"].is_number();
        let games = list(&served["results"]).iter().filter(is_pick);
        let mut games: Vec<_> = games.filter(|game| game["BLEND"] != 0.5).collect();
        games.sort_by_key(|game| (game["date"].to_string(), game["time_est"].to_string()));
        let named = |game: &&Value| (text(&game["game_id"]).to_owned(), written(&game["BLEND"]));
        let games: Vec<_> = games.iter().rev().map(named).collect();
        let marks = visit.marks("#figure-hits rect.mark", "game");
        assert_eq!(marks.len(), games.len().min(120), "{filters}");
        assert!(marks.len() > 2 && marks.iter().all(|mark| games.contains(mark)), "{filters}");
        // Games with one start are in any order.
        let newest = &games[0];
        assert!(marks.contains(newest), "{filters}: {newest:?}");
    }
    visit.show("today/nba/over_under").await;
    let paths = ["/api/v1/predictions/nba/over_under?model=BLEND", "/api/v1/odds/nba"];
    assert_eq!(requests(&mut visit, "slate"), paths);
}
