//! Cards and badges: their figures are those of the API, and they exist where a record is open.

use serde_json::Value;

use crate::public_record::{MARKETS, league, openly, serve};
use crate::service::{Answer, Service};

/// Returns the texts of an SVG.
fn texts(svg: &str) -> Vec<String> {
    let elements = svg.split("<text ").skip(1);
    let texts = elements.map(|rest| rest.split_once('>').expect("a start").1.split_once("</text>").expect("an end").0);
    texts.map(|text| text.replace("&#39;", "'")).collect()
}

/// A share as a percentage with one decimal, as a person would round it.
fn percent(share: &Value) -> Option<String> {
    Some(format!("{:.1} %", share.as_f64()? * 100.0).replace('-', "−"))
}

fn signed(share: &Value) -> Option<String> {
    let plus = if share.as_f64()? > 0.0 { "+" } else { "" };
    Some(format!("{plus}{}", percent(share)?))
}

fn interval(low: Option<String>, high: Option<String>) -> String {
    low.zip(high).map_or_else(|| "too few games".to_owned(), |(low, high)| format!("95 %: {low} to {high}"))
}

fn share(of: &Value, name: &str) -> f64 {
    of[name].as_f64().expect("a share")
}

/// Returns the left and upper ends of the bands of an SVG.
fn bands(svg: &str) -> Vec<(f64, f64)> {
    let end = |rest: &str, name: &str| {
        let (_, from) = rest.split_once(&format!(" {name}=\"")).expect("an attribute");
        from.split('"').next().expect("a value").parse().expect("a number")
    };
    let bands = svg.split("<rect class=\"band\"").skip(1);
    bands.map(|rest| (end(rest, "x"), end(rest, "y"))).collect()
}

fn entry<'a>(list: &'a Value, model: &str) -> &'a Value {
    list.as_array().expect("a list").iter().find(|entry| entry["model"] == model).unwrap_or(&Value::Null)
}

