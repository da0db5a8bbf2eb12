//! Own models of a simulated season, compared with standard ones that have the same column.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sports_demo::simulation::{ReleaseFiles, World};
use sports_domain::{ModelType, Sport};
use tempfile::TempDir;

use crate::service::{Service, Site};
use crate::simulated::{WORLD, eastern};

/// The fields that depend on the hash of a stored object: the snapshot, and the figures of simulations with it as the
/// seed.
const OF_OBJECTS: [&str; 14] = [
    "snapshot",
    "ev roi low",
    "ev roi high",
    "roi_low",
    "roi_high",
    "picks_roi_low",
    "picks_roi_high",
    "bets_roi_low",
    "bets_roi_high",
    "band_low",
    "band_high",
    "low",
    "high",
    "ece10_if_perfect",
];

/// The fields with instants and names of a publication.
const OF_PUBLICATIONS: [&str; 19] = [
    "odds_updated",
    "first_complete_at",
    "since",
    "mcb_p",
    "generated_date",
    "last_updated",
    "forecast_run",
    "next_game_date",
    "forecast_published_at",
    "first_forecast_at",
    "last_forecast_at",
    "published_at",
    "predictions_date",
    "release_id",
    "timestamp",
    "record_head",
    "sha256",
    "known_at",
    "generation",
];

/// Removes the fields with these names from an answer.
fn without<N: AsRef<str>>(answer: &mut Value, names: &[N]) {
    match answer {
        Value::Object(fields) => {
            fields.retain(|field, _| !names.iter().any(|name| name.as_ref() == field));
            fields.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without(item, names)),
        _ => {}
    }
}

/// A column of a table by the cells of BLEND and of XGB, and the row's number.
type Column<'c> = (&'c str, &'c dyn Fn(&str, &str, usize) -> String);

/// Writes the simulated season of the NFL, with changed columns of models.
fn season(release: &Value, change: impl Fn(&str) -> String) -> TempDir {
    written(&WORLD.history_release(Sport::Nfl, eastern("08:00:00")), release, change)
}

/// Writes a release folder with these fields in its `release.json`, and with changed tables of probabilities.
fn written(files: &ReleaseFiles, release: &Value, change: impl Fn(&str) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    files.write(folder.path()).expect("written");
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with("pr")) {
        fs::write(folder.path().join(path), change(text)).expect("written");
    }
    let manifest = folder.path().join("release.json");
    let mut fields: Value = serde_json::from_slice(&fs::read(&manifest).expect("a file")).expect("JSON");
    for (name, value) in release.as_object().expect("an object") {
        fields[name] = value.clone();
    }
    fs::write(manifest, fields.to_string()).expect("written");
    folder
}

/// Adds columns to a table of probabilities.
fn with_columns(text: &str, columns: &[Column]) -> String {
    let mut lines = text.lines();
    let header: Vec<_> = lines.next().expect("a header").split(',').collect();
    let place = |name: &str| header.iter().position(|known| *known == name).expect("a column");
    let (blend, xgb) = (place("BLEND"), place("XGB"));
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    let mut table = format!("{},{}\n", header.join(","), names.join(","));
    for (number, line) in lines.enumerate() {
        let cells: Vec<_> = line.split(',').collect();
        let added: Vec<_> = columns.iter().map(|(_, cell)| cell(cells[blend], cells[xgb], number)).collect();
        writeln!(table, "{line},{}", added.join(",")).expect("written");
    }
    table
}

/// Publishes a folder with a simulated time.
fn publish(site: &Site, folder: &TempDir) -> String {
    publish_at(site, folder.path(), "08:00:00")
}

fn publish_at(site: &Site, folder: &Path, time: &str) -> String {
    let at = eastern(time).to_rfc3339();
    site.place.ctl([Path::new("publish"), folder, Path::new("--as-of"), Path::new(&at)])
}

async fn wired(site: &Site) -> Service {
    site.app_with(&[("SPORTS_CLOCK__AS_OF", &eastern("12:00:00").to_rfc3339())]).await
}

