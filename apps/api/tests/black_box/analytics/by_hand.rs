//! Figures a person can redo with the fixtures' files and a pencil. How each is worked out stands in
//! docs/analytics.md and in the fixtures' READMEs.

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::service::{Service, Site};

async fn asked(service: &Service, path: &str) -> Value {
    let answer = service.get(&format!("/api/v1/{path}")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

/// The entry of a list whose `field` is `name`.
fn entry<'a>(list: &'a Value, field: &str, name: &str) -> &'a Value {
    list.as_array().expect("a list").iter().find(|entry| entry[field] == name).expect(name)
}

/// Every field that `expected` has.
fn assert_says(told: &Value, expected: &Value) {
    for (field, value) in expected.as_object().expect("an object") {
        assert_eq!(told[field], *value, "{field} of {told}");
    }
}

/// The picks stand in the README of the week, side by side with what became of them.
#[tokio::test]
async fn a_summary_counts_the_picks_of_the_week() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
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
        // 7 home picks won 3, 9 away picks won 4; the returns are worked out in docs/analytics.md.
        (
            "won_on_spread",
            json!({ "total_games": 16, "wins": 7, "losses": 9, "home %": 0.428_571, "away %": 0.444_444,
            "ev roi": -0.288_752, "ev roi season": -0.288_752, "bt bets": 7, "bt units": -1.184_509 }),
        ),
    ];
    for (model_type, expected) in blend {
        let summary = asked(&service, &format!("summary/nfl/{model_type}")).await;
        assert_eq!((&summary["sport"], &summary["season"]), (&json!("nfl"), &json!("2023-24")));
        assert_says(entry(&summary["summaries"], "model", "BLEND"), &expected);
    }
    let summary = asked(&service, "summary/nfl/over_under").await;
    // Even prices in seven games: no pick there.
    assert_says(entry(&summary["summaries"], "model", "IMPLIED"), &json!({ "total_games": 9, "wins": 2, "losses": 7 }));
    let ensemble = entry(&summary["summaries"], "model", "ENSEMBLE");
    assert_says(ensemble, &json!({ "ev roi": null, "ev roi 1W": null, "bt bets": 0, "bt units": 0.0 }));
    let models: Vec<_> =
        summary["summaries"].as_array().expect("entries").iter().map(|entry| &entry["model"]).collect();
    assert_eq!(models, ["IMPLIED", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ENSEMBLE"]);
    assert!(ensemble.get("home %").is_none() && ensemble.get("over %").is_some());
}

/// 9-1 in all, and one win in the last week and the last four.
#[tokio::test]
async fn windows_end_on_the_day_of_the_latest_decided_game() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.serve().await;
    let summary = asked(&service, "summary/nfl/won_on_points").await;
    let expected = json!({ "total_games": 10, "wins": 9, "losses": 1, "win %": 0.9, "win % 4W": 1.0, "home % 4W": 1.0, "home % 1W": 1.0, "away % 1W": null });
    assert_says(entry(&summary["summaries"], "model", "BLEND"), &expected);
}

/// Counted in the probabilities files; W and L are the README's verdicts.
#[tokio::test]
async fn the_ensemble_picks_where_five_of_six_agree() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let summary = asked(&service, "summary/nfl/won_on_points").await;
    // All six agree everywhere but at the Colts, where XT alone takes the home side: the blend's record.
    let told = entry(&summary["summaries"], "model", "ENSEMBLE");
    assert_says(told, &json!({ "total_games": 16, "wins": 10, "losses": 6 }));
    let spread = asked(&service, "summary/nfl/won_on_spread").await;
    // Home: Panthers L; Patriots, Saints, Titans and Packers with five each: L, W, W, W.
    // Away: Bengals L, Lions L, Cardinals L, Chargers W, 49ers W, Dolphins W.
    // Split: Ravens 3-3, Colts 4-2, Raiders 2-4, Giants 2-4, Commanders 2-4.
    let told = entry(&spread["summaries"], "model", "ENSEMBLE");
    assert_says(told, &json!({ "total_games": 11, "wins": 6, "losses": 5, "home %": 0.6, "away %": 0.5 }));
}

