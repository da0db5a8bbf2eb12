//! Figures that a person can recompute from the fixtures' files with pencil and paper. The derivations are in
//! docs/analytics.md and in the fixtures' READMEs.

mod calibration;
mod strategies;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::service::Site;

/// Returns the entry of a list whose `field` is `name`.
fn entry<'a>(list: &'a Value, field: &str, name: &str) -> &'a Value {
    list.as_array().expect("a list").iter().find(|entry| entry[field] == name).expect(name)
}

/// Asserts every field that `expected` has.
fn assert_fields(served: &Value, expected: &Value) {
    for (field, value) in expected.as_object().expect("an object") {
        assert_eq!(served[field], *value, "{field} of {served}");
    }
}

/// The picks are in the README of the week, beside their results.
#[tokio::test]
async fn a_summary_counts_the_picks_of_the_week() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let blend = [
        // 2 overs won both, 14 unders won 9.
        (
            "over_under",
            json!({ "total_games": 16, "wins": 11, "losses": 5, "win %": 0.6875, "fade %": 0.3125,
            "over %": 1.0, "under %": 0.642_857, "win % 4W": 0.6875, "over % 1W": 1.0, "under % 4W": 0.642_857 }),
        ),
        // 9 home picks won 5, 7 away picks won 5.
        (
            "won_on_points",
            json!({ "total_games": 16, "wins": 10, "losses": 6, "win %": 0.625, "fade %": 0.375,
            "home %": 0.555_556, "away %": 0.714_286, "home % 1W": 0.555_556, "away % 4W": 0.714_286 }),
        ),
        // 7 home picks won 3, 9 away picks won 4; the returns are computed in docs/analytics.md.
        (
            "won_on_spread",
            json!({ "total_games": 16, "wins": 7, "losses": 9, "home %": 0.428_571, "away %": 0.444_444,
            "wilson_low": 0.230_987, "wilson_high": 0.668_214, "break_even": 0.530_872,
            "ev roi low": -1.0, "ev roi high": -0.187_145, "ev roi": -0.288_752, "ev roi season": -0.288_752, "bt bets": 7, "bt units": -1.184_509 }),
        ),
    ];
    for (model_type, expected) in blend {
        let summary = service.json_of(&format!("summary/nfl/{model_type}")).await;
        assert_eq!((&summary["sport"], &summary["season"]), (&json!("nfl"), &json!("2023-24")));
        assert_fields(entry(&summary["summaries"], "model", "BLEND"), &expected);
    }
    // The pick at the Dolphins won at −125, and the bet on the other side lost.
    let summary = service.json_of("summary/nfl/won_on_spread").await;
    let blend = entry(&summary["summaries"], "model", "BLEND");
    assert_fields(
        &blend["picks"],
        &json!({ "won": 7, "lost": 9, "pushed": 0, "staked": 16, "units": -2.820_028, "roi": -0.176_252,
            "break_even": 0.530_872, "wilson_low": 0.230_987, "wilson_high": 0.668_214,
            "baseline_won": 7, "baseline_lost": 8, "baseline_pushed": 0 }),
    );
    assert_fields(
        &blend["bets"],
        &json!({ "won": 3, "lost": 4, "pushed": 0, "staked": 7, "units": -1.184_509, "roi": -0.169_216,
            "break_even": 0.520_445, "baseline_won": 3, "baseline_lost": 4, "baseline_pushed": 0 }),
    );
    let summary = service.json_of("summary/nfl/over_under").await;
    // Even prices in seven games: no pick in these.
    assert_fields(
        entry(&summary["summaries"], "model", "IMPLIED"),
        &json!({ "total_games": 9, "wins": 2, "losses": 7 }),
    );
    let ensemble = entry(&summary["summaries"], "model", "ENSEMBLE");
    assert_fields(
        ensemble,
        &json!({ "ev roi": null, "ev roi low": null, "ev roi high": null, "ev roi 1W": null, "bt bets": 0, "bt units": 0.0 }),
    );
    let models: Vec<_> =
        summary["summaries"].as_array().expect("entries").iter().map(|entry| &entry["model"]).collect();
    assert_eq!(models, ["IMPLIED", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ENSEMBLE"]);
    assert!(ensemble.get("home %").is_none() && ensemble.get("over %").is_some());
}

/// 9-1 in all, and one win in the last week and the last four.
#[tokio::test]
async fn windows_end_on_the_day_of_the_latest_decided_game() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    let summary = service.json_of("summary/nfl/won_on_points").await;
    let expected = json!({ "total_games": 10, "wins": 9, "losses": 1, "win %": 0.9, "win % 4W": 1.0, "home % 4W": 1.0, "home % 1W": 1.0, "away % 1W": null });
    assert_fields(entry(&summary["summaries"], "model", "BLEND"), &expected);
}