/// The figures of a backtest from draws, which the identity of the rule seeds, and the sentence with the name of the model.
const OF_LUCK: [&str; 13] = [
    "p",
    "p5",
    "p25",
    "p50",
    "p75",
    "p95",
    "p_of_best",
    "best_50",
    "best_95",
    "p_random_games",
    "p_in_words",
    "larger_drawdown_share",
    "sentence",
];

/// Returns an answer without drawn figures, instants and hashes.
async fn figures(service: &Service, path: &str) -> Value {
    let answer = service.get(&format!("/api/v1/{path}")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let mut answer = answer.json();
    without(&mut answer, &OF_OBJECTS);
    without(&mut answer, &["mcb_p", "generated_date", "last_updated", "forecast_run", "next_game_date"]);
    answer
}

/// Returns the paths of a market with the figures of one model.
fn by_model(market: ModelType, model: &str) -> Vec<String> {
    let side = if market == ModelType::OverUnder { "over" } else { "home" };
    let results = format!("results/nfl/{market}");
    vec![
        format!("{results}/density?model={model}"),
        format!("strategies/nfl/{market}?model={model}"),
        format!("strategies/nfl/{market}?accounting=recorded_v2&model={model}"),
        format!("strategies/nfl/{market}/follow_edge_{side}/replay?model={model}"),
        format!("summary/nfl/{market}?models={model}"),
        format!("calibration/nfl/{market}?models={model}"),
        format!("{results}/rolling?models={model}"),
    ]
}

/// Replaces the name of a model in an answer.
fn renamed(answer: &Value, from: &str, to: &str) -> Value {
    let text = answer.to_string().replace(&format!("\"{from}\""), &format!("\"{to}\""));
    serde_json::from_str(&text).expect("JSON")
}

#[tokio::test]
async fn a_column_equal_to_blend_has_its_figures_under_another_name() {
    let twin: Column = ("TWIN", &|blend, _, _| blend.to_owned());
    let folder = season(&json!({ "models": { "TWIN": {} } }), |text| with_columns(text, &[twin]));
    let site = Site::empty();
    publish(&site, &folder);
    let service = wired(&site).await;
    for market in ModelType::ALL {
        for (twin, blend) in by_model(market, "TWIN").iter().zip(by_model(market, "BLEND")) {
            let (twin, blend) = (figures(&service, twin).await, figures(&service, &blend).await);
            assert_eq!(renamed(&twin, "TWIN", "BLEND"), blend, "{market}");
            assert!(blend.to_string().len() > 300, "{blend}");
        }
        let rows = figures(&service, &format!("results/nfl/{market}?limit=100")).await;
        let rows = rows["results"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["TWIN"] == row["BLEND"]) && rows.len() == 100);
    }
}

#[tokio::test]
async fn a_column_with_gaps_has_equal_figures_as_an_own_and_as_a_standard_model() {
    let gaps =
        |_: &str, xgb: &str, number: usize| if number.is_multiple_of(3) { String::new() } else { xgb.to_owned() };
    let header = |text: &str, to: &str| text.replacen(",GAPS", to, 1);
    // XGB itself is absent in both stores.
    let table =
        |text: &str, name: &str| header(&with_columns(text, &[("GAPS", &gaps)]).replacen(",XGB", ",unread", 1), name);
    let own = season(&json!({ "models": { "ELO": {}, "unread": false } }), |text| table(text, ",ELO"));
    let standard = season(&json!({ "models": { "unread": false } }), |text| table(text, ",XGB"));
    let sites = [Site::empty(), Site::empty()];
    publish(&sites[0], &own);
    publish(&sites[1], &standard);
    let (own, standard) = (wired(&sites[0]).await, wired(&sites[1]).await);
    for market in ModelType::ALL {
        for (elo, xgb) in by_model(market, "ELO").iter().zip(by_model(market, "XGB")) {
            let (elo, xgb) = (figures(&own, elo).await, figures(&standard, &xgb).await);
            assert_eq!(renamed(&elo, "ELO", "XGB"), xgb, "{market}");
        }
        let tracking = format!("model-tracking/nfl/{market}");
        let (mut elo, mut xgb) = (figures(&own, &tracking).await, figures(&standard, &tracking).await);
        let counted = elo["models"].as_array().expect("models").last().expect("a model");
        assert!(counted["model"] == "ELO" && counted["games"].as_u64() < elo["archive_games"].as_u64(), "{elo}");
        for answer in [&mut elo, &mut xgb] {
            without(answer, &["models"]);
        }
        assert_eq!(elo, xgb, "{market}");
    }
}

