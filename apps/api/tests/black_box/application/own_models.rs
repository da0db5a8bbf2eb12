//! Models that a publisher declared, on every endpoint that has a model's figures. The figures are computed by hand from
//! the five games of the fixture `own-models`.

use serde_json::{Value, json};

use crate::folder::League;
use crate::service::{Service, Site};

/// Serves the fixture.
async fn league() -> (Site, Service) {
    let site = Site::publishing(&["own-models"]);
    let service = site.app().await;
    (site, service)
}

/// Returns the element of a list that has this model.
fn of_model<'v>(list: &'v Value, model: &str) -> &'v Value {
    let mut items = list.as_array().expect("a list").iter();
    items.find(|item| item["model"] == model).unwrap_or_else(|| panic!("{list} has no {model}"))
}

fn assert_close(found: &Value, expected: f64, what: &str) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{what}: {found}"));
    assert!((found - expected).abs() < 6e-7, "{what}: {found} is not {expected}");
}

/// ELO won at −150 (0.666667), lost at +120, had the better side at −110 with a probability of one half (0.909091), and
/// pushed. `nn_v2` won at −150, lost at −110 and won at −200.
#[tokio::test]
async fn a_summary_has_the_records_of_own_models_and_no_ensemble() {
    let (_site, service) = league().await;
    let summary = service.json_of("summary/nfl/won_on_points").await;
    let models: Vec<_> = summary["summaries"].as_array().expect("models").iter().map(|of| &of["model"]).collect();
    assert_eq!(models, ["IMPLIED", "ELO", "nn_v2"]);
    let (elo, nn) = (of_model(&summary["summaries"], "ELO"), of_model(&summary["summaries"], "nn_v2"));
    assert_eq!((&elo["wins"], &elo["losses"], &elo["bt bets"]), (&json!(1), &json!(1), &json!(3)));
    assert_close(&elo["ev roi"], (0.666_667 - 1.0 + 0.909_091) / 4.0, "ev roi of ELO");
    assert_close(&elo["bt units"], 0.666_667 - 1.0, "bt units of ELO");
    assert_eq!((&nn["wins"], &nn["losses"], &nn["bt bets"]), (&json!(2), &json!(1), &json!(2)));
    assert_close(&nn["ev roi"], 0.055_556, "ev roi of nn_v2");
    assert_close(&nn["bt units"], -0.5, "bt units of nn_v2");
    let implied = of_model(&summary["summaries"], "IMPLIED");
    assert_eq!((&implied["wins"], &implied["losses"]), (&json!(3), &json!(0)));
    let alone = service.json_of("summary/nfl/won_on_points?models=nn_v2").await;
    assert_eq!(alone["summaries"], json!([nn]), "a list leaves others out and changes no figure");
    let tracking = service.json_of("model-tracking/nfl/won_on_points").await;
    assert_eq!((&tracking["graded_games"], &tracking["ungraded"]["push"]), (&json!(4), &json!(1)));
    assert_eq!(
        tracking["models"],
        json!([
            { "model": "ELO", "games": 4, "first_date": "2023-09-07", "last_date": "2023-09-14", "recorded": 0, "proven": 0 },
            { "model": "nn_v2", "games": 3, "first_date": "2023-09-07", "last_date": "2023-09-11", "recorded": 0, "proven": 0 },
        ])
    );
}

/// A Brier score is the mean of the squared distances between probability and outcome.
#[tokio::test]
async fn a_calibration_has_the_scores_of_own_models() {
    let (_site, service) = league().await;
    let calibration = service.json_of("calibration/nfl/won_on_points").await;
    let models = &calibration["sources"][0]["models"];
    let squares = |distances: [f64; 3]| distances.map(|distance| distance * distance).iter().sum::<f64>() / 3.0;
    assert_close(&of_model(models, "ELO")["brier"], squares([0.38, 0.55, 0.5]), "ELO");
    assert_close(&of_model(models, "nn_v2")["brier"], squares([0.42, 0.55, 0.3]), "nn_v2");
}