/// Eight home teams gave more points at the close than at the opener, or were given fewer. Five covered, at
/// −105, +102, −118, −102 and −108: 0.952381 + 1.02 + 0.847458 + 0.980392 + 0.925926 − 3 = 1.726157.
#[tokio::test]
async fn following_the_line_home_is_five_and_three() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let replay = asked(&service, "strategies/nfl/won_on_spread/follow_line_home/replay").await;
    let told: Vec<_> = replay["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            (
                row["home_team"].as_str().expect("a team"),
                row["line"].as_f64().expect("points"),
                row["price"].as_i64().expect("a price"),
                row["outcome"].as_str().expect("a word"),
            )
        })
        .collect();
    let expected = [
        ("cincinnati_bengals", -7.5, -105, "win"),
        ("new_england_patriots", -2.5, -108, "loss"),
        ("green_bay_packers", -2.5, -118, "win"),
        ("las_vegas_raiders", -3.5, -102, "win"),
        ("los_angeles_chargers", -3.5, -105, "loss"),
        ("san_francisco_49ers", -5.5, -112, "loss"),
        ("new_york_giants", 4.5, -108, "win"),
        ("arizona_cardinals", 2.5, 102, "win"),
    ];
    assert_eq!(told, expected);
    let recorded = json!({
        "id": "follow_line_home", "signal": "Line", "rank": null, "ranked": false, "record": "5-3-0",
        "wins": 5, "losses": 3,
        "pushes": 0, "n": 8, "stakes": 8, "win_pct": 62.5, "roi": 21.58, "profit_units": 1.726_157,
        "exclusions": { "missing_price": 0, "unverified_finality": 0 }
    });
    assert_says(&replay["strategy"], &recorded);
    assert_eq!((&replay["accounting"], &replay["price_basis"]), (&json!("recorded_v2"), &json!("recorded")));
    // At −110 throughout: (5 · 100/110 − 3) / 8 = 19.32 percent.
    let legacy = asked(&service, "strategies/nfl/won_on_spread").await;
    assert_eq!((&legacy["accounting"], &legacy["price_basis"]), (&json!("legacy_v1"), &json!("flat_-110")));
    assert_eq!((&legacy["market"], &legacy["min_sample"]), (&json!("spread"), &json!(30)));
    let told = entry(&legacy["strategies"], "id", "follow_line_home");
    assert_says(told, &json!({ "record": "5-3", "roi": 19.32, "win_pct": 62.5, "n": 8 }));
    assert!(told.get("stakes").is_none() && told.get("exclusions").is_none());
}

/// Twelve home prices that imply more at the close than at the opener: six won, at −360, −205, −175, −148, −175
/// and +190.
#[tokio::test]
async fn following_the_price_home_costs_an_eighth() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    for accounting in ["legacy_v1", "recorded_v2"] {
        let path = format!("strategies/nfl/won_on_points/follow_line_home/replay?accounting={accounting}");
        let replay = asked(&service, &path).await;
        assert_eq!(replay["price_basis"], if accounting == "legacy_v1" { "recorded_moneyline" } else { "recorded" });
        assert_says(&replay["strategy"], &json!({ "wins": 6, "losses": 6, "n": 12, "win_pct": 50.0, "roi": -12.63 }));
        let total = replay["rows"].as_array().expect("rows").last().expect("a row")["total"].clone();
        assert_eq!(total, -1.515_885, "{accounting}");
    }
}