/// Returns Holm's correction, in the order of the values.
fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<_> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let (mut corrected, mut largest) = (vec![0.0; p.len()], 0.0_f64);
    for (rank, place) in order.into_iter().enumerate() {
        let left = f64::from(u32::try_from(p.len() - rank).expect("few"));
        largest = largest.max((p[place] * left).min(1.0));
        corrected[place] = largest;
    }
    corrected
}

#[tokio::test]
async fn own_models_beside_the_eight_change_their_p_holm_and_verdict_alone() {
    let columns: [Column; 5] = [
        ("A1", &|blend, _, _| blend.to_owned()),
        ("B2", &|_, xgb, number| if number % 2 == 0 { String::new() } else { xgb.to_owned() }),
        ("C3", &|_, _, number| ["0", "0.5", "1"][number % 3].to_owned()),
        ("D4", &|_, xgb, _| format!("{:.4}", 1.0 - xgb.parse::<f64>().unwrap_or(0.5))),
        ("E5", &|_, _, _| "0.55".to_owned()),
    ];
    let declared = json!({ "models": { "A1": {}, "B2": {}, "C3": {}, "D4": {}, "E5": {} } });
    let (plain, more) = (Site::empty(), Site::empty());
    // A game without forecasts of the eight would be graded by an own model.
    let table = |text: &str| with_columns(text, &columns);
    publish(&plain, &season(&json!({}), str::to_owned));
    publish(&more, &season(&declared, table));
    let (plain, more) = (wired(&plain).await, wired(&more).await);
    for market in ModelType::ALL {
        for path in [
            format!("summary/nfl/{market}?models=IMPLIED,AI,BLEND,CATB,RF,LGB,LOGR,XGB,XT,ENSEMBLE"),
            format!("strategies/nfl/{market}"),
            format!("results/nfl/{market}/density"),
            format!("results/nfl/{market}/rolling?models=IMPLIED,BLEND,XT"),
            format!("results/nfl/{market}/team-form"),
            format!("predictions/nfl/{market}"),
        ] {
            let before = plain.get(&format!("/api/v1/{path}")).await.status;
            if before == 200 {
                assert_eq!(figures(&plain, &path).await, figures(&more, &path).await, "{path}");
            }
        }
        let calibration = format!("calibration/nfl/{market}");
        let (mut before, mut after) = (figures(&plain, &calibration).await, figures(&more, &calibration).await);
        let all = after["sources"][0]["models"].as_array().expect("models").clone();
        let tested: Vec<_> = all.iter().filter_map(|of| of["market"]["brier"]["p"].as_f64().map(|p| (of, p))).collect();
        let p: Vec<_> = tested.iter().map(|(_, p)| *p).collect();
        assert!(p.len() >= 11, "{}", p.len());
        for ((of, _), expected) in tested.iter().zip(holm(&p)) {
            let found = of["market"]["brier"]["p_holm"].as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-6, "{}: {found} is not {expected}", of["model"]);
        }
        let is_own = |of: &Value| columns.iter().any(|(name, _)| of["model"] == *name);
        after["sources"][0]["models"].as_array_mut().expect("models").retain(|of| !is_own(of));
        for answer in [&mut before, &mut after] {
            without(answer, &["p_holm", "verdict"]);
        }
        assert_eq!(before, after, "{market}");
    }
}

