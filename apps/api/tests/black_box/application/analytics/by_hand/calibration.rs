//! The calibration of BLEND's moneyline of the week, computed in docs/analytics.md.

use std::fs;

use serde_json::{Value, json};

use super::{assert_fields, entry};
use crate::folder::Folder;
use crate::service::{Service, Site};

/// Compares with a tolerance: served numbers are not rounded, and those on paper have six decimals.
fn assert_about(served: &Value, expected: &Value) {
    for (field, expected) in expected.as_object().expect("an object") {
        let served = served[field].as_f64().unwrap_or_else(|| panic!("no {field}: {served}"));
        assert!((served - expected.as_f64().expect("a number")).abs() < 1e-6, "{field}: {served}");
    }
}

async fn blend(service: &Service, path: &str) -> Value {
    let calibration = service.json_of(path).await;
    assert_eq!(calibration["sources"].as_array().expect("sources").len(), 1);
    let source = &calibration["sources"][0];
    assert_eq!(source["forecast_source"], "walk_forward");
    entry(&source["models"], "model", "BLEND").clone()
}

#[tokio::test]
async fn scores_and_their_decompositions_equal_those_on_paper() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let blend = blend(&site.app().await, "calibration/nfl/won_on_points").await;
    assert_fields(&blend, &json!({ "games": 16, "sample": "too_few", "clipped": 0 }));
    assert_about(&blend, &json!({ "brier": 0.227_056, "log_loss": 0.644_103, "ece10": 0.157_425 }));
    assert_about(&blend["corp"], &json!({ "mcb": 0.059_645, "dsc": 0.078_683, "unc": 0.246_094 }));
    assert_eq!(blend["corp"]["mcb_p"], Value::Null);
    let murphy = json!({ "rel": 0.032_108, "res": 0.051_302, "unc": 0.246_094, "wbv": 0.000_478, "wbc": 0.000_322 });
    assert_about(&blend["murphy"], &murphy);
    let blocks: Vec<_> = blend["reliability_diagram"].as_array().expect("blocks").iter().collect();
    let ends =
        [(0.2252, 0.3439, 2), (0.3832, 0.5661, 7), (0.5873, 0.6041, 2), (0.6121, 0.6873, 4), (0.7031, 0.7031, 1)];
    assert_eq!(blocks.len(), ends.len());
    let rates = [0.0, 2.0 / 7.0, 0.5, 0.75, 1.0];
    for ((block, (p_min, p_max, games)), rate) in blocks.into_iter().zip(ends).zip(rates) {
        assert_fields(block, &json!({ "p_min": p_min, "p_max": p_max, "games": games, "rate": rate }));
    }
    let bins: Vec<_> = blend["murphy"]["bins"].as_array().expect("bins").iter().collect();
    assert_eq!(bins.iter().map(|bin| bin["games"].as_u64()).sum::<Option<u64>>(), Some(16));
    assert_fields(bins[0], &json!({ "from": 0.0, "to": 0.1, "games": 0, "mean_p": null, "rate": null, "thin": true }));
    assert_about(bins[6], &json!({ "from": 0.6, "to": 0.7, "games": 5, "mean_p": 0.642_88, "rate": 0.6 }));
}

/// With two dates, each end of an interval is one of them, drawn twice.
#[tokio::test]
async fn picks_and_the_comparison_with_the_market_equal_those_on_paper() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let blend = blend(&site.app().await, "calibration/nfl/won_on_points").await;
    let picks = json!({
        "wins": 10, "losses": 6, "rate": 0.625, "wilson_low": 0.386_410, "wilson_high": 0.815_188,
        "break_even": 0.652_154, "roi": -0.049_984, "roi_low": -0.1, "roi_high": -0.042_839
    });
    assert_about(&blend["picks"], &picks);
    let market = &blend["market"];
    assert_about(market, &json!({ "games": 16, "skill": -0.024_636 }));
    assert_about(&market["implied"], &json!({ "brier": 0.221_597 }));
    let brier = json!({
        "difference": 0.005_459, "se": 0.018_122, "t": 0.301_242, "low": -0.004_897, "high": 0.077_949, "dates": 2
    });
    assert_about(&market["brier"], &brier);
    assert_fields(&market["brier"], &json!({ "p": null, "p_holm": null }));
    assert_eq!((&market["log_loss"]["p"], &blend["verdict"]), (&Value::Null, &json!("undecided")));
    let words = blend["verdict_in_words"].as_str().expect("words");
    assert!(words.starts_with("Too few games to say: 16 "), "{words}");
}

