//! A season as it was known before play, compared with the predictions and the odds as of each row's instant.

use std::fs;

use serde_json::{Value, json};

use crate::application::clv::Season;
use crate::service::{Answer, Service, Site};

const PATH: &str = "/api/v1/predictions/nfl/won_on_spread/season?season=2023-24";

/// Returns the rows, and the number of games that were not known yet.
async fn rows(service: &Service, query: &str) -> (Vec<Value>, String) {
    let answer = service.get(&format!("{PATH}&format=ndjson{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let rows = answer.text().lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    (rows, answer.header("x-games-unknown").expect("a number").to_owned())
}

/// Asserts that a row is the answers of predictions and odds as of its instant.
async fn assert_row(service: &Service, row: &Value) {
    let at = row["known_at"].as_str().expect("an instant");
    let then = service.get(&format!("/api/v1/predictions/nfl/won_on_spread?as_of={at}&upcoming_only=false")).await;
    assert_eq!(then.header("x-generation"), Some(&*row["generation"].to_string()), "{row}");
    let page = then.json();
    assert_eq!(page["predictions_date"], row["predictions_published_at"], "{row}");
    let of_game = |page: &Value| {
        let games = page["games"].as_array().expect("games").clone();
        games.into_iter().find(|game| game["game_id"] == row["game_id"])
    };
    let game = of_game(&page).expect("the game");
    let same = [("date", "date"), ("time", "time_est"), ("away_team", "away_team"), ("home_team", "home_team")];
    let lines = ["home_point_spread", "away_point_spread", "home_point_spread_line", "away_point_spread_line"];
    let openers = ["open_home_point_spread", "open_away_point_spread"];
    let lines = lines.into_iter().chain(openers).map(|name| (name, name));
    for (there, here) in same.into_iter().chain(lines) {
        assert_eq!(game[there], row[here], "{here} of {row}");
    }
    for model in ["BLEND", "XGB", "IMPLIED"] {
        assert_eq!(game["predictions"].get(model).unwrap_or(&Value::Null), &row[model], "{model} of {row}");
    }
    let odds = service.get(&format!("/api/v1/odds/nfl?as_of={at}")).await.json();
    let quoted = of_game(&odds).unwrap_or(Value::Null);
    let fields = ["home_point_spread", "away_point_spread", "home_point_spread_line", "away_point_spread_line"];
    for name in
        fields.into_iter().chain(["home_money_line", "away_money_line", "over_under", "over_line", "under_line"])
    {
        assert_eq!(quoted[name], row[&*format!("odds_{name}")], "odds_{name} of {row}");
    }
}

#[tokio::test]
async fn a_row_is_the_answer_of_predictions_and_odds_as_of_its_instant() {
    let season = Season::new();
    let service = season.site.app().await;
    for (query, known, unknown) in [("&hours_before=0.75", 11, "0"), ("", 11, "0"), ("&hours_before=168", 1, "10")] {
        let (rows, missing) = rows(&service, query).await;
        assert_eq!((rows.len(), &*missing), (known, unknown), "{query}");
        for row in &rows {
            assert_row(&service, row).await;
        }
    }
    // The forecast of D changed half an hour before its start.
    let of_d = async |query: &str| {
        let (rows, _) = rows(&service, query).await;
        rows.into_iter().find(|row| row["home_team"] == "detroit_lions").expect("the game")["BLEND"].clone()
    };
    assert_eq!([of_d("&hours_before=0.75").await, of_d("&hours_before=0.25").await], [0.6, 0.62]);
}

#[tokio::test]
async fn a_row_keeps_an_own_model_that_the_last_release_before_play_left_out() {
    let site = Site::on_one_machine();
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("predictions")).expect("a folder");
    for (at, model, cell) in [("2024-01-07T08:00:00Z", ",ELO", ",0.7"), ("2024-01-07T12:00:00Z", "", "")] {
        let run = json!({ "id": at, "started_at": at, "completed_at": at });
        let manifest = json!({
            "sport": "nfl", "season": "2023-24", "slate_date": "2024-01-07", "run": run, "models": { "ELO": {} },
        });
        fs::write(folder.path().join("release.json"), manifest.to_string()).expect("written");
        let table = format!(
            "date,time,away_team,home_team,home_point_spread,BLEND{model}\n\
             2024-01-07,13:00:00,buffalo_bills,miami_dolphins,-3,0.6{cell}\n"
        );
        fs::write(folder.path().join("predictions/won_on_spread.csv"), table).expect("written");
        let printed = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", at]);
        assert!(printed.contains("published: "), "{printed}");
    }
    let service = site.app().await;
    let elo = async |hours: &str| rows(&service, &format!("&hours_before={hours}")).await.0[0].get("ELO").cloned();
    assert_eq!([elo("6").await, elo("1").await], [Some(json!(0.7)), None]);
}

#[tokio::test]
async fn a_final_changes_no_byte_unless_finals_are_requested() {
    let season = Season::new();
    let service = season.site.app().await;
    let forms = ["parquet", "csv", "ndjson"].map(|form| format!("{PATH}&format={form}"));
    let mut before = Vec::new();
    for path in &forms {
        before.push(service.get(path).await.body);
    }
    season.settle("A", "10,24,settled", "2024-01-20T12:00:00Z");
    let newest = (Season::RELEASES + 1).to_string();
    service.until("/api/v1/odds/nfl", |answer| answer.header("x-generation") == Some(&*newest)).await;
    for (path, before) in forms.iter().zip(before) {
        let after = service.get(path).await;
        assert!(after.body == before, "{path}");
    }
    let (rows, _) = rows(&service, "&finals=true").await;
    let of = |home: &str| rows.iter().find(|row| row["home_team"] == home).expect("the game");
    let labels = |row: &Value| ["away_score", "home_score", "push", "won_on_spread"].map(|name| row[name].clone());
    assert_eq!(json!(labels(of("miami_dolphins"))), json!([10, 24, false, 1]));
    assert!(labels(of("detroit_lions")).iter().all(Value::is_null));
}

#[tokio::test]
async fn the_command_writes_the_same_table_from_the_store_alone() {
    let season = Season::new();
    let service = season.site.app().await;
    let file = |name: &str| season.site.place.path().join(name).to_str().expect("text").to_owned();
    let arguments = |out: &str| {
        let known = ["known", "nfl", "won_on_spread", "2023-24", "--hours-before", "6", "--finals", "--out", out];
        known.map(str::to_owned)
    };
    for form in ["csv", "parquet"] {
        let out = file(&format!("known.{form}"));
        let printed = season.site.place.ctl(arguments(&out));
        assert!(printed.contains("11 games of 2023-24 as known 6 hours before play"), "{printed}");
        let served = service.get(&format!("{PATH}&finals=true&format={form}")).await;
        assert!(fs::read(&out).expect("a file") == served.body, "{form}");
        let again = season.site.place.sportsctl(arguments(&out)).output().expect("it runs");
        assert_eq!(again.status.code(), Some(2), "an existing file is refused");
    }
    for [hours, season_label, out] in
        [["-1", "2023-24", "a.csv"], ["6", "2022-23", "b.csv"], ["6", "2023", "c.csv"], ["6", "2023-24", "d.xlsx"]]
    {
        let out = file(out);
        let refused = ["known", "nfl", "won_on_spread", season_label, "--hours-before", hours, "--out", &out];
        let refused = season.site.place.sportsctl(refused).output().expect("it runs");
        assert_eq!(refused.status.code(), Some(2), "{hours} {season_label} {out}");
        assert!(!fs::exists(&out).expect("a folder"), "{out}");
    }
}

#[tokio::test]
async fn a_part_of_the_table_is_cut_from_the_same_bytes() {
    let season = Season::new();
    let service = season.site.app().await;
    let whole = service.get(PATH).await;
    assert_eq!(whole.header("content-type"), Some("application/vnd.apache.parquet"));
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    let part = Answer::to(service.keyed(PATH).header("Range", "bytes=4-99")).await;
    assert_eq!((part.status, &part.body[..]), (206, &whole.body[4..100]));
}
