use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use sports_testkit::programs::TestFolder;

use crate::support::{publish, run, run_json};

const KINDS: [&str; 7] = ["games", "probabilities", "results", "odds", "predictions", "finals", "release"];

#[test]
fn a_template_has_an_empty_file_explained_columns_and_a_schema() {
    let place = TestFolder::fresh();
    for kind in KINDS {
        let json = run_json(&place, ["template", kind]);
        let text = place.ctl(["template", kind]);
        let file = json["file"].as_str().expect("a file");
        assert!(text.starts_with(file.trim_end()), "{kind}: {text}");
        for column in json["columns"].as_array().expect("a list") {
            let field = |name: &str| column[name].as_str().expect("text").to_owned();
            let line = text.lines().find(|line| line.split_whitespace().next() == Some(field("name").as_str()));
            let word = if column["required"] == true { "  required  " } else { "  optional  " };
            let line = line.unwrap_or_else(|| panic!("{kind} explains {}", field("name")));
            assert!(line.ends_with(&format!("{word}{}", field("explanation"))), "{line}");
        }
        let schema: Value =
            serde_json::from_str(&text[text.find("\n{\n  \"$schema\"").expect("a schema")..]).expect("JSON");
        assert_eq!(schema, json["schema"], "{kind}");
        let names: BTreeSet<_> = schema["properties"].as_object().expect("an object").keys().cloned().collect();
        let columns = json["columns"].as_array().expect("a list").iter();
        assert_eq!(names, columns.map(|column| column["name"].as_str().expect("text").to_owned()).collect(), "{kind}");
    }
}

#[test]
fn the_csv_of_a_template_is_its_empty_file_alone() {
    let place = TestFolder::fresh();
    for kind in KINDS.iter().filter(|kind| **kind != "release") {
        let file = run_json(&place, ["template", kind])["file"].as_str().expect("a file").to_owned();
        assert_eq!(place.ctl(["template", kind, "--csv"]), file, "{kind}");
    }
    let output = run(&place, ["template", "release", "--csv"]);
    assert!(output.code == Some(2) && output.err.contains("release.json is JSON"), "{output:?}");
}

#[test]
fn an_unknown_kind_is_refused_with_the_known_ones() {
    let output = run(&TestFolder::fresh(), ["template", "slate"]);
    assert_eq!(output.code, Some(2));
    assert!(KINDS.iter().all(|kind| output.err.contains(kind)), "{output:?}");
}

#[test]
fn a_template_has_own_models_alone_that_can_be_declared() {
    let place = TestFolder::fresh();
    assert_eq!(run(&place, ["template", "predictions", "--model", "nn_v2"]).code, Some(0));
    for name in ["odds_x", "blend", "Total"] {
        let output = run(&place, ["template", "predictions", "--model", name]);
        assert!(output.code == Some(2) && output.err.contains(&format!("{name} is no name")), "{output:?}");
    }
}

#[test]
fn a_template_without_columns_of_models_takes_no_model() {
    let place = TestFolder::fresh();
    for kind in KINDS {
        let output = run(&place, ["template", kind, "--model", "nn_v2"]);
        let has_models = ["probabilities", "results", "predictions"].contains(&kind);
        assert_eq!(output.code, Some(if has_models { 0 } else { 2 }), "{kind}");
        assert_eq!(output.err.contains("--model is for probabilities, results and predictions"), !has_models, "{kind}");
    }
}

#[test]
fn a_filled_in_template_publishes() {
    let place = TestFolder::fresh();
    let folder = place.path().join("release");
    fs::create_dir_all(folder.join("games")).expect("a folder");
    fs::create_dir_all(folder.join("probabilities/over_under")).expect("a folder");
    let header = |kind: &str| run_json(&place, ["template", kind])["file"].as_str().expect("text").to_owned();
    let row = |kind: &str, cells: &[(&str, &str)]| {
        let header = header(kind);
        let cell = |column: &str| cells.iter().find(|(name, _)| *name == column).map_or("", |(_, cell)| *cell);
        let row: Vec<_> = header.trim_end().split(',').map(cell).collect();
        format!("{header}{}\n", row.join(","))
    };
    let key = [("date", "2023-09-10"), ("away_team", "Dallas Cowboys"), ("home_team", "New York Giants")];
    let game = [&key[..], &[("over_under", "44.5"), ("away_score", "40"), ("home_score", "0")]].concat();
    fs::write(folder.join("games/2023-24.csv"), row("games", &game)).expect("written");
    let probability = [&key[..], &[("BLEND", "0.48")]].concat();
    fs::write(folder.join("probabilities/over_under/2023-24.csv"), row("probabilities", &probability))
        .expect("written");
    let manifest = header("release").replacen("\"\"", "\"nfl\"", 1).replacen("\"\"", "\"2023-09-11\"", 1);
    fs::write(folder.join("release.json"), manifest).expect("written");
    let published = publish(&place, &folder);
    assert_eq!(published["outcome"], "on_air", "{published}");
    assert_eq!(published["seasons"][0]["added"], 1, "{published}");
}
