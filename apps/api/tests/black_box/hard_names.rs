//! Models with names that are hard on a URL, a spreadsheet or a programming language.

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::service::Site;

const NAMES: [&str; 5] = ["a.b-c_1", "constructor", "nan", "toString", "true"];
const GAMES: usize = 5;

/// Publishes the league of the fixture `own-models` with a column of each name: 0.9, 0.8 and so on for every home team.
fn league() -> Site {
    let folder = Folder::copy_of("own-models")
        .edit("release.json", |text| {
            let mut release: Value = serde_json::from_str(text).expect("JSON");
            release["models"] = NAMES.into_iter().map(|name| (name.to_owned(), json!({}))).collect();
            release.to_string()
        })
        .edit("probabilities/won_on_points/2023-24.csv", |text| {
            let rows = text.lines().enumerate().map(|(row, line)| {
                let key: Vec<_> = line.split(',').take(4).collect();
                let cells = if row == 0 { NAMES.join(",") } else { "0.9,0.8,0.7,0.6,0.4".to_owned() };
                format!("{},{cells}\n", key.join(","))
            });
            rows.collect()
        });
    let site = Site::empty();
    site.publish(folder.path());
    site
}

#[tokio::test]
async fn models_with_hard_names_are_served_under_exactly_these_names() {
    let site = league();
    let service = site.serve().await;
    let listed = service.json_of("models/nfl").await;
    let own = listed["models"].as_array().expect("models")[8..].iter().map(|of| of["model"].clone());
    assert_eq!(own.collect::<Vec<_>>(), NAMES);
    let summary = service.json_of("summary/nfl/won_on_points").await;
    let models: Vec<_> = summary["summaries"].as_array().expect("models").iter().map(|of| &of["model"]).collect();
    assert_eq!(models[1..], NAMES);
    let rows = service.json_of("results/nfl/won_on_points").await;
    let rows = rows["results"].as_array().expect("rows").clone();
    for (name, value) in NAMES.into_iter().zip([0.9, 0.8, 0.7, 0.6, 0.4]) {
        assert!(rows.len() == GAMES && rows.iter().all(|row| row[name] == json!(value)), "{name}");
        let board = service.json_of(&format!("strategies/nfl/won_on_points?model={name}")).await;
        assert_eq!(board["model"], name);
        let alone = service.json_of(&format!("summary/nfl/won_on_points?models={name}")).await;
        assert_eq!(alone["summaries"].as_array().map(Vec::len), Some(1), "{name}");
    }
    let csv = service.get("/api/v1/results/nfl/won_on_points?format=csv").await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let columns: Vec<_> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let first = columns.iter().position(|column| column == NAMES[0]).expect("a column");
    assert_eq!(columns[first..first + NAMES.len()], NAMES);
    let lines = service.get("/api/v1/results/nfl/won_on_points?format=ndjson").await;
    let line: Value = serde_json::from_str(lines.text().lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["true"], json!(0.4));
    let printed = site.place.ctl(["models", "nfl"]);
    assert!(NAMES.into_iter().all(|name| printed.contains(&format!("\n  {name}  "))), "{printed}");
}

#[test]
fn a_template_has_the_columns_of_models_with_hard_names() {
    let site = Site::on_one_machine();
    let arguments = NAMES.into_iter().flat_map(|name| ["--model", name]);
    let printed = site.place.ctl(["template", "predictions"].into_iter().chain(arguments));
    assert!(printed.lines().next().expect("a header").ends_with(&format!("XT,{}", NAMES.join(","))), "{printed}");
}