async fn keyed(service: &Service, path: &str, season: &str) -> Value {
    let answer = service.get(&format!("/api/v1/{path}?season={season}")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

#[tokio::test]
async fn each_figure_of_a_card_is_the_one_that_a_key_gets() {
    let site = league();
    let mut graded = [0, 0];
    for (place, (public, season)) in [("nfl=all", "2023-24"), ("nfl=finished", "2022-23")].into_iter().enumerate() {
        let service = serve(&site, public).await;
        graded[place] = compared(&service, season).await;
    }
    assert!(graded[0] > 0 && graded[1] > 0, "{graded:?}");
}

/// Compares every card of a season with the answers to a key; returns the number of picks.
async fn compared(service: &Service, season: &str) -> u64 {
    let mut graded = 0;
    let published = keyed(service, "results/nfl/won_on_points", season).await["total"].as_u64();
    assert!(published > Some(0));
    for market in MARKETS {
        if service.get(&format!("/api/v1/summary/nfl/{market}?season={season}")).await.status == 404 {
            continue;
        }
        let summary = keyed(service, &format!("summary/nfl/{market}"), season).await;
        let calibration = keyed(service, &format!("calibration/nfl/{market}"), season).await;
        let tracking = keyed(service, &format!("model-tracking/nfl/{market}"), season).await;
        for model in ["BLEND", "XGB", "ELO"] {
            let card = openly(service, &format!("/card/nfl/{market}/{model}.svg")).await;
            let tracked = entry(&tracking["models"], model);
            if tracked.is_null() {
                assert_eq!(card.status, 404, "{market} {model}: {}", card.text());
                continue;
            }
            let texts = texts(card.text());
            assert_eq!(card.status, 200, "{market} {model}: {}", card.text());
            let badge = openly(service, &format!("/badge/nfl/{market}/{model}.svg")).await.text().to_owned();
            let figures = entry(&summary["summaries"], model);
            let number = |name: &str| figures[name].as_u64().unwrap_or(0);
            let or_dash = |figure: Option<String>| figure.unwrap_or_else(|| "–".to_owned());
            let record = format!("{}–{}", number("wins"), number("losses"));
            let ev_roi = or_dash(signed(&figures["ev roi"]));
            for expected in [
                record.clone(),
                format!("{} decided games", number("total_games")),
                or_dash(percent(&figures["win %"])),
                interval(percent(&figures["wilson_low"]), percent(&figures["wilson_high"])),
                or_dash(percent(&figures["break_even"])),
                ev_roi.clone(),
                match (figures.is_null(), figures["break_even"].is_null()) {
                    (false, true) => "no prices on record".to_owned(),
                    _ => interval(signed(&figures["ev roi low"]), signed(&figures["ev roi high"])),
                },
                format!("{} forecasts recorded before the start", tracked["recorded"]),
                format!("{} of them proven by others", tracked["proven"]),
                "1 model of the league is not public: the best of many is luck, too".to_owned(),
                format!("As of {} · picks.example", &tracking["last_updated"].as_str().expect("a time")[..10]),
                "Simulated data".to_owned(),
            ] {
                assert!(texts.contains(&expected), "{market} {model}: no {expected} in {texts:?}");
            }
            assert!(texts.iter().any(|text| text.ends_with(&format!(" · {season}"))), "{texts:?}");
            assert!(badge.contains(&record) && badge.contains(&ev_roi) && badge.contains("1 hidden model"), "{badge}");
            graded += number("total_games");
            // The strip is of live forecasts, else of those of a backtest, and has a band for each block.
            let sources = calibration["sources"].as_array().expect("sources");
            let of_model = |of: &&Value| entry(&of["models"], model)["reliability_diagram"].get(0).is_some();
            let source = sources.iter().filter(of_model).min_by_key(|of| of["forecast_source"] != "live");
            let bands = bands(card.text());
            let Some(source) = source else {
                assert!(bands.is_empty(), "{market} {model}");
                continue;
            };
            let strip = entry(&source["models"], model);
            let kind = if source["forecast_source"] == "live" { "live" } else { "backtest" };
            let about = format!("Calibration: {} {kind} forecasts", strip["games"]);
            if strip["sample"] == "too_few" {
                assert!(bands.is_empty() && texts.contains(&format!("{about}, too few to draw")), "{texts:?}");
                continue;
            }
            let blocks = strip["reliability_diagram"].as_array().expect("blocks");
            // The field is 336 by 136 pixels, with the probability 0 at 800 and the rate 0 at 560.
            let expected: Vec<_> = blocks
                .iter()
                .map(|block| (800.0 + 336.0 * share(block, "p_min"), 560.0 - 136.0 * share(block, "band_high")))
                .collect();
            assert_eq!(bands.len(), expected.len(), "{market} {model}");
            for (drawn, expected) in bands.iter().zip(&expected) {
                assert!(
                    (drawn.0 - expected.0).abs() < 0.06 && (drawn.1 - expected.1).abs() < 0.06,
                    "{drawn:?} {expected:?}"
                );
            }
            assert!(texts.contains(&about), "{texts:?}");
        }
    }
    graded
}

#[tokio::test]
async fn cards_exist_for_public_models_of_open_leagues_alone() {
    let site = league();
    let service = serve(&site, "nfl=all").await;
    for path in [
        "/card/nfl/won_on_points/nn_v2.svg",
        "/card/nfl/won_on_points/nn_v2.png",
        "/badge/nfl/won_on_points/nn_v2.svg",
        "/card/nfl/won_on_points/NOBODY.svg",
        "/card/nfl/won_on_points/CATB.svg",
        "/card/nfl/won_on_points/ENSEMBLE.svg",
        "/card/nfl/won_on_points/ELO",
        "/card/nfl/won_on_points/ELO.gif",
        "/card/nfl/won_on_points/%0a.svg",
        "/badge/nfl/won_on_points/ELO.png",
        "/card/nba/won_on_points/BLEND.svg",
        "/badge/nba/won_on_points/BLEND.svg",
    ] {
        let answer = openly(&service, path).await;
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (404, Some("no-store")),
            "{path}: {}",
            answer.text()
        );
    }
    for bad in [
        "/card/cricket/won_on_points/ELO.svg",
        "/card/nfl/first_goal/ELO.svg",
        "/card/nfl/won_on_points/ELO.png?scheme=blue",
        "/card/nfl/won_on_points/ELO.svg?scheme=dark",
    ] {
        assert_eq!(openly(&service, bad).await.status, 400, "{bad}");
    }
    let closed = league();
    let service = closed.serve_with(&[]).await;
    assert_eq!(openly(&service, "/card/nfl/won_on_points/ELO.svg").await.status, 404);
    let page = openly(&service, "/explore/").await.text().to_owned();
    assert!(!page.contains("og:image") && !page.contains("og:url"), "{page}");
}

#[tokio::test]
async fn caches_and_pages_of_any_origin_may_have_a_card() {
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let path = "/card/nfl/won_on_points/ELO.svg";
    let card = openly(&service, path).await;
    assert_eq!(card.header("content-type"), Some("image/svg+xml"));
    assert_eq!(card.header("cache-control"), Some("public, max-age=30"));
    assert_eq!(card.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        card.header("content-security-policy"),
        Some("default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
    );
    let etag = card.header("etag").expect("a validator").to_owned();
    let again = Answer::to(service.request(path).header("If-None-Match", etag)).await;
    assert_eq!((again.status, again.header("cache-control")), (304, Some("public, max-age=30")));
    assert_eq!(openly(&service, path).await.body, card.body);
    let mut pictures = Vec::new();
    for query in ["", "?scheme=light", "?scheme=dark"] {
        let picture = openly(&service, &format!("/card/nfl/won_on_points/ELO.png{query}")).await;
        assert_eq!(picture.header("content-type"), Some("image/png"));
        // The signature, and behind the name of the first chunk the size.
        assert_eq!(&picture.body[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(picture.body[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((number(16), number(20)), (1200, 630));
        // Letters take more than lines: without a font it would be a tenth.
        assert!((20_000..200_000).contains(&picture.body.len()), "{}", picture.body.len());
        pictures.push(picture.body);
    }
    assert!(pictures[0] == pictures[1] && pictures[1] != pictures[2]);
    let page = openly(&service, "/explore/").await.text().to_owned();
    for tag in [
        "<meta property=\"og:image\" content=\"https://picks.example/card/nfl/won_on_points/BLEND.png\" />",
        "<meta property=\"og:url\" content=\"https://picks.example/explore/\" />",
        "<meta name=\"twitter:card\" content=\"summary_large_image\" />",
    ] {
        assert!(page.contains(tag), "{tag} is not in {page}");
    }
}

#[tokio::test]
async fn of_finished_seasons_the_card_is_of_the_newest() {
    let site = league();
    let service = serve(&site, "nfl=finished").await;
    let card = openly(&service, "/card/nfl/won_on_points/ELO.svg").await;
    assert_eq!(card.header("cache-control"), Some("public, max-age=3600"));
    assert!(texts(card.text()).iter().any(|text| text.ends_with(" · 2022-23")), "{}", card.text());
}
