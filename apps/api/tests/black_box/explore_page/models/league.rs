//! A league with 32 models of its publisher beside the eight standard ones.

use std::fs;

use serde_json::{Map, Value, json};

use crate::folder::Folder;
use crate::service::{Service, Site};

/// A title that a page must not take for markup.
pub(super) const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// The own model that the second release retires.
pub(super) const RETIRED: &str = "m07";

/// The names of own models; the first seven are hard on a page.
fn own() -> Vec<String> {
    let hard = ["ELO", "a.b-c_1", "a.b.c_1", "constructor", "nan", "toString", "true"].map(str::to_owned);
    hard.into_iter().chain((7..32).map(|number| format!("m{number:02}"))).collect()
}

/// Returns the declarations of the own models, of which ELO and `nan` are public.
fn declarations() -> Value {
    let mut models: Map<_, _> = own().into_iter().map(|name| (name, json!({}))).collect();
    models["ELO"] = json!({ "title": MARKUP, "description": "One rating a team.", "public": true });
    models["a.b-c_1"] = json!({ "title": "W".repeat(64), "version": "2024.1" });
    models["nan"] = json!({ "public": true });
    models.into()
}

fn probability(row: usize, column: usize) -> f64 {
    f64::from(u32::try_from(300 + (row * 31 + column * 17) % 400).expect("small")) / 1000.0
}

/// Adds the column AI and those of the own models to a table.
fn widened(text: &str) -> String {
    let columns: Vec<_> = ["AI".to_owned()].into_iter().chain(own()).collect();
    if let Ok(Value::Array(mut games)) = serde_json::from_str(text) {
        for (row, game) in games.iter_mut().enumerate() {
            for (column, name) in columns.iter().enumerate() {
                game[name] = probability(row, column).into();
            }
        }
        return Value::from(games).to_string();
    }
    let cell = |row, (column, name): (usize, &String)| match row {
        0 => name.clone(),
        _ => probability(row, column).to_string(),
    };
    let lines = text.lines().enumerate();
    let lines = lines.map(|(row, line)| {
        let cells = columns.iter().enumerate().map(|column| cell(row, column));
        [line.to_owned()].into_iter().chain(cells).collect::<Vec<_>>().join(",")
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Publishes a fixture with own models at an instant, then the retirement of a model.
fn publish(site: &Site, fixture: &str, files: &[&str], at: &str) {
    let declare = |text: &str| {
        let mut release: Value = serde_json::from_str(text).expect("JSON");
        release["models"] = declarations();
        release.to_string()
    };
    let folder = Folder::copy_of(fixture).edit("release.json", declare);
    let folder = files.iter().fold(folder, |folder, file| folder.edit(file, widened));
    let printed = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", at]);
    assert!(printed.contains("published: "), "{printed}");
    let last = tempfile::tempdir().expect("a folder");
    let release = json!({ "sport": "nfl", "slate_date": &at[..10], "models": { RETIRED: { "retired": true } } });
    fs::write(last.path().join("release.json"), release.to_string()).expect("written");
    let printed = site.place.ctl(["publish", last.path().to_str().expect("text"), "--as-of", at]);
    assert!(printed.contains("published: "), "{printed}");
}

/// Returns a server with a slate before play.
pub(super) async fn slate() -> (Site, Service) {
    let site = Site::empty();
    let files = ["predictions/over_under.csv", "predictions/won_on_spread.csv", "predictions/won_on_points.json"];
    publish(&site, "nfl-2023-week-18-slate", &files, "2024-01-06T15:00:00Z");
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T15:05:00Z")]).await;
    (site, service)
}

/// Returns a server with the results of a week.
pub(super) async fn week() -> (Site, Service) {
    let site = Site::empty();
    let files = ["over_under", "won_on_points", "won_on_spread"].map(|of| format!("probabilities/{of}/2023-24.csv"));
    publish(&site, "nfl-2023-week-18", &files.each_ref().map(String::as_str), "2024-01-08T15:00:00Z");
    let service = site.serve().await;
    (site, service)
}
