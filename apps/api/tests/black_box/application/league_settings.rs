//! The markets and days of a league, from `release.json` to the data status, the slate and `sportsctl status`.

use std::fs;

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::service::{Service, Site};

const MONEYLINE: &str = "won_on_points";
const ALL: [&str; 3] = ["over_under", MONEYLINE, "won_on_spread"];
const STATUS: &str = "/api/v1/data-status/nba";

/// Publishes a slate of one game at 19:00 with these markets, fields of `release.json` and moneylines; returns the exit code, and
/// what is printed on both streams.
fn publish(site: &Site, date: &str, markets: &[&str], fields: &str, prices: [i32; 2]) -> (Option<i32>, String) {
    let folder = site.place.path().join("slate");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("predictions")).expect("a folder");
    let run = format!(r#""run":{{"id":"daily","started_at":"{date}T14:30:00Z","completed_at":"{date}T14:40:00Z"}}"#);
    let manifest = format!(r#"{{"sport":"nba","season":"2025-26","slate_date":"{date}",{run}{fields}}}"#);
    fs::write(folder.join("release.json"), manifest).expect("written");
    fs::write(folder.join("odds.csv"), odds(date, prices)).expect("written");
    for market in markets {
        let text = format!("date,time,away_team,home_team,BLEND\n{date},19:00:00,Boston Celtics,Phoenix Suns,0.55\n");
        fs::write(folder.join(format!("predictions/{market}.csv")), text).expect("written");
    }
    run_ctl(site, &["publish", folder.to_str().expect("text"), "--as-of", &format!("{date}T14:50:00Z")])
}

fn odds(date: &str, [home, away]: [i32; 2]) -> String {
    let head = "date,time,away_team,home_team,over_under,over_line,under_line,home_money_line,away_money_line,\
                home_point_spread,away_point_spread,home_point_spread_line,away_point_spread_line";
    format!("{head}\n{date},19:00:00,Boston Celtics,Phoenix Suns,221.5,-110,-110,{home},{away},-1.5,1.5,-110,-110\n")
}

fn run_ctl(site: &Site, arguments: &[&str]) -> (Option<i32>, String) {
    let done = site.place.sportsctl(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (done.status.code(), text(done.stdout) + &text(done.stderr))
}

/// Publishes a slate with moneylines of -120 and +100, and asserts that it is published.
fn published(site: &Site, date: &str, markets: &[&str], fields: &str) -> String {
    let (code, printed) = publish(site, date, markets, fields, [-120, 100]);
    assert_eq!(code, Some(0), "{printed}");
    printed
}

/// Settles the game of a date on the next morning.
fn settle(site: &Site, date: &str) {
    let finals = site.place.path().join("finals.csv");
    let head = "date,time_est,away_team,home_team,away_score,home_score";
    fs::write(&finals, format!("{head}\n{date},19:00:00,Boston Celtics,Phoenix Suns,101,99\n")).expect("written");
    let next = date.parse::<NaiveDate>().expect("a date").succ_opt().expect("a date");
    let (code, printed) =
        run_ctl(site, &["settle", "nba", finals.to_str().expect("text"), "--as-of", &format!("{next}T12:00:00Z")]);
    assert_eq!(code, Some(0), "{printed}");
}

async fn at(site: &Site, now: &str) -> Service {
    site.app_with(&[("SPORTS_CLOCK__AS_OF", now)]).await
}

/// Returns status, operation, reason and the expected markets of an answer.
fn judged(status: &Value) -> Value {
    let expected = ALL.iter().filter(|market| status["markets"][market].get("expected") != Some(&json!(false)));
    json!([status["status"], status["operational"], status["degradation_reason"], expected.collect::<Vec<_>>()])
}

fn fresh(markets: &[&str]) -> Value {
    json!(["fresh", true, null, markets])
}

#[tokio::test]
async fn a_publisher_of_moneylines_alone_is_fresh() {
    let site = Site::empty();
    for date in ["2025-12-09", "2025-12-10"] {
        let printed = published(&site, date, &[MONEYLINE], "");
        assert!(!printed.contains("warning: no predictions of"), "{printed}");
        if date == "2025-12-09" {
            settle(&site, date);
        }
    }
    let (_, printed) = run_ctl(&site, &["status", "nba", "--as-of", "2025-12-10T16:00:00Z"]);
    for line in ["nba: fresh", "  over_under: no market of the league", "  won_on_points: fresh"] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
    assert!(!printed.contains("publish today's slate"), "{printed}");
    let service = at(&site, "2025-12-10T14:55:00Z").await;
    let status = service.get(STATUS).await.json();
    assert_eq!(judged(&status), fresh(&[MONEYLINE]));
    assert_eq!(status["markets"].as_object().expect("an object").keys().collect::<Vec<_>>(), ALL);
    drop(service);
    let stale = at(&site, "2025-12-11T15:16:00Z").await.get(STATUS).await.json();
    assert_eq!(judged(&stale), json!(["stale", false, "daily_output_stale", [MONEYLINE]]));
}

#[tokio::test]
async fn a_missing_market_is_warned_of_once_and_the_printed_line_settles_it() {
    let site = Site::empty();
    assert!(!published(&site, "2025-12-08", &ALL, "").contains("warning: no predictions of"));
    settle(&site, "2025-12-08");
    let printed = published(&site, "2025-12-09", &[MONEYLINE], "");
    let warning = "no predictions of over_under, won_on_spread, of which the slate of 2025-12-08 had some";
    let line = r#""markets": ["won_on_points"]"#;
    assert!(printed.contains(warning) && printed.contains(line), "{printed}");
    settle(&site, "2025-12-09");
    let printed = published(&site, "2025-12-10", &[MONEYLINE], "");
    assert!(!printed.contains("no predictions of"), "{printed}");
    let missing = json!(["partial", false, "daily_output_stale", ALL]);
    assert_eq!(judged(&at(&site, "2025-12-10T15:16:00Z").await.get(STATUS).await.json()), missing);

    settle(&site, "2025-12-10");
    let printed = published(&site, "2025-12-11", &[MONEYLINE], &format!(",{line}"));
    assert!(
        printed.contains("league: markets won_on_points; slate days every day; predictions depend on odds"),
        "{printed}"
    );
    let service = at(&site, "2025-12-11T15:16:00Z").await;
    assert_eq!(judged(&service.get(STATUS).await.json()), fresh(&[MONEYLINE]));
    // An earlier moment has the settings of its time.
    let before = format!("{STATUS}?as_of=2025-12-10T15:16:00Z");
    assert_eq!(judged(&service.get(&before).await.json()), missing);
    assert_eq!(judged(&service.get(&format!("{STATUS}?generation=7")).await.json()), fresh(&[MONEYLINE]));

    drop(service);

    settle(&site, "2025-12-11");
    let (code, refused) = publish(&site, "2025-12-12", &[MONEYLINE, "over_under"], "", [-120, 100]);
    let expected = "predictions/over_under: expected no such file: `markets` of nba names won_on_points; to publish over_under, add \
                    it to `markets` in release.json";
    assert!(code == Some(2) && refused.contains(expected), "{code:?} {refused}");
    // Another list, or none, takes it.
    let both = r#","markets": ["over_under", "won_on_points"]"#;
    let _ = published(&site, "2025-12-12", &[MONEYLINE, "over_under"], both);
    let status = at(&site, "2025-12-12T15:16:00Z").await.get(STATUS).await.json();
    assert_eq!(judged(&status), fresh(&["over_under", MONEYLINE]));
    settle(&site, "2025-12-12");
    let _ = published(&site, "2025-12-13", &[MONEYLINE], r#","markets": null"#);
    let status = at(&site, "2025-12-13T15:16:00Z").await.get(STATUS).await.json();
    assert_eq!(judged(&status), missing, "those of the last fourteen slate dates");
    let listed: Value = serde_json::from_str(&run_ctl(&site, &["models", "nba", "--json"]).1).expect("JSON");
    assert_eq!(listed["league"], json!({ "markets": null, "slate_days": null, "odds_dependent": true }));
    let (code, verified) = run_ctl(&site, &["verify", "nba"]);
    assert_eq!(code, Some(0), "{verified}");
}

#[tokio::test]
async fn a_market_that_was_given_up_is_expected_for_fourteen_slate_dates() {
    let site = Site::empty();
    for day in 1..=15 {
        let date = format!("2025-12-{day:02}");
        let _ = published(&site, &date, if day == 1 { &ALL } else { &[MONEYLINE] }, "");
        if day < 15 {
            settle(&site, &date);
        }
    }
    let service = at(&site, "2025-12-15T15:16:00Z").await;
    assert_eq!(judged(&service.get(STATUS).await.json()), fresh(&[MONEYLINE]));
    let before = service.get(&format!("{STATUS}?as_of=2025-12-14T15:16:00Z")).await.json();
    assert_eq!(judged(&before), json!(["partial", false, "daily_output_stale", ALL]));
}

#[tokio::test]
async fn days_without_a_slate_are_off_days_of_a_weekly_league() {
    let site = Site::empty();
    // 7 December 2025 is a Sunday.
    let _ = published(&site, "2025-12-07", &ALL, r#","slate_days": ["sun"]"#);
    assert_eq!(judged(&at(&site, "2025-12-07T15:16:00Z").await.get(STATUS).await.json()), fresh(&ALL));
    settle(&site, "2025-12-07");
    let off = json!(["off_day", true, null, ALL]);
    for now in ["2025-12-08T12:30:00Z", "2025-12-09T16:00:00Z", "2025-12-13T23:00:00Z"] {
        assert_eq!(judged(&at(&site, now).await.get(STATUS).await.json()), off, "{now}");
    }
    let (_, printed) = run_ctl(&site, &["status", "nba", "--as-of", "2025-12-09T16:00:00Z"]);
    assert!(
        printed.contains("nba: off_day") && printed.contains("next: publish the slate of 2025-12-14, by"),
        "{printed}"
    );
    let late = json!(["stale", false, "daily_output_stale", ALL]);
    assert_eq!(judged(&at(&site, "2025-12-14T16:00:00Z").await.get(STATUS).await.json()), late);
    // After a week the season is over, until a game is on record. Its date is a slate day, though it is a Tuesday.
    assert_eq!(judged(&at(&site, "2025-12-28T16:00:00Z").await.get(STATUS).await.json()), off);
    let _ = published(&site, "2025-12-16", &ALL, "");
    assert_eq!(judged(&at(&site, "2025-12-16T16:00:00Z").await.get(STATUS).await.json()), fresh(&ALL));
    let awaiting = at(&site, "2025-12-21T16:00:00Z").await.get(STATUS).await.json();
    assert_eq!(
        judged(&awaiting),
        json!(["stale", false, "daily_output_stale", ALL]),
        "a Sunday of a season that goes on"
    );
}

#[tokio::test]
async fn odds_change_the_lines_of_predictions_that_do_not_depend_on_them_and_nothing_else() {
    let site = Site::empty();
    let _ = published(&site, "2025-12-10", &[MONEYLINE], r#","odds_dependent": false"#);
    let path = "/api/v1/predictions/nba/won_on_points";
    let before = at(&site, "2025-12-10T15:00:00Z").await.get(path).await;
    assert_eq!(before.json()["games"][0]["home_money_line"], -120);
    let folder = site.place.path().join("refresh");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("release.json"), r#"{"sport":"nba","slate_date":"2025-12-10"}"#).expect("written");
    fs::write(folder.join("odds.csv"), odds("2025-12-10", [150, -170])).expect("written");
    let refresh = ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-10T17:00:00Z"];
    let (code, printed) = run_ctl(&site, &refresh);
    assert!(code == Some(0) && !printed.contains("lack these odds"), "{printed}");

    let service = at(&site, "2025-12-10T20:30:00Z").await;
    let status = service.get(STATUS).await.json();
    assert_eq!(judged(&status), fresh(&[MONEYLINE]));
    assert_eq!(
        (&status["refresh_pending"], &status["markets"][MONEYLINE]["refresh_deadline"]),
        (&json!(false), &json!(null))
    );
    let answer = service.get(path).await;
    assert_ne!(answer.header("etag"), before.header("etag"));
    let answer = answer.json();
    assert_eq!(answer["predictions_date"], before.json()["predictions_date"]);
    let game = &answer["games"][0];
    assert_eq!((&game["home_money_line"], &game["away_money_line"]), (&json!(150), &json!(-170)));
    assert_eq!(game["predictions"]["BLEND"], 0.55);
    // 0.4 over 0.4 + 17/27; 0.55 · 1.5 − 0.45; 0.45 · 100/170 − 0.55.
    assert_eq!(game["predictions"]["IMPLIED"], 0.388_489_208_633);
    assert_eq!((&game["ev_home_ml"], &game["ev_away_ml"]), (&json!(0.375), &json!(-0.285_294_117_647)));
    let free = service.get("/api/v1/public/ml-picks/nba/moneyline").await.json();
    assert_eq!(free["games"][0]["implied_probability"], 0.388_489_208_633);
    // The record has what was published with the forecast.
    let row = &service.page("nba/won_on_points?season=2025-26").await.json()["results"][0];
    assert_eq!((&row["home_money_line"], &row["away_money_line"]), (&json!(-120), &json!(100)));
    // At the time before, the settings were the same and the odds others.
    let then = service.get(&format!("{path}?as_of=2025-12-10T16:00:00Z")).await.json();
    assert_eq!(then["games"], before.json()["games"]);
}