/// Eleven bets each, computed in the fixture's README. The tie with model probabilities is included; the tie and the
/// decided games on which no model took a side are not.
#[tokio::test]
async fn returns_cover_graded_games_and_pushes_that_would_have_been_graded() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    let summary = service.json_of("summary/nfl/won_on_points").await;
    let blend = json!({ "ev roi": 0.241_878, "ev roi season": 0.241_878, "ev roi 1W": 0.238_095, "bt bets": 7, "bt units": 2.402_088 });
    assert_fields(entry(&summary["summaries"], "model", "BLEND"), &blend);
    let implied = json!({ "ev roi": 0.323_696, "bt bets": 0, "bt units": 0.0 });
    assert_fields(entry(&summary["summaries"], "model", "IMPLIED"), &implied);
}

/// Counted in the probabilities files; W and L are the README's verdicts.
#[tokio::test]
async fn the_ensemble_picks_where_five_of_six_agree() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let summary = service.json_of("summary/nfl/won_on_points").await;
    // All six agree in every game but the Colts', where XT alone takes the home side: the blend's record.
    let ensemble = entry(&summary["summaries"], "model", "ENSEMBLE");
    assert_fields(ensemble, &json!({ "total_games": 16, "wins": 10, "losses": 6 }));
    let spread = service.json_of("summary/nfl/won_on_spread").await;
    // Home: Panthers L; Patriots, Saints, Titans and Packers with five each: L, W, W, W.
    // Away: Bengals L, Lions L, Cardinals L, Chargers W, 49ers W, Dolphins W.
    // Split: Ravens 3-3, Colts 4-2, Raiders 2-4, Giants 2-4, Commanders 2-4.
    let ensemble = entry(&spread["summaries"], "model", "ENSEMBLE");
    assert_fields(ensemble, &json!({ "total_games": 11, "wins": 6, "losses": 5, "home %": 0.6, "away %": 0.5 }));
}

/// The Texans lost to the Colts on the 12th and beat the Packers on the 22nd; their game of 18 January is open.
#[tokio::test]
async fn a_teams_form_has_its_games_and_the_next_date() {
    let site = Site::publishing(&["edge-cases"]);
    let table = [
        ("2025-01-14T12:00:00Z", json!("2025-01-18")),
        // Eastern midnight is 05:00 UTC in January: it is still the 18th.
        ("2025-01-19T04:59:00Z", json!("2025-01-18")),
        ("2025-01-19T05:00:00Z", Value::Null),
    ];
    for (as_of, next) in table {
        let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", as_of)]).await;
        let form = service.json_of("results/nfl/won_on_points/team-form").await;
        assert_fields(&form, &json!({ "current_season": "2024-25", "season_end": "2025-01-19", "last_n": 10 }));
        assert_fields(
            entry(&form["teams"], "team", "houston_texans"),
            &json!({
                "games": 2, "wins": 1, "losses": 1, "win_pct": 0.5, "last_10": [0, 1], "streak": "W1",
                "next_game_date": next
            }),
        );
        // A tie and a tie: no results at all for the Steelers and the Browns.
        assert!(form["teams"].as_array().expect("teams").iter().all(|entry| entry["team"] != "cleveland_browns"));
    }
}

