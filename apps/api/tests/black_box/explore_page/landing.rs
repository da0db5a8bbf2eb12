//! The first view: a league's record, what it values most today, and the day of every league.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;
use crate::service::Site;

const LEAGUES: [&str; 6] = ["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"];

/// Returns the games to come whose pick is worth most at its price, by the free picks of a league: each with its side.
fn worth_most(picks: &Value, now: &str) -> Vec<(String, &'static str)> {
    let mut games = Vec::new();
    for game in list(&picks["games"]) {
        let begins = format!("{} {}", text(&game["date"]), text(&game["time"]));
        let (Some(home), true, true) =
            (game["models"]["BLEND"].as_f64(), game["implied_probability"].is_number(), begins.as_str() > now)
        else {
            continue;
        };
        let (side, probability) = if home > 0.5 { ("home", home) } else { ("away", 1.0 - home) };
        if let (Some(price), true) = (game["lines"][format!("{side}_money_line")].as_f64(), (home - 0.5).abs() > 0.0) {
            let profit = if price > 0.0 { price / 100.0 } else { 100.0 / -price };
            games.push((probability * profit - (1.0 - probability), text(&game["game_id"]).to_owned(), side));
        }
    }
    games.sort_by(|one, other| other.0.total_cmp(&one.0));
    games.into_iter().map(|(_, game, side)| (game, side)).take(3).collect()
}