#[tokio::test]
async fn a_promoted_column_has_the_figures_of_one_declared_from_the_start() {
    let world = World::new(7, eastern("12:00:00"), 2);
    let files = world.history_release(Sport::Nfl, eastern("08:00:00"));
    let seasons: Vec<_> = world.seasons(Sport::Nfl).map(|season| season.to_string()).collect();
    let folder = |release: &Value| {
        let folder = written(&files, release, str::to_owned);
        for market in ModelType::ALL {
            let path = format!("probabilities/{market}/{}.csv", seasons[1]);
            let twin: Column = ("ELO", &|blend, _, _| blend.to_owned());
            fs::write(folder.path().join(&path), with_columns(files.get(&path).expect("a table"), &[twin]))
                .expect("written");
        }
        folder
    };
    let (later, at_once) = (Site::empty(), Site::empty());
    publish(&later, &folder(&json!({})));
    publish(&at_once, &folder(&json!({ "models": { "ELO": {} } })));
    let page = |season: &str| format!("/api/v1/results/nfl/over_under?season={season}&limit=1");
    let before = wired(&later).await;
    let snapshot = async |service: &Service, season: &str| service.get(&page(season)).await.json()["snapshot"].clone();
    let known = [snapshot(&before, &seasons[0]).await, snapshot(&before, &seasons[1]).await];
    drop(before);
    let declaring = tempfile::tempdir().expect("a folder");
    fs::write(
        declaring.path().join("release.json"),
        json!({ "sport": "nfl", "slate_date": "2025-02-15", "models": { "ELO": {} } }).to_string(),
    )
    .expect("written");
    let printed = publish_at(&later, declaring.path(), "09:00:00");
    let of_season = format!("ELO: graded in over_under {}, ", seasons[1]);
    assert!(printed.contains(&of_season), "{printed}");
    let (later, at_once) = (wired(&later).await, wired(&at_once).await);
    assert_eq!(snapshot(&later, &seasons[0]).await, known[0], "a season without the column");
    assert_ne!(snapshot(&later, &seasons[1]).await, known[1]);
    for market in ModelType::ALL {
        let paths = by_model(market, "ELO").into_iter().filter(|path| !path.contains("rolling"));
        for path in paths.chain([format!("model-tracking/nfl/{market}?")]) {
            let path = if path.contains("density") { path } else { format!("{path}&season={}", seasons[1]) };
            assert_eq!(figures(&later, &path).await, figures(&at_once, &path).await, "{path}");
        }
        let rolling = format!("results/nfl/{market}/rolling?models=ELO");
        assert_eq!(figures(&later, &rolling).await, figures(&at_once, &rolling).await);
    }
    let listed = later.get("/api/v1/models/nfl").await.json();
    let elo = listed["models"].as_array().expect("models").last().expect("a model").clone();
    for market in elo["markets"].as_array().expect("markets") {
        assert_eq!((&market["games"], &market["seasons"]), (&market["games_before"], &json!([seasons[1]])));
        assert!(market["games"].as_u64() > Some(200), "{market}");
    }
}

#[tokio::test]
async fn a_retired_model_keeps_its_figures_and_is_taken_back() {
    let twin: Column = ("ELO", &|blend, _, _| blend.to_owned());
    let site = Site::empty();
    let folder = |release: &Value| season(release, |text| with_columns(text, &[twin]));
    publish(&site, &folder(&json!({ "models": { "ELO": {} } })));
    let paths: Vec<_> = ModelType::ALL.into_iter().flat_map(|market| by_model(market, "ELO")).collect();
    let service = wired(&site).await;
    let mut before = Vec::new();
    for path in &paths {
        before.push(service.get(&format!("/api/v1/{path}")).await.json());
    }
    drop(service);
    let declare = |declaration: &Value, time: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let release = json!({ "sport": "nfl", "slate_date": "2025-02-15", "models": { "ELO": declaration } });
        fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
        publish_at(&site, folder.path(), time)
    };
    assert!(declare(&json!({ "retired": true }), "08:30:00").contains("models retired: ELO"));
    let at = eastern("08:40:00").to_rfc3339();
    let again_folder = folder(&json!({}));
    let again = [Path::new("publish"), again_folder.path(), Path::new("--as-of"), Path::new(&at)];
    let refused = site.place.sportsctl(again).output().expect("it runs");
    let printed = String::from_utf8_lossy(&refused.stderr);
    let expected = "column ELO: expected no such column: the model is retired since generation 2; \"retired\": false takes it back";
    assert!(refused.status.code() == Some(2) && printed.contains(expected), "{printed}");
    let service = wired(&site).await;
    for (path, before) in paths.iter().zip(&before) {
        let mut answers = [before.clone(), service.get(&format!("/api/v1/{path}")).await.json()];
        for answer in &mut answers {
            without(answer, &["generated_date", "last_updated"]);
        }
        assert_eq!(answers[0], answers[1], "{path}");
    }
    drop(service);
    declare(&json!({ "retired": false }), "08:50:00");
    let printed = publish_at(&site, folder(&json!({})).path(), "09:00:00");
    assert!(!printed.contains("problem"), "{printed}");
    let listed = wired(&site).await.get("/api/v1/models/nfl").await.json();
    let elo = listed["models"].as_array().expect("models").last().expect("a model").clone();
    assert_eq!((&elo["retired_at"], &elo["declared_generation"]), (&Value::Null, &json!(1)), "{elo}");
}

