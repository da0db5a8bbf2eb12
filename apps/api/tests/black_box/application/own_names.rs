//! Names of own models in requests and answers, and own models of a live slate.

use std::fs;
use std::path::Path;

use chrono::Days;
use serde_json::{Value, json};
use sports_demo::simulation::{Run, World};
use sports_domain::Sport;

use crate::service::{Answer, Site};
use crate::simulated::{SimulatedSite, TODAY, eastern, on};

/// Names that a shell, a URL, a spreadsheet, a DOM id or a script could read as another thing.
const HARD: [&str; 5] = ["a.b-c_1", "constructor", "nan", "toString", "true"];

const GAMES: &str = "date,time_est,away_team,home_team,away_score,home_score,home_money_line,away_money_line";

/// Publishes two games with these own models, the first at 0.6 and the second at 0.3 for each; returns the site.
fn site_with(names: &[&str]) -> Site {
    let site = Site::empty();
    let folder = tempfile::tempdir().expect("a folder");
    let models: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    let release = json!({ "sport": "nfl", "slate_date": "2023-09-12", "models": models });
    fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
    let columns = |value: &str| format!(",{value}").repeat(names.len());
    let table = format!(
        "{GAMES},{}\n2023-09-10,13:00,Carolina Panthers,Atlanta Falcons,10,24,-180,150{}\n\
         2023-09-10,16:25,Green Bay Packers,Chicago Bears,38,20,-120,100{}\n",
        names.join(","),
        columns("0.6"),
        columns("0.3")
    );
    let results = folder.path().join("results/won_on_points");
    fs::create_dir_all(&results).expect("a folder");
    fs::write(results.join("2023-24.csv"), table).expect("written");
    site.publish(folder.path());
    site
}

#[tokio::test]
async fn hard_names_are_served_in_every_form() {
    let site = site_with(&HARD);
    let service = site.app().await;
    let get = async |path: &str| {
        let answer = service.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer
    };
    let listed = get("models/nfl").await.json();
    let own = listed["models"].as_array().expect("models").iter().filter(|model| model["kind"] == "own");
    assert_eq!(own.map(|model| &model["model"]).collect::<Vec<_>>(), HARD);
    let header = |text: &str| text.lines().next().expect("a header").to_owned();
    let csv = get("results/nfl/won_on_points?format=csv").await;
    assert!(header(csv.text()).contains("XT,a.b-c_1,constructor,nan,toString,true"), "{}", csv.text());
    let lines = get("results/nfl/won_on_points?format=ndjson").await;
    let row: Value = serde_json::from_str(lines.text().lines().next().expect("a row")).expect("JSON");
    let page = get("results/nfl/won_on_points").await.json();
    for name in HARD {
        assert_eq!((&row[name], &page["results"][0][name]), (&json!(0.3), &json!(0.3)), "{name}");
        let summary = get(&format!("summary/nfl/won_on_points?models={name}")).await.json();
        let of = &summary["summaries"][0];
        assert_eq!((&of["model"], &of["wins"], &of["losses"]), (&json!(name), &json!(2), &json!(0)), "{name}");
        for path in ["strategies/nfl/won_on_points", "results/nfl/won_on_points/density", "markets/nfl"] {
            let path = format!("{path}?model={name}");
            let answer = service.get(&format!("/api/v1/{path}")).await;
            // A league without a slate has no markets.
            if answer.status != 404 || !path.starts_with("markets") {
                assert_eq!((answer.status, &answer.json()["model"]), (200, &json!(name)), "{path}");
            }
        }
        let curves = get(&format!("results/nfl/won_on_points/rolling?models={name}")).await.json();
        let models = curves["seasons"][0]["models"].as_object().expect("curves");
        assert_eq!(models.keys().collect::<Vec<_>>(), [name]);
    }
    let calibration = get("calibration/nfl/won_on_points").await.json();
    let models = calibration["sources"][0]["models"].as_array().expect("models").clone();
    assert_eq!(models.iter().map(|model| &model["model"]).collect::<Vec<_>>(), HARD);
}

#[test]
fn a_name_outside_the_pattern_and_a_reserved_one_are_refused() {
    let site = Site::empty();
    for (name, expected) in [
        ("__proto__", "expected a name of 1 to 32 letters, digits, `_`, `.` or `-` that begins with a letter"),
        ("None", "expected a name that is not reserved"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let release = format!(r#"{{"sport": "nfl", "slate_date": "2023-09-12", "models": {{"{name}": {{}}}}}}"#);
        fs::write(folder.path().join("release.json"), release).expect("written");
        let refused = site.place.sportsctl([Path::new("publish"), folder.path()]).output().expect("it runs");
        let printed = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && printed.contains(expected), "{name}: {printed}");
    }
    let printed = site.place.sportsctl(["releases", "nfl"]).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&printed.stdout).contains("generation"), "nothing is published");
}

