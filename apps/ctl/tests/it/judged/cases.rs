//! Inputs that people of the trade really had, which are kept beside the real data.

use std::path::{Path, PathBuf};

use sports_testkit::programs::{TestFolder, real_data};

use crate::support::{Completed, run};

/// Returns the folder of a case.
fn case(name: &str) -> Option<PathBuf> {
    Some(real_data()?.parent()?.join("cases").join(name))
}

fn publish(place: &TestFolder, folder: &Path, options: &[&str]) -> Completed {
    run(place, [&["publish", folder.to_str().expect("text")], options].concat())
}

#[test]
fn exchanged_spreads_and_totals_of_an_archive_are_named_and_no_line() {
    let Some(case) = case("01-impossible-lines") else { return };
    let place = TestFolder::fresh();
    let out = place.path().join("release");
    let [map, archive] = ["map.toml", "archive.csv"].map(|name| case.join(name).display().to_string());
    let converted = run(
        &place,
        ["convert", "csv", "--map", &map, &archive, "--sport", "nfl", "--out", out.to_str().expect("text")],
    );
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let published = publish(&place, &out, &["--dry-run"]);
    assert_eq!(published.code, Some(0), "{published:?}");
    let named = |column: &str| {
        published.err.lines().any(|line| {
            line.contains(&format!("column {column}: no "))
                && ["at jacksonville", "at tampa_bay", "at atlanta"].iter().all(|home| line.contains(home))
        })
    };
    assert!(named("home_point_spread") && named("over_under"), "{}", published.err);
    assert!(published.out.contains("61 games, 0 times, 58 lines"), "{}", published.out);
}

#[test]
fn a_slate_without_minus_signs_is_refused_and_may_be_allowed() {
    let Some(case) = case("02-slate-without-minus-signs") else { return };
    let place = TestFolder::fresh();
    let at = ["--as-of", "2026-12-10T12:10:00Z"];
    let refused = publish(&place, &case.join("slate"), &at);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("were minus signs lost?; --allow vig"), "{}", refused.err);
    let allowed = publish(&place, &case.join("slate"), &[&at[..], &["--allow", "vig"]].concat());
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
}