/// Leaves one model in a table, the column of BLEND under another name.
fn alone(text: &str, name: &str) -> String {
    let header = text.lines().next().expect("a header");
    let columns: Vec<_> = header.split(',').collect();
    let is_dropped = |column: &&str| matches!(*column, "AI" | "CATB" | "RF" | "LGB" | "LOGR" | "XGB" | "XT");
    let kept = |line: &str| {
        let cells = line.split(',').zip(&columns).filter(|(_, column)| !is_dropped(column));
        cells.map(|(cell, _)| cell).collect::<Vec<_>>().join(",") + "\n"
    };
    text.lines().map(kept).collect::<String>().replacen(",BLEND", &format!(",{name}"), 1)
}

/// Publishes a season and a slate of one model; returns the site and what the first publish printed.
fn league_of(name: &str, release: &Value) -> (Site, String) {
    let site = Site::empty();
    let printed = publish(&site, &season(release, |text| alone(text, name)));
    let day = WORLD.day_release(Sport::Nfl, eastern("09:50:00"), sports_demo::simulation::Run::First);
    publish_at(&site, written(&day, &json!({}), |text| alone(text, name)).path(), "09:50:00");
    (site, printed)
}

#[tokio::test]
async fn a_league_of_one_own_headline_model_answers_like_a_league_of_blend() {
    let mut sites = Vec::new();
    for (name, release) in
        [("BLEND", json!({})), ("ELO", json!({ "models": { "ELO": { "public": true } }, "headline": "ELO" }))]
    {
        sites.push(league_of(name, &release).0);
    }
    let (blend, elo) = (wired(&sites[0]).await, wired(&sites[1]).await);
    let mut paths = vec!["odds/nfl".to_owned(), "markets/nfl".to_owned(), "data-status/nfl".to_owned()];
    for market in ModelType::ALL {
        let side = if market == ModelType::OverUnder { "over" } else { "home" };
        for path in [
            "results/nfl/M?limit=100",
            "results/nfl/M/rolling",
            "results/nfl/M/density",
            "results/nfl/M/team-form",
            "results/nfl/M/seasons",
            "summary/nfl/M",
            "calibration/nfl/M",
            "model-tracking/nfl/M",
            "predictions/nfl/M",
            "strategies/nfl/M",
            "strategies/nfl/M?accounting=recorded_v2",
            "strategies/nfl/M/follow_edge_SIDE/replay",
        ] {
            paths.push(path.replace('M', market.code()).replace("SIDE", side));
        }
    }
    paths.extend(["over_under", "moneyline", "spread"].map(|market| format!("public/ml-picks/nfl/{market}")));
    for path in paths {
        let mut answers = [figures(&blend, &path).await, renamed(&figures(&elo, &path).await, "ELO", "BLEND")];
        for answer in &mut answers {
            // The instants of the two publications.
            without(
                answer,
                &[
                    "forecast_published_at",
                    "first_forecast_at",
                    "last_forecast_at",
                    "published_at",
                    "predictions_date",
                    "release_id",
                    "timestamp",
                ],
            );
            if path.starts_with("model-tracking") {
                without(answer, &["models"]);
            }
        }
        assert_eq!(answers[0], answers[1], "{path}");
    }
    let rows = figures(&elo, "results/nfl/won_on_points?limit=100").await;
    let rows = rows["results"].as_array().expect("rows").clone();
    assert!(rows.iter().filter(|row| row["ELO"].is_number()).count() > 50);
    let picks = figures(&elo, "public/ml-picks/nfl/moneyline").await;
    assert_eq!(
        (&picks["model"], picks["games"].as_array().is_some_and(|games| !games.is_empty())),
        (&json!("ELO"), true)
    );
}