/// The Bengals' line moved to them, BLEND was below the market, and they covered at −105.
#[tokio::test]
async fn a_game_is_bet_by_the_strategies_whose_signals_agree() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve().await;
    let leaderboard = asked(&service, "strategies/nfl/won_on_spread").await;
    let mut bets = Vec::new();
    for strategy in leaderboard["strategies"].as_array().expect("strategies") {
        let id = strategy["id"].as_str().expect("an id");
        let replay = asked(&service, &format!("strategies/nfl/won_on_spread/{id}/replay")).await;
        let rows = replay["rows"].as_array().expect("rows").clone();
        let bengals = rows.into_iter().find(|row| row["home_team"] == "cincinnati_bengals");
        bets.extend(bengals.map(|row| (id.to_owned(), row["profit"].as_f64().expect("units"))));
    }
    bets.sort_by(|one, other| one.0.cmp(&other.0));
    let expected = [
        ("fade_edge_home", 0.952_381),
        ("fade_line_away", -1.0),
        ("fade_line_follow_edge_away", -1.0),
        ("follow_edge_away", -1.0),
        ("follow_line_fade_edge_home", 0.952_381),
        ("follow_line_home", 0.952_381),
    ];
    assert_eq!(bets, expected.map(|(id, profit)| (id.to_owned(), profit)));
}

/// Totals that went down: lines 3, 5, 7, 9, 11, 16, 18, 19 and 20 of the file. Two pushes (3 and 7), two unders
/// (16 at −110, 20 at −115), four overs, and line 9 has no price on the under.
#[tokio::test]
async fn pushes_and_missing_prices_part_the_two_ways_of_accounting() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.serve().await;
    let path = "strategies/nfl/over_under/follow_line_under/replay?include_excluded=true";
    let recorded = asked(&service, path).await;
    assert_says(
        &recorded["strategy"],
        &json!({
            "record": "2-4-2", "pushes": 2, "n": 6, "stakes": 8, "win_pct": 33.33, "roi": -27.77,
            "profit_units": -2.221_344,
            "exclusions": { "missing_price": 1, "unverified_finality": 0 }
        }),
    );
    assert_eq!(
        recorded["excluded_rows"],
        json!([{
            "date": "2024-09-15", "time_est": "13:00:00", "away_team": "las_vegas_raiders",
            "home_team": "denver_broncos",
            "side": "under", "line": 36.5, "price": null, "reason": "missing_price"
        }])
    );
    let first = &recorded["rows"][0];
    assert_says(
        first,
        &json!({
            "home_team": "miami_dolphins", "outcome": "push", "won": null, "profit": 0.0, "total": 0.0, "stake": 1
        }),
    );
    // Flat −110 needs no price, and pushes are no bets: (3 · 100/110 − 4) / 7.
    let legacy = asked(&service, &format!("{path}&accounting=legacy_v1")).await;
    assert_says(&legacy["strategy"], &json!({ "record": "3-4", "n": 7, "win_pct": 42.86, "roi": -18.18 }));
    let hidden = asked(&service, "strategies/nfl/over_under/follow_line_under/replay").await;
    assert_eq!((&hidden["excluded_rows"], &hidden["rows"]), (&json!([]), &recorded["rows"]));
}

/// The stadium column taken for the settlement status: whatever was played at Invented Field is not settled.
#[tokio::test]
async fn a_final_that_nobody_verified_is_an_exclusion_under_recorded_accounting() {
    let site = Site::empty();
    site.publish(
        Folder::copy_of("edge-cases")
            .replace("games/2024-25.csv", "open_over_under,stadium", "open_over_under,settlement_status")
            .path(),
    );
    let service = site.serve().await;
    let path = "strategies/nfl/over_under/follow_line_under/replay?include_excluded=true";
    let recorded = asked(&service, path).await;
    // Line 3, a push, and line 5, a loss, are not settled.
    assert_says(
        &recorded["strategy"],
        &json!({
            "record": "2-3-1", "stakes": 6, "exclusions": { "missing_price": 1, "unverified_finality": 2 }
        }),
    );
    let reasons: Vec<_> =
        recorded["excluded_rows"].as_array().expect("rows").iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, ["unverified_finality", "unverified_finality", "missing_price"]);
    let legacy = asked(&service, &format!("{path}&accounting=legacy_v1")).await;
    assert_says(&legacy["strategy"], &json!({ "record": "3-4" }));
}