/// The league that plays in March leads: college basketball.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_first_view_shows_what_is_worth_most_and_last_nights_picks_of_every_league() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    let picks = demo.get("/api/v1/public/ml-picks/ncaab/moneyline").await;
    let expected = worth_most(&picks, "2026-03-14 12:00:00");
    assert_eq!(expected.len(), 3);
    let rows =
        "[...document.querySelectorAll('#figure-values .value-row')].map(row => [row.dataset.game, row.dataset.side])";
    assert_eq!(visit.page.evaluate(rows), json!(expected));
    assert!(visit.text("#proven")[0].as_str().expect("text").contains("checked in this browser just now"));
    assert!(visit.text("#closed")[0].as_str().expect("text").contains("Whoever runs this server gives out keys."));
    // What nobody looks at is not requested.
    let asked = visit.requested().iter().filter(|url| url.contains("/api/")).count();
    assert!(asked <= 10, "{:?}", visit.requested());
    assert_eq!(visit.text(".tiles li"), json!([]));
    visit.page.evaluate("document.querySelector('#see-more').click()");
    visit.page.expect("document.querySelectorAll('.tiles li').length", &json!(6)).await;
    assert!(visit.text("#contact")[0].as_str().expect("text").contains("Whoever runs this server gives out keys."));

    visit.type_key(demo.0.key()).await;
    visit.page.expect("document.querySelectorAll('#figure-night').length", &json!(1)).await;
    let mut served = BTreeMap::new();
    for sport in LEAGUES {
        let path = format!("/api/v1/results/{sport}/won_on_points?from=2026-03-13&to=2026-03-13&limit=500");
        for game in list(&demo.get(&path).await["results"]) {
            if let Some(forecast) = game["BLEND"].as_f64().filter(|_| game["graded"] == true) {
                let hit = (forecast > 0.5) == (game["won_on_points"] == 1);
                served.insert(text(&game["game_id"]).to_owned(), if hit { "won" } else { "lost" });
            }
        }
    }
    assert!(served.len() > 20, "{}", served.len());
    let drawn = "Object.fromEntries([...document.querySelectorAll('#figure-night [data-grade]')].filter(game => \
                 game.dataset.grade !== 'pushed').map(game => [game.dataset.game, game.dataset.grade]))";
    assert_eq!(visit.page.evaluate(drawn), json!(served));
    let won = served.values().filter(|word| **word == "won").count();
    let title = visit.text("#figure-night figcaption strong")[0].clone();
    assert!(text(&title).contains(&format!(": {won}\u{2013}{}", served.len() - won)), "{title}");
    assert!(text(&title).contains("the book\u{2019}s favourite"), "{title}");
    let beside = "document.querySelectorAll('#figure-night [data-record]').length === \
                  document.querySelectorAll('#figure-night [data-baseline=IMPLIED]').length";
    assert_eq!(visit.page.evaluate(beside), json!(true));
    let links = visit.page.evaluate(
        "[...document.querySelectorAll('.tiles a, .hit-row a, .value-row a')].map(link => link.hash.split('/')[1])",
    );
    let links: Vec<_> = list(&links).iter().map(text).collect();
    for view in ["freshness", "results", "game"] {
        assert!(links.contains(&view), "{view}: {links:?}");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Each market has a record of the leading model, by picks or bets, and the favourite's beside it.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_first_view_has_the_season_of_each_market_by_picks_or_bets() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for of in ["picks", "bets"] {
        visit.show(&format!("overview/nba/won_on_points?of={of}")).await;
        assert_eq!(visit.page.evaluate("document.querySelector('main').dataset.of"), json!(of));
        for market in ["won_on_points", "won_on_spread", "over_under"] {
            let summary = demo.get(&format!("/api/v1/summary/nba/{market}")).await;
            let found = list(&summary["summaries"]).iter().find(|entry| entry["model"] == "BLEND");
            let record = &found.expect("BLEND")[of];
            for (selector, prefix) in [("[data-record=BLEND]", ""), ("[data-baseline=IMPLIED]", "baseline_")] {
                let counts = format!(
                    "(({{ won, lost, pushed }}) => [won, lost, pushed].map(Number))\
                     (document.querySelector('#headline-{market}-BLEND {selector}').dataset)"
                );
                let served = ["won", "lost", "pushed"].map(|field| record[format!("{prefix}{field}")].clone());
                assert_eq!(visit.page.evaluate(&counts), json!(served), "{market} {of} {selector}");
            }
        }
        let tracking = demo.get("/api/v1/model-tracking/nba/won_on_points").await;
        let tracked = list(&tracking["models"]).iter().find(|model| model["model"] == "BLEND").expect("BLEND").clone();
        let sentence = visit.text("#proven strong")[0].clone();
        let counts = format!("{} of {}", tracked["recorded"], tracked["games"]);
        assert!(text(&sentence).replace(',', "").contains(&counts), "{sentence}");
    }
    let rolling = demo.get("/api/v1/results/nba/won_on_points/rolling?models=BLEND,IMPLIED").await;
    let shares: Vec<_> = ["BLEND", "IMPLIED"]
        .iter()
        .flat_map(|model| list(&rolling["seasons"][0]["models"][model]))
        .map(|point| point["win_pct"].to_string())
        .collect();
    let weeks = visit.marks("#figure-weeks .week", "model");
    assert!(weeks.len() > 10, "{weeks:?}");
    assert!(weeks.iter().all(|(_, value)| shares.contains(value)), "{weeks:?}");
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
    let contact =
        visit.page.evaluate("[...document.querySelectorAll('#closed a')].map(link => [link.href, link.innerText])");
    assert_eq!(contact, json!([["mailto:keys@example.com", "keys@example.com"]]));
    assert_eq!(list(&visit.text("#figure-values .value-row")).len(), 3);
    assert_eq!(visit.text(".leagues a"), json!([]), "a league alone has no links to others");
    visit.page.evaluate("document.querySelector('#see-more').click()");
    visit.page.expect("[...document.querySelectorAll('.tiles a')].map(tile => tile.id)", &json!(["tile-nfl"])).await;
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
            let parts = "['.headline', '#figure-values .value-row', '#figure-weeks .week']\
                         .map(part => document.querySelectorAll(part).length)";
            let parts = visit.page.evaluate(parts);
            assert!(parts[0] == 3 && parts[1] == 3 && parts[2].as_u64() > Some(2), "{parts}");
            times.push(visit.page.evaluate("window.displayed").as_f64().expect("a time"));
        }
        times.sort_by(f64::total_cmp);
        println!("first view, {cache} a cache: median {:.0} ms, longest {:.0} ms", times[5], times[9]);
    }
}