/// Returns the paths of a document's operations on a league, with its parameters filled in. Left out are those that need another
/// parameter, and those with names or hashes of what was published.
fn paths_of_a_league(document: &Value) -> Vec<String> {
    let is_of_content = |path: &str| {
        let parts = ["/record/", "/proof", "/openings", "/releases", "/models/", "/datasets", "/corrections"];
        parts.iter().any(|part| path.contains(part))
    };
    let paths = document["paths"].as_object().expect("paths").iter();
    let asked =
        paths.filter(|(path, item)| path.contains("{sport}") && item.get("get").is_some() && !is_of_content(path));
    let mut filled = Vec::new();
    for (path, item) in asked {
        let parameters = item["get"]["parameters"].as_array().into_iter().flatten();
        if parameters.filter(|parameter| parameter["in"] == "query").any(|parameter| parameter["required"] == true) {
            continue;
        }
        for (model_type, market, side) in [
            ("over_under", "over_under", "over"),
            ("won_on_points", "moneyline", "home"),
            ("won_on_spread", "spread", "home"),
        ] {
            let path =
                path.trim_start_matches("/api/v1/").replace("{sport}", "nfl").replace("{model_type}", model_type);
            let rule = format!("follow_edge_{side}");
            let path = path.replace("{market}", market).replace("{strategy_id}", &rule);
            if !path.contains('{') && !filled.contains(&path) {
                filled.push(path);
            }
        }
    }
    filled
}