#[tokio::test]
async fn dates_select_games_and_one_date_has_no_interval() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let path = "calibration/nfl/won_on_points?from=2024-01-06&to=2024-01-06";
    let saturday = blend(&service, path).await;
    assert_fields(&saturday, &json!({ "games": 2 }));
    // The Colts and the Ravens: (.4774² + .5661²) / 2, and differences of 0.009324 and 0.146574.
    assert_about(&saturday, &json!({ "brier": 0.274_190 }));
    assert_about(&saturday["market"]["brier"], &json!({ "difference": 0.077_949, "dates": 1 }));
    assert_fields(
        &saturday["market"]["brier"],
        &json!({ "se": null, "t": null, "p": null, "low": null, "high": null }),
    );
    assert_fields(&saturday["picks"], &json!({ "wins": 1, "losses": 1, "roi_low": null, "roi_high": null }));
    let none = blend(&service, "calibration/nfl/won_on_points?from=2024-01-08").await;
    assert_fields(
        &none,
        &json!({
            "games": 0, "sample": "too_few", "brier": null, "log_loss": null, "clipped": 0, "ece10": null,
            "corp": { "mcb": null, "dsc": null, "unc": null, "mcb_p": null }, "reliability_diagram": [],
            "murphy": { "rel": null, "res": null, "unc": null, "wbv": null, "wbc": null, "bins": [] },
            "ece10_if_perfect": { "mean": null, "low": null, "high": null }, "verdict": "undecided"
        }),
    );
    let echoed = service.json_of(path).await;
    assert_fields(&echoed, &json!({ "from": "2024-01-06", "to": "2024-01-06", "season": "2023-24" }));
    let page = service.json_of("results/nfl/won_on_points?season=2023-24").await;
    assert_eq!(echoed["snapshot"], page["snapshot"], "the version that the results name");
    let live = service.json_of("calibration/nfl/won_on_points?forecast_source=LIVE").await;
    assert_eq!(live["sources"], json!([]));
}

/// The same rows in another order, in another store, give the same figures; a restarted server gives the same bytes.
#[tokio::test]
async fn figures_do_not_depend_on_the_order_of_rows_or_the_server() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let backwards = Folder::copy_of("nfl-2023-week-18").reversed("probabilities/won_on_points/2023-24.csv");
    let other = Site::empty();
    other.publish(backwards.path());
    let mut answers = Vec::new();
    for site in [&site, &site, &other] {
        let service = site.app().await;
        answers.push(service.get("/api/v1/calibration/nfl/won_on_points").await);
        service.stop();
    }
    let [one, again, other] = &answers[..] else { panic!("three answers") };
    assert_eq!((&one.body, one.header("etag")), (&again.body, again.header("etag")));
    assert_eq!(one.json()["sources"], other.json()["sources"]);
}

/// Writes a release of forty games on forty dates, of which the home team, at -150, wins three of four; each forecast
/// is one half.
fn forty_games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |file: &str, rows: String| {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, rows).expect("written");
    };
    let key = |day: usize| format!("2024-{:02}-{:02},away_{day},home_{day}", 10 + day / 28, 1 + day % 28);
    let games = (0..40).map(|day| format!("{},{},17,-150,150\n", key(day), if day % 4 == 0 { 20 } else { 13 }));
    let head = "date,away_team,home_team,away_score,home_score,home_money_line,away_money_line\n";
    write("games/2024-25.csv", head.to_owned() + &games.collect::<String>());
    let given = (0..40).map(|day| format!("{},0.5\n", key(day)));
    let head = "date,away_team,home_team,BLEND\n";
    write("probabilities/won_on_points/2024-25.csv", head.to_owned() + &given.collect::<String>());
    write("release.json", r#"{"sport":"nfl","slate_date":"2025-02-10"}"#.to_owned());
    folder
}

#[tokio::test]
async fn chance_and_verdict_of_forty_games_equal_those_on_paper() {
    let site = Site::empty();
    site.publish(forty_games().path());
    let blend = blend(&site.app().await, "calibration/nfl/won_on_points").await;
    assert_fields(&blend, &json!({ "games": 40, "sample": "small", "clipped": 0, "verdict": "market_better" }));
    assert_about(&blend["corp"], &json!({ "mcb": 0.0625, "dsc": 0.0, "unc": 0.1875 }));
    let luck = blend["corp"]["mcb_p"].as_f64().expect("a share");
    // Of a thousand drawn seasons, none to eight are as far off, and the real one counts as well.
    assert!((0.000_9..0.009).contains(&luck), "{luck}");
    let block = json!({ "p_min": 0.5, "p_max": 0.5, "games": 40, "rate": 0.75, "band_low": 0.375, "band_high": 0.625 });
    assert_fields(&blend["reliability_diagram"][0], &block);
    assert_about(&blend, &json!({ "ece10": 0.25 }));
    let perfect = &blend["ece10_if_perfect"];
    assert_about(perfect, &json!({ "low": 0.0, "high": 0.175 }));
    assert!((perfect["mean"].as_f64().expect("a mean") - 0.0627).abs() < 0.006, "{perfect}");
    let market = &blend["market"];
    assert_about(&market["implied"], &json!({ "brier": 0.21 }));
    let brier = json!({ "difference": 0.04, "se": 0.013_868, "t": 2.884_441, "p": 0.006_354, "p_holm": 0.006_354 });
    assert_about(&market["brier"], &brier);
    assert_fields(&blend["picks"], &json!({ "wins": 0, "losses": 0, "rate": null }));
}