/// ELO is above IMPLIED in three games: at −150 (won), at +120 (lost) and at −120 (a push).
#[tokio::test]
async fn a_strategy_bets_by_the_edge_of_the_requested_model() {
    let (_site, service) = league().await;
    let path = "strategies/nfl/won_on_points?accounting=recorded_v2";
    let by_elo = service.json_of(&format!("{path}&model=ELO")).await;
    assert_eq!(by_elo["model"], "ELO");
    let rule = |board: &Value, id: &str| {
        let mut rules = board["strategies"].as_array().expect("rules").iter();
        rules.find(|rule| rule["id"] == id).expect("a rule").clone()
    };
    let follow = rule(&by_elo, "follow_edge_home");
    assert_eq!((&follow["record"], &follow["roi"]), (&json!("1-1-1"), &json!(-11.11)));
    assert_close(&follow["profit_units"], -0.333_333, "units");
    assert_close(&rule(&by_elo, "fade_edge_away")["roi"], -9.52, "the faded edge");
    assert_eq!(service.json_of(path).await, by_elo, "the first model with values is the default");
    let blend = service.json_of(&format!("{path}&model=BLEND")).await;
    assert_eq!((&blend["model"], &rule(&blend, "follow_edge_home")["n"]), (&json!("BLEND"), &json!(0)));
    assert_eq!(blend["message"], json!("BLEND has no value here; models with one: ELO, nn_v2"));
    let replay = "strategies/nfl/won_on_points/follow_edge_home/replay?model=ELO";
    assert_close(&service.json_of(replay).await["rows"][2]["total"], -0.333_333, "the replay's total");
}

#[tokio::test]
async fn a_grid_and_the_curves_are_of_the_requested_models() {
    let (_site, service) = league().await;
    let grid = service.json_of("results/nfl/won_on_points/density?model=ELO").await;
    let cells: Vec<_> = grid["current"]["cells"]
        .as_array()
        .expect("cells")
        .iter()
        .map(|cell| {
            (cell["blend"].as_f64().expect("a bin"), cell["implied"].as_f64().expect("a bin"), cell["wins"].clone())
        })
        .collect();
    assert_eq!((&grid["model"], cells), (&json!("ELO"), vec![(0.55, 0.4, json!(0)), (0.6, 0.55, json!(1))]));
    let blend = service.json_of("results/nfl/won_on_points/density?model=BLEND").await;
    assert_eq!((&blend["model"], &blend["current"]["games"]), (&json!("BLEND"), &json!(0)));
    let curves = service.json_of("results/nfl/won_on_points/rolling?models=ELO,nn_v2").await;
    let models = curves["seasons"][0]["models"].as_object().expect("curves");
    assert_eq!(models.keys().collect::<Vec<_>>(), ["ELO", "nn_v2"]);
    let point = |model: &str, day: u32| {
        let mut points = models[model].as_array().expect("points").iter();
        points.find(|point| point["day"] == day).expect("a point")["win_pct"].clone()
    };
    assert_eq!((point("ELO", 0), point("ELO", 3)), (json!(1.0), json!(0.5)));
    assert_close(&point("nn_v2", 4), 2.0 / 3.0, "nn_v2");
}

#[tokio::test]
async fn a_headline_model_answers_requests_that_name_none() {
    let (site, service) = league().await;
    let paths = ["strategies/nfl/won_on_points", "results/nfl/won_on_points/density"];
    let mut named = Vec::new();
    for path in paths {
        named.push(service.json_of(&format!("{path}?model=ELO")).await);
    }
    drop(service);
    let headline = tempfile::tempdir().expect("a folder");
    let release = json!({ "sport": "nfl", "slate_date": "2023-09-15", "headline": "ELO" });
    std::fs::write(headline.path().join("release.json"), release.to_string()).expect("written");
    site.publish(headline.path());
    let service = site.app().await;
    for (path, named) in paths.into_iter().zip(named) {
        let (default, blend) = (service.json_of(path).await, service.json_of(&format!("{path}?model=BLEND")).await);
        assert_eq!((&default, &blend["model"]), (&named, &json!("BLEND")), "{path}");
    }
    assert_eq!(service.json_of("models/nfl").await["headline"], "ELO");
}