#[tokio::test]
async fn a_path_refuses_the_selection_of_models_that_it_does_not_take() {
    let site = site_with(&["ELO"]);
    let service = site.app().await;
    let of = |path: &str| format!("/api/v1/{}", path.replace('M', "nfl/won_on_points"));
    let takes_neither = [
        "results/M",
        "results/M/seasons",
        "results/M/team-form",
        "model-tracking/M",
        "odds/nfl",
        "data-status/nfl",
        "releases/nfl",
        "models/nfl",
    ];
    let takes_one =
        ["strategies/M", "results/M/density", "predictions/M", "markets/nfl", "strategies/M/follow_edge_home/replay"];
    let takes_several = ["summary/M", "calibration/M", "clv/M", "results/M/rolling"];
    for (paths, refused) in [
        (&takes_neither[..], &["model", "models"][..]),
        (&takes_one[..], &["models"]),
        (&takes_several[..], &["model"]),
    ] {
        for (path, name) in paths.iter().flat_map(|path| refused.iter().map(move |name| (path, name))) {
            let detail = service.get(&format!("{}?{name}=ELO", of(path))).await.failure(400);
            assert!(detail.starts_with(&format!("`{name}` is not a parameter here")), "{path}: {detail}");
        }
    }
    for path in takes_several {
        let twice = service.get(&format!("{}?models=ELO&models=BLEND", of(path))).await.failure(400);
        assert_eq!(twice, "`models` is given more than once", "{path}");
        let unknown = service.get(&format!("{}?models=ELO,FOO", of(path))).await.failure(404);
        assert!(unknown.starts_with("nfl has no model FOO; it has AI, BLEND, "), "{path}: {unknown}");
        service.get(&format!("{}?models=ELO,FOO!", of(path))).await.failure(400);
    }
}

/// Changes the probabilities of a column in a file of predictions.
fn with_cells(path: &Path, column: &str, value: &str) {
    let text = fs::read_to_string(path).expect("a file");
    let place = text.lines().next().expect("a header").split(',').position(|name| name == column).expect("a column");
    let changed = |(number, line): (usize, &str)| {
        let mut cells: Vec<_> = line.split(',').collect();
        if number > 0 {
            cells[place] = value;
        }
        cells.join(",") + "\n"
    };
    fs::write(path, text.lines().enumerate().map(changed).collect::<String>()).expect("written");
}

#[tokio::test]
async fn a_live_forecast_of_an_own_model_is_frozen_settled_and_graded() {
    let world = World::new(7, eastern("12:00:00"), 1).with_own_models();
    let day = TODAY.checked_sub_days(Days::new(1)).expect("a date");
    let at = |time: &str| on(day, time);
    let nhl = SimulatedSite::for_sport(Sport::Nhl);
    nhl.publish(at("09:00:00"), &world.history_release(Sport::Nhl, at("09:00:00")));
    nhl.publish(at("09:50:00"), &world.day_release(Sport::Nhl, at("09:50:00"), Run::First));
    let service = nhl.app(at("10:00:00")).await;
    let first = service.get("/api/v1/predictions/nhl/won_on_points?model=ELO").await.json();
    let games = first["games"].as_array().expect("games").clone();
    assert!(games.iter().all(|game| game["predictions"]["ELO"].is_number()), "{first}");
    let public = Answer::to(service.request("/api/v1/public/ml-picks/nhl/moneyline?model=ELO")).await.json();
    let shown = public["games"].as_array().expect("games").iter().filter_map(|game| game["models"].as_object());
    let shown: std::collections::BTreeSet<_> = shown.flat_map(|models| models.keys().cloned()).collect();
    assert!(public["model"] == "ELO" && shown.contains("ELO") && !shown.contains("goalie_net"), "{shown:?}");
    for name in ["goalie_net", "FOO"] {
        let detail = service.get(&format!("/api/v1/public/ml-picks/nhl/moneyline?model={name}")).await.failure(404);
        let expected = format!("nhl has no model {name}; it has AI, BLEND, CATB, RF, LGB, LOGR, XGB, XT, ELO");
        assert!(detail.starts_with(&expected) && !detail.replacen(name, "", 1).contains("goalie_net"), "{detail}");
    }
    drop(service);
    // The median start: half of the games have begun.
    let mut starts: Vec<_> = games.iter().map(|game| game["time"].as_str().expect("a time").to_owned()).collect();
    starts.sort();
    let begun = starts[starts.len() / 2].clone();
    let rebuilt = world.day_release(Sport::Nhl, at(&begun), Run::First);
    let folder = tempfile::tempdir().expect("a folder");
    rebuilt.write(folder.path()).expect("written");
    with_cells(&folder.path().join("predictions/won_on_points.csv"), "ELO", "0.5111");
    let instant = at(&begun).to_rfc3339();
    let _ = nhl.site.place.ctl([Path::new("publish"), folder.path(), Path::new("--as-of"), Path::new(&instant)]);
    let night = on(TODAY, "09:00:00");
    let _ = nhl.settle(at("09:00:00"), night);
    let service = nhl.app(night).await;
    let page = service.page(&format!("nhl/won_on_points?from={day}&to={day}&limit=100")).await.json();
    let rows = page["results"].as_array().expect("rows");
    let (mut frozen, mut graded) = (0, 0);
    for game in &games {
        let is_same = |row: &&Value| row["home_team"] == game["home_team"] && row["time_est"] == game["time"];
        let row = rows.iter().find(is_same).unwrap_or_else(|| panic!("{game} is recorded"));
        let has_begun = game["time"].as_str().expect("a time") <= begun.as_str();
        let expected = if has_begun { &game["predictions"]["ELO"] } else { &json!(0.5111) };
        assert_eq!((&row["ELO"], &row["forecast_source"]), (expected, &json!("live")), "{row}");
        frozen += usize::from(has_begun);
        graded += usize::from(row["graded"] == true);
    }
    assert!(frozen > 0 && frozen < games.len() && graded * 2 > games.len(), "{frozen}, {graded} of {}", games.len());
}
