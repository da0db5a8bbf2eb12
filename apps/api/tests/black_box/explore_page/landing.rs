//! The first view: the picture of the day of the leagues with data.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;
use crate::service::Site;

const LEAGUES: [&str; 6] = ["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"];

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_first_view_shows_the_widest_gaps_of_all_leagues_and_last_nights_forecasts() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    assert_eq!(list(&visit.text(".tiles li")).len(), 6);
    assert!(visit.text("#contact")[0].as_str().expect("text").contains("Whoever runs this server gives out keys."));
    let mut gaps = Vec::new();
    for sport in LEAGUES {
        let picks = demo.get(&format!("/api/v1/public/ml-picks/{sport}/moneyline")).await;
        for game in list(&picks["games"]) {
            let [forecast, book] = [&game["models"]["BLEND"], &game["implied_probability"]].map(Value::as_f64);
            let begins = format!("{} {}", text(&game["date"]), text(&game["time"]));
            if let (Some(forecast), Some(book), true) = (forecast, book, begins.as_str() > "2026-03-14 12:00:00") {
                gaps.push((
                    (forecast - book).abs(),
                    text(&game["game_id"]).to_owned(),
                    forecast.to_string(),
                    book.to_string(),
                ));
            }
        }
    }
    gaps.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (kind, values) in [
        ("model", gaps.iter().map(|gap| (gap.1.clone(), gap.2.clone())).take(8).collect::<Vec<_>>()),
        ("book", gaps.iter().map(|gap| (gap.1.clone(), gap.3.clone())).take(8).collect()),
    ] {
        assert_eq!(visit.marks(&format!("#figure-gaps .mark.{kind}"), "game"), values, "{kind}");
    }

    visit.type_key(demo.0.key()).await;
    let mut served = BTreeMap::new();
    for sport in LEAGUES {
        let path = format!("/api/v1/results/{sport}/won_on_points?from=2026-03-13&to=2026-03-13&limit=500");
        for game in list(&demo.get(&path).await["results"]) {
            if let Some(forecast) = game["BLEND"].as_f64().filter(|_| game["graded"] == true) {
                let hit = (forecast > 0.5) == (game["won_on_points"] == 1);
                served.insert(text(&game["game_id"]).to_owned(), if hit { "hit" } else { "miss" });
            }
        }
    }
    assert!(served.len() > 20, "{}", served.len());
    let drawn = "Object.fromEntries([...document.querySelectorAll('#figure-night .mark')].map(mark => [mark.dataset.game, mark.parentNode.className.baseVal]))";
    assert_eq!(visit.page.evaluate(drawn), json!(served));
    let right = served.values().filter(|word| **word == "hit").count();
    let title = visit.text("#figure-night figcaption strong")[0].clone();
    assert!(text(&title).starts_with(&format!("{right} of {} forecasts", served.len())), "{title}");
    let links = visit.page.evaluate("[...document.querySelectorAll('.tiles a, .hit-row a, #figure-gaps .row a')].map(link => link.hash.split('/')[1])");
    let links: Vec<_> = list(&links).iter().map(text).collect();
    assert!(links.contains(&"freshness") && links.contains(&"today") && links.contains(&"results"), "{links:?}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_store_with_one_league_shows_that_league_and_the_way_to_its_operator() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let release = fixture("nfl-2023-week-18-slate").join("release");
    let printed = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    assert!(printed.contains("published: "), "{printed}");
    let variables = [("SPORTS_CLOCK__AS_OF", "2024-01-06T15:05:00Z"), ("SPORTS_HTTP__CONTACT", "keys@example.com")];
    let service = site.serve_with(&variables).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    assert_eq!(
        visit.page.evaluate("[...document.querySelectorAll('.tiles a')].map(tile => tile.id)"),
        json!(["tile-nfl"])
    );
    let contact =
        visit.page.evaluate("[...document.querySelectorAll('#contact a')].map(link => [link.href, link.innerText])");
    assert_eq!(contact, json!([["mailto:keys@example.com", "keys@example.com"]]));
    assert!(list(&visit.text("#figure-gaps .row .row-name")).len() > 3);
    visit.show("today").await;
    assert_eq!(visit.page.evaluate("document.title"), json!("Today · NFL · Moneyline – Sports model data"));
    assert_eq!(visit.text("[aria-label=League] li"), json!(["NFL"]));
    visit.show("freshness").await;
    assert_eq!(list(&visit.text("tbody tr:not(.more)")).len(), 1);
    assert_eq!(visit.text(".chip[data-tone=unknown], #failure"), json!([]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
    // A league of which nothing is published is named when its address is opened, and is no failure either.
    visit.show("record/nhl").await;
    assert_eq!(visit.text(".empty"), json!(["Nothing was ever published for NHL."]));
}

/// Notes the time at which the view is displayed, counted from the navigation.
const NOTE_DISPLAY: &str = "const note = () => { window.displayed ??= performance.now(); }; \
    new MutationObserver(() => { \
        if (document.querySelector('main')?.dataset.shown !== undefined) requestAnimationFrame(note); \
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-shown'] })";

/// Loads the page ten times without a browser's cache and ten times with it, and prints the times: `just landing`.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_first_view_is_whole_at_every_load_whose_time_is_printed() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.page.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": NOTE_DISPLAY }));
    for (cache, is_disabled) in [("without", true), ("with", false)] {
        visit.page.call("Network.setCacheDisabled", &json!({ "cacheDisabled": is_disabled }));
        let mut times = Vec::new();
        for _ in 0..10 {
            visit.page.evaluate("window.before = true; location.reload()");
            visit.page.expect("!window.before && window.displayed > 0", &json!(true)).await;
            let parts = "['.tiles li', '#figure-gaps .row:not(.axis)', '#figure-night .hit-row']\
                         .map(part => document.querySelectorAll(part).length)";
            let parts = visit.page.evaluate(parts);
            assert!(parts[0] == 6 && parts[1] == 8 && parts[2].as_u64() > Some(2), "{parts}");
            times.push(visit.page.evaluate("window.displayed").as_f64().expect("a time"));
        }
        times.sort_by(f64::total_cmp);
        println!("first view, {cache} a cache: median {:.0} ms, longest {:.0} ms", times[5], times[9]);
    }
}