#[tokio::test]
async fn the_models_of_a_league_are_listed_with_their_games() {
    let (site, service) = league().await;
    let listed = service.json_of("models/nfl").await;
    let names: Vec<_> = listed["models"].as_array().expect("models").iter().map(|of| of["model"].clone()).collect();
    assert_eq!(names, ["AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ELO", "nn_v2"]);
    let elo = of_model(&listed["models"], "ELO");
    assert_eq!((&elo["kind"], &elo["title"], &elo["public"]), (&json!("own"), &json!("Elo with travel"), &json!(true)));
    assert_eq!((&elo["declared_generation"], &elo["versions"][0]["version"]), (&json!(1), &json!("1")));
    let leaf = League::nfl(&site.place.store()).leaf(1, "sports-record/v1 model\nnfl 1\nELO 1 -\n").expect("a leaf");
    assert_eq!(elo["versions"][0]["record_index"], json!(leaf));
    let games = json!([{ "model_type": "won_on_points", "seasons": ["2023-24"], "games": 4, "games_before": 4 }]);
    assert_eq!(elo["markets"], games);
    let table = service.get("/api/v1/models/nfl?format=csv").await;
    assert_eq!(table.text().lines().count(), 11, "{}", table.text());
    service.get("/api/v1/models/nhl").await.failure(404);
}

#[tokio::test]
async fn a_model_that_a_league_lacks_is_refused_by_name() {
    let (_site, service) = league().await;
    let path = "/api/v1/strategies/nfl/won_on_points";
    let has = "it has AI, BLEND, CATB, RF, LGB, LOGR, XGB, XT, ELO, nn_v2";
    let unknown = [("FOO", String::new()), ("elo", " (did you mean `ELO`?)".to_owned())];
    for (name, hint) in unknown {
        let detail = service.get(&format!("{path}?model={name}")).await.failure(404);
        assert_eq!(detail, format!("nfl has no model {name}; {has}{hint}"));
    }
    for (query, expected) in [
        ("model=FOO!", "`model` must be the name of a model"),
        ("model=", "`model` must be the name of a model"),
        ("model=IMPLIED", "`model` must be a model: IMPLIED is the market's probability"),
        ("model=ENSEMBLE", "`model` must be a model: ENSEMBLE has no probability"),
        ("model=ELO&model=ELO", "`model` is given more than once"),
    ] {
        assert_eq!(service.get(&format!("{path}?{query}")).await.failure(400), expected);
    }
    for list in ["ELO,,BLEND", "ELO,ELO", ""] {
        let detail = service.get(&format!("/api/v1/summary/nfl/won_on_points?models={list}")).await.failure(400);
        assert_eq!(detail, "`models` must be names separated by commas, each once");
    }
    service.get("/api/v1/summary/nfl/won_on_points?models=ELO,FOO").await.failure(404);
    service.get("/api/v1/summary/nfl/won_on_points?model=ELO").await.failure(400);
    service.get(&format!("{path}?models=ELO")).await.failure(400);
}

#[tokio::test]
async fn rows_of_a_season_have_own_models_behind_those_of_the_specification() {
    let (_site, service) = league().await;
    let page = service.page("nfl/won_on_points").await;
    assert!(page.text().contains(r#""XT":null,"ELO":"#), "{}", page.text());
    let page = page.json();
    let rows = page["results"].as_array().expect("rows");
    let given: Vec<_> = rows.iter().map(|row| (row["ELO"].clone(), row["nn_v2"].clone())).collect();
    assert!(given.contains(&(json!(0.62), json!(0.58))) && given.contains(&(json!(0.55), Value::Null)), "{given:?}");
    let csv = service.get("/api/v1/results/nfl/won_on_points?format=csv").await;
    let head = csv.text().lines().next().expect("a head").to_owned();
    assert!(head.contains("XT,ELO,nn_v2"), "{head}");
}