/// The counts of the fixture's README; every forecast there is a backtest's.
#[tokio::test]
async fn tracking_counts_the_composition_of_the_record() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    let tracking = service.json_of("model-tracking/nfl/won_on_points").await;
    assert_fields(
        &tracking,
        &json!({
            "season": "2024-25", "archive_games": 20, "graded_games": 11,
            "ungraded": { "no_final": 2, "no_line": 2, "push": 2, "no_prediction": 3 },
            "forecast_source": { "live": 0, "walk_forward": 16, "none": 4 },
            "model_probability_source": { "recorded": 0, "walk_forward": 16, "reconstructed_oos": 0, "none": 4 },
            "first_forecast_at": null, "last_forecast_at": null
        }),
    );
}

/// The week before play, published on Saturday and again on Sunday: two games had started by then.
#[tokio::test]
async fn tracking_has_the_first_and_the_last_publication_of_a_forecast() {
    let site = Site::empty();
    for as_of in ["2024-01-06T15:00:00Z", "2024-01-07T17:30:00Z"] {
        let folder = Folder::copy_of("nfl-2023-week-18-slate").replace(
            "release.json",
            "2024-01-06T14:50:00Z\"}\n}",
            &format!("{as_of}\"}}\n}}"),
        );
        let _ = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", as_of]);
    }
    let service = site.app().await;
    let tracking = service.json_of("model-tracking/nfl/won_on_points").await;
    assert_fields(&tracking["forecast_source"], &json!({ "live": 16, "walk_forward": 0, "none": 0 }));
    let minute = |field: &str| tracking[field].as_str().expect("an instant")[..16].to_owned();
    assert_eq!([minute("first_forecast_at"), minute("last_forecast_at")], ["2024-01-06T15:00", "2024-01-07T17:30"]);
    let page = service.page("nfl/won_on_points?season=2023-24").await.json();
    let sunday = page["results"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|row| row["forecast_published_at"].as_str().is_some_and(|at| at.starts_with("2024-01-07")));
    assert_eq!(sunday.count(), 14);
}

/// BLEND on the moneyline of the edge cases: graded picks on 8, 12 to 26 September and 12 January.
#[tokio::test]
async fn a_curve_has_a_point_a_day_over_the_last_four_weeks() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18"]);
    let service = site.app().await;
    let rolling = service.json_of("results/nfl/won_on_points/rolling").await;
    assert_eq!(rolling["seasons"][0]["season"], "2024-25");
    let point = |date: &str, day: u32, games: u32, share: f64| json!({ "date": date, "day": day, "games": games, "win_pct": share });
    let expected = json!([
        point("2024-09-08", 0, 3, 1.0),
        point("2024-09-12", 4, 4, 0.75),
        point("2024-09-15", 7, 5, 0.8),
        point("2024-09-22", 14, 8, 0.875),
        point("2024-09-26", 18, 9, 0.888_889),
        point("2025-01-12", 126, 1, 1.0),
    ]);
    assert_eq!(rolling["seasons"][0]["models"]["BLEND"], expected);
    // The earlier season has two days: 1 of 2 by the first evening, 10 of 16 by the second.
    let history = json!([{ "day": 0, "seasons": 1, "win_pct": 0.5 }, { "day": 1, "seasons": 1, "win_pct": 0.625 }]);
    assert_eq!(rolling["historical_average"]["BLEND"], history);
}

/// BLEND against the market on the totals of week 18: 35 to 40, 40 to 45, and so on.
#[tokio::test]
async fn a_grid_puts_the_week_into_its_cells() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18"]);
    let service = site.app().await;
    let density = service.json_of("results/nfl/over_under/density").await;
    assert_eq!(
        (&density["current"]["seasons"], &density["previous"]["seasons"]),
        (&json!(["2024-25"]), &json!(["2023-24"]))
    );
    assert_eq!((&density["previous"]["games"], &density["bin_width"]), (&json!(16), &json!(0.05)));
    // Only the Commanders' total is below 40 percent by the blend, at even prices; it went over, and the pick lost.
    let lowest = json!({ "blend": 0.35, "implied": 0.5, "games": 1, "wins": 0, "positive": 1, "win_pct": 0.0 });
    assert_eq!(density["previous"]["cells"][0], lowest);
}