/// The Texans lost to the Colts on the 12th and beat the Packers on the 22nd; their game of 18 January is open.
#[tokio::test]
async fn a_teams_form_tells_its_games_and_the_next() {
    let site = Site::publishing(&["edge-cases"]);
    let table = [
        ("2025-01-14T12:00:00Z", json!("2025-01-18")),
        // Eastern midnight is 05:00 UTC in January: it is still the 18th.
        ("2025-01-19T04:59:00Z", json!("2025-01-18")),
        ("2025-01-19T05:00:00Z", Value::Null),
    ];
    for (as_of, next) in table {
        let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", as_of)]).await;
        let form = asked(&service, "results/nfl/won_on_points/team-form").await;
        assert_says(&form, &json!({ "current_season": "2024-25", "season_end": "2025-01-19", "last_n": 10 }));
        assert_says(
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
async fn tracking_tells_what_the_record_is_made_of() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.serve().await;
    let told = asked(&service, "model-tracking/nfl/won_on_points").await;
    assert_says(
        &told,
        &json!({
            "season": "2024-25", "archive_games": 20, "graded_games": 11,
            "ungraded": { "no_final": 2, "no_line": 2, "push": 2, "no_prediction": 3 },
            "forecast_source": { "live": 0, "walk_forward": 16, "none": 4 },
            "model_probability_source": { "recorded": 0, "walk_forward": 16, "reconstructed_oos": 0, "none": 4 },
            "first_forecast_at": null, "last_forecast_at": null
        }),
    );
}

/// The week as it was before play, published on Saturday and once more on Sunday: two games had started by then.
#[tokio::test]
async fn tracking_tells_when_the_first_and_the_last_forecast_were_published() {
    let site = Site::empty();
    for as_of in ["2024-01-06T15:00:00Z", "2024-01-07T17:30:00Z"] {
        let folder = Folder::copy_of("nfl-2023-week-18-slate").replace(
            "release.json",
            "2024-01-06T14:50:00Z\"}\n}",
            &format!("{as_of}\"}}\n}}"),
        );
        let _ = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", as_of]);
    }
    let service = site.serve().await;
    let told = asked(&service, "model-tracking/nfl/won_on_points").await;
    assert_says(&told["forecast_source"], &json!({ "live": 16, "walk_forward": 0, "none": 0 }));
    let minute = |field: &str| told[field].as_str().expect("an instant")[..16].to_owned();
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
async fn a_curve_has_a_point_a_day_and_four_weeks_behind_it() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18"]);
    let service = site.serve().await;
    let rolling = asked(&service, "results/nfl/won_on_points/rolling").await;
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
    // Of the earlier season there are two days: 1 of 2 by the first evening, 10 of 16 by the second.
    let history = json!([{ "day": 0, "seasons": 1, "win_pct": 0.5 }, { "day": 1, "seasons": 1, "win_pct": 0.625 }]);
    assert_eq!(rolling["historical_average"]["BLEND"], history);
}

/// BLEND against the market on the totals of week 18: 35 to 40, 40 to 45, and so on.
#[tokio::test]
async fn a_grid_puts_the_week_into_its_cells() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18"]);
    let service = site.serve().await;
    let density = asked(&service, "results/nfl/over_under/density").await;
    assert_eq!(
        (&density["current"]["seasons"], &density["previous"]["seasons"]),
        (&json!(["2024-25"]), &json!(["2023-24"]))
    );
    assert_eq!((&density["previous"]["games"], &density["bin_width"]), (&json!(16), &json!(0.05)));
    // Only the Commanders' total is below 40 percent by the blend, at even prices; it went over, and the pick lost.
    let lowest = json!({ "blend": 0.35, "implied": 0.5, "games": 1, "wins": 0, "positive": 1, "win_pct": 0.0 });
    assert_eq!(density["previous"]["cells"][0], lowest);
}