#[test]
fn the_hint_for_an_instant_is_its_eastern_date_and_time() {
    let Some(case) = case("12-hint-with-the-utc-date") else { return };
    let place = TestFolder::fresh();
    let refused = publish(&place, &case.join("release"), &["--dry-run"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("(2024-09-08, with the start 20:20:00)"), "{}", refused.err);
    let [map, feed, out] =
        [case.join("map.toml"), case.join("feed.csv"), place.path().join("out")].map(|path| path.display().to_string());
    let refused = run(&place, ["convert", "csv", "--map", &map, &feed, "--sport", "nfl", "--out", &out]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("20:20 Eastern on 2024-09-08"), "{}", refused.err);
}

#[test]
fn spreads_of_the_other_sign_are_refused_by_the_finals_alone() {
    let Some(case) = case("05-spread-signs-without-money-lines") else { return };
    let refused = publish(&TestFolder::fresh(), &case.join("flipped"), &["--dry-run"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let said = "finals-against-spread: column home_point_spread: favourites covered in 54 of 260 games (20.8 %)";
    assert!(refused.err.contains(said), "{}", refused.err);
}

fn settle(place: &TestFolder, league: &str, finals: &Path, options: &[&str]) -> Completed {
    run(place, [&["settle", league, finals.to_str().expect("text")], options].concat())
}

/// Converts a file of a case, and returns the folder of the release with the outcome.
fn convert(place: &TestFolder, arguments: &[&str]) -> (PathBuf, Completed) {
    let out = place.path().join("converted");
    let completed = run(place, [&["convert"], arguments, &["--out", out.to_str().expect("text")]].concat());
    (out, completed)
}

/// Converts a sheet of sportsbookreviewsonline.
fn convert_sheet(place: &TestFolder, sheet: &Path, season: &[&str]) -> (PathBuf, Completed) {
    let file = ["csv", "--preset", "sportsbookreviewsonline", sheet.to_str().expect("text")];
    convert(place, &[&file[..], season].concat())
}

#[test]
fn a_score_beside_a_word_of_a_game_that_is_not_over_is_no_final() {
    let Some(case) = case("03-word-beside-a-score") else { return };
    let place = TestFolder::fresh();
    let history = publish(&place, &case.join("hist"), &[]);
    assert_eq!(history.code, Some(0), "{history:?}");
    assert!(history.err.contains("0-0"), "{}", history.err);
    let live = publish(&place, &case.join("live"), &[]);
    assert_eq!(live.code, Some(0), "{live:?}");
    let refused = settle(&place, "nba", &case.join("scores-during-play.csv"), &[]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in ["45-50 (away-home), `in progress`", "0-0 (away-home), `scheduled`"] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
}

#[test]
fn a_sheet_with_the_newest_game_first_has_the_years_of_its_season() {
    let Some(case) = case("06-years-of-dates") else { return };
    let place = TestFolder::fresh();
    let season = ["--sport", "nba", "--season", "2018-19", "--postseason-from", "2019-04-13"];
    let (out, converted) = convert_sheet(&place, &case.join("newest-first.csv"), &season);
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let games = std::fs::read_to_string(out.join("games/2018-19.csv")).expect("games");
    for date in ["2018-12-30", "2018-12-31", "2019-01-01", "2019-01-02"] {
        assert!(games.contains(date), "{date}: {games}");
    }
    assert!(!games.contains("postseason"), "{games}");
}

#[test]
fn a_level_final_of_hockey_is_refused_in_history_and_at_settle() {
    let Some(case) = case("07-ties-that-cannot-be") else { return };
    let place = TestFolder::fresh();
    let history = publish(&place, &case.join("nhl"), &["--dry-run"]);
    let open = publish(&place, &case.join("open"), &[]);
    assert_eq!((history.code, open.code), (Some(2), Some(0)), "{history:?} {open:?}");
    let refused = settle(&place, "nhl", &case.join("finals.csv"), &[]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for said in [&history.err, &refused.err] {
        assert!(said.contains("2-2") && said.contains("overtime"), "{said}");
    }
}

#[test]
fn a_club_is_the_home_team_of_one_game_of_a_day_each() {
    let Some(case) = case("11-home-team-of-both-games") else { return };
    let place = TestFolder::fresh();
    let season = ["--sport", "mlb", "--season", "2020", "--postseason-from", "none"];
    let (out, converted) = convert_sheet(&place, &case.join("sheet.csv"), &season);
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let published = publish(&place, &out, &[]);
    assert_eq!(published.code, Some(0), "{published:?}");
    let games = run(&place, ["games", "mlb", "--season", "2020"]);
    for game in ["game 1", "game 2", "1-0 (away-home)", "1-2 (away-home)"] {
        assert!(games.out.contains(game), "{game}: {}", games.out);
    }
}

#[test]
fn each_value_of_a_group_of_problems_is_named() {
    let Some(case) = case("13-all-values-of-a-group") else { return };
    let place = TestFolder::fresh();
    let [map, odds_map, table, odds] =
        ["map.toml", "odds.toml", "spread.csv", "odds.csv"].map(|name| case.join(name).display().to_string());
    let (_, names) = convert(&place, &["csv", "--map", &map, &table, "--sport", "nfl"]);
    let at = ["--as-of", "2026-05-06T00:00:00Z"];
    let (_, prices) = convert(&place, &[&["csv", "--map", &odds_map, &odds, "--sport", "mlb"], &at[..]].concat());
    assert_eq!((names.code, prices.code), (Some(2), Some(2)));
    let clubs =
        ["Baltimore Colts", "St. Louis Cardinals", "Los Angeles Raiders", "Phoenix Cardinals", "Boston Patriots"];
    for club in clubs {
        assert!(names.err.contains(club), "{club}: {}", names.err);
    }
    for value in ["4/5", "EvensF", "-110", "-125"] {
        assert!(prices.err.contains(value), "{value}: {}", prices.err);
    }
}

#[test]
fn scores_of_the_odds_api_are_finals_of_completed_games() {
    let Some(case) = case("16-the-odds-api-scores") else { return };
    let place = TestFolder::fresh();
    let [scores, out] =
        [case.join("scores.json"), place.path().join("finals.csv")].map(|path| path.display().to_string());
    let converted = run(&place, ["convert", "the-odds-api", "--scores", &scores, "--sport", "nba", "--out", &out]);
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let finals = std::fs::read_to_string(&out).expect("finals");
    assert_eq!(finals.lines().count(), 2, "{finals}");
    assert!(finals.contains("2024-01-10") && finals.contains("110") && finals.contains("99"), "{finals}");
}

#[test]
fn a_first_slate_in_universal_time_is_refused_with_the_eastern_start() {
    let Some(case) = case("23-slate-of-utc-starts") else { return };
    let refused = publish(&TestFolder::fresh(), &case.join("slate"), &["--as-of", "2026-12-10T12:10:00Z"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("2026-12-10 19:10 Eastern"), "{}", refused.err);
}

#[test]
fn a_forecast_during_the_second_game_of_a_day_is_none() {
    let Some(case) = case("08-placeholder-starts") else { return };
    let place = TestFolder::fresh();
    let [map, schedule] = ["map.toml", "schedule.csv"].map(|name| case.join(name).display().to_string());
    let morning = ["--as-of", "2026-08-07T13:10:00Z"];
    let run_named =
        ["--run-id", "morning", "--run-started", "2026-08-07T13:00:00Z", "--run-completed", "2026-08-07T13:05:00Z"];
    let file = ["csv", "--map", &map, &schedule, "--sport", "mlb", "--slate"];
    let (out, converted) = convert(&place, &[&file[..], &run_named, &morning].concat());
    assert_eq!(converted.code, Some(0), "{converted:?}");
    let first = publish(&place, &out, &morning);
    assert_eq!(first.code, Some(0), "{first:?}");
    let predictions = out.join("predictions/won_on_points.csv");
    let text = std::fs::read_to_string(&predictions).expect("predictions");
    std::fs::write(&predictions, text.replace("0.54", "0.97")).expect("written");
    let evening = publish(&place, &out, &["--as-of", "2026-08-07T22:00:00Z"]);
    assert!(matches!(evening.code, Some(0 | 2)), "{evening:?}");
    let games = run(&place, ["--json", "games", "mlb", "--season", "2026", "--as-of", "2026-08-07T22:10:00Z"]);
    let games: serde_json::Value = serde_json::from_str(&games.out).expect("JSON");
    for game in games["games"].as_array().expect("a list") {
        let id = game["game_id"].as_str().expect("an id");
        let history = run(&place, ["history", "won_on_points", "mlb", id, "--as-of", "2026-08-07T22:10:00Z"]);
        let standing: Vec<_> = history.out.lines().filter(|line| line.contains("standing")).collect();
        assert!(!standing.iter().any(|line| line.contains("0.97")), "{}", history.out);
    }
}