#[tokio::test]
async fn a_league_without_blend_answers_every_operation_like_a_league_of_blend() {
    let (blend, printed) = league_of("BLEND", &json!({}));
    assert!(!printed.contains("default model"), "{printed}");
    let blend = wired(&blend).await;
    let paths = paths_of_a_league(&blend.get("/openapi.json").await.json());
    for path in ["strategies/nfl/won_on_points/follow_edge_home/replay", "public/ml-picks/nfl/spread", "markets/nfl"] {
        assert!(paths.iter().any(|known| known == path), "{path} is not among {paths:?}");
    }
    for (name, release) in [("ELO", json!({ "models": { "ELO": {} } })), ("XGB", json!({}))] {
        let (site, printed) = league_of(name, &release);
        let changed = format!("default model: {name} instead of BLEND in over_under, won_on_points, won_on_spread\n");
        assert!(printed.contains(&changed), "{printed}");
        assert_eq!(printed.contains("ELO is public: it is the league's only model"), name == "ELO", "{printed}");
        let service = wired(&site).await;
        for path in &paths {
            let [before, after] =
                [&blend, &service].map(|service| async { service.get(&format!("/api/v1/{path}")).await });
            let (before, after) = (before.await, after.await);
            assert_eq!(before.status, after.status, "{path}: {} {}", before.text(), after.text());
            if before.status != 200 || !before.text().starts_with('{') {
                continue;
            }
            let mut answers = [before.json(), after.json()];
            // A row of results has every standard model, null without a value.
            for market in ["", "moneyline_", "spread_", "total_"] {
                without(&mut answers[0], &[format!("{market}{name}")]);
                answers[1] = renamed(&answers[1], &format!("{market}{name}"), &format!("{market}BLEND"));
            }
            for answer in &mut answers {
                without(answer, &OF_OBJECTS);
                for place in ["", "moneyline_", "spread_", "total_", "open_", "close_"] {
                    without(answer, &OF_PUBLICATIONS.map(|name| format!("{place}{name}")));
                }
                if path.starts_with("model-tracking") {
                    without(answer, &["models"]);
                }
                if path.starts_with("backtest") {
                    without(answer, &OF_LUCK);
                }
            }
            assert_eq!(answers[0], answers[1], "{path} of {name}");
        }
        let listed = service.get("/api/v1/models/nfl").await.json();
        let headlines = json!({ "over_under": name, "won_on_points": name, "won_on_spread": name });
        assert_eq!((&listed["headline"], &listed["headlines"]), (&json!(name), &headlines));
        let picks = service.get("/api/v1/public/ml-picks/nfl/moneyline").await.json();
        assert!(picks["games"].as_array().is_some_and(|games| !games.is_empty()), "{picks}");
        assert_eq!((&picks["model"], picks.get("message")), (&json!(name), None), "{picks}");
        let board = service.get("/api/v1/strategies/nfl/won_on_points?accounting=recorded_v2").await.json();
        let edges = board["strategies"].as_array().expect("strategies").iter();
        let bets: u64 = edges.filter(|of| of["id"] == "follow_edge_home").filter_map(|of| of["n"].as_u64()).sum();
        assert!(bets > 20, "{board}");
        // A model that is asked for never gives way.
        let expected = format!("BLEND has no value here; models with one: {name}");
        for path in [
            "strategies/nfl/won_on_points?model=BLEND",
            "strategies/nfl/won_on_points/follow_edge_home/replay?model=BLEND",
            "results/nfl/won_on_points/density?model=BLEND",
            "predictions/nfl/won_on_points?model=BLEND",
            "markets/nfl?model=BLEND",
            "public/ml-picks/nfl/moneyline?model=BLEND",
        ] {
            let answer = service.get(&format!("/api/v1/{path}")).await.json();
            assert_eq!((&answer["model"], &answer["message"]), (&json!("BLEND"), &json!(expected)), "{path}");
        }
        drop(service);
        // Nor does a headline that is named; a name that is taken back does.
        let headline = |value: Value, time: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            let release = json!({ "sport": "nfl", "slate_date": "2025-02-15", "headline": value });
            fs::write(folder.path().join("release.json"), release.to_string()).expect("written");
            publish_at(&site, folder.path(), time)
        };
        let printed = headline(json!("BLEND"), "10:00:00");
        assert!(printed.contains(&format!("default model: BLEND instead of {name} in over_under")), "{printed}");
        let service = wired(&site).await;
        let picks = service.get("/api/v1/public/ml-picks/nfl/moneyline").await.json();
        assert_eq!((&picks["model"], &picks["games"]), (&json!("BLEND"), &json!([])));
        assert_eq!(picks["message"], json!(expected));
        // An earlier moment keeps its default.
        let earlier = service.get("/api/v1/predictions/nfl/won_on_points?generation=2").await.json();
        assert_eq!((&earlier["model"], earlier.get("message")), (&json!(name), None));
        drop(service);
        let printed = headline(Value::Null, "10:05:00");
        assert!(printed.contains(&format!("default model: {name} instead of BLEND in over_under")), "{printed}");
        assert!(site.place.ctl(["verify", "nfl"]).contains("log entries and"), "verified");
    }
}

#[tokio::test]
async fn a_message_names_no_model_that_is_not_public() {
    let (site, printed) = league_of("ELO", &json!({ "models": { "ELO": { "public": false } } }));
    assert!(!printed.contains("is public"), "{printed}");
    let service = wired(&site).await;
    let picks = service.get("/api/v1/public/ml-picks/nfl/moneyline").await.json();
    let expected = json!("BLEND has no value here; models with one: a model that is not public");
    assert_eq!((&picks["games"], &picks["message"]), (&json!([]), &expected));
    assert!(!picks.to_string().contains("ELO"), "{picks}");
    assert_eq!(service.get("/api/v1/predictions/nfl/won_on_points").await.json()["model"], "ELO");
}
