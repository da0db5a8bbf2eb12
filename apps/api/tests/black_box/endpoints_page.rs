//! docs/endpoints.md: it has every operation, with a real answer.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use crate::console::{Sample, matches_sample, samples};
use crate::service::{Answer, Service, Site};
use crate::signed;
use crate::terminal::page;

const PAGE: &str = "docs/endpoints.md";
const BEFORE_PLAY: &str = "2024-01-06T15:00:00Z";
const SUNDAY: &str = "2024-01-07T12:00:00Z";

/// Creates the page's week on its Sunday morning, with Ann's two keys.
async fn sunday() -> (Site, Service, [String; 2]) {
    let site = Site::on_one_machine();
    let week = fixture("nfl-2023-week-18-slate");
    let _ = site.place.ctl(["publish", week.join("release").to_str().expect("text"), "--as-of", BEFORE_PLAY]);
    let finals = fs::read_to_string(week.join("finals.csv")).expect("finals");
    let saturday = site.place.path().join("saturday.csv");
    fs::write(&saturday, finals.split_inclusive('\n').take(3).collect::<String>()).expect("written");
    let settled = site.place.ctl(["settle", "nfl", saturday.to_str().expect("text"), "--as-of", SUNDAY]);
    assert!(settled.contains("2 settled"), "{settled}");

    let _ = signed::sign(&site).await;
    let created = site.place.ctl(["customer", "create", "--email", "ann@example.com", "--name", "Ann"]);
    let ann = created.split_whitespace().next().expect("an id");
    let key = |name: &str| site.place.ctl(["key", "issue", "--customer", ann, "--name", name]).trim().to_owned();
    let keys = [key("notebook"), key("spare")];
    site.add_dataset("history", "history.csv", b"date,away_team,home_team\n");
    site.entitle(ann, "history");
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", SUNDAY)]).await;
    (site, service, keys)
}

#[tokio::test]
async fn every_request_of_the_page_gets_the_answer_on_the_page() {
    let (_site, service, [key, spare]) = sunday().await;
    let of_ann = service.with_key(&key).request(Method::POST, "/api/v1/customers/me/webhooks");
    let made = Answer::to(of_ann.json(&json!({ "url": "https://example.com/hooks/sports" }))).await.json();
    let webhook = made["id"].as_str().expect("an id").to_owned();
    let mut wrong = Vec::new();
    for Sample { command, printed } in samples(&page(PAGE)) {
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", &command]).env("SPORTS_URL", service.url("")).env("WEBHOOK", &webhook);
        let output = shell.env("SPORTS_API_KEY", &key).env("SPARE", &spare).output().expect("bash runs");
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        if !matches_sample(&answer, &printed) {
            wrong.push(format!("$ {command}\n{answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn every_operation_is_on_the_page_once_with_its_summary_and_a_request() {
    let site = Site::on_one_machine();
    let service = site.serve().await;
    let document = Answer::to(service.request("/openapi.json")).await.json();
    let mut expected = BTreeMap::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            if let Some(Value::String(summary)) = operation.get("summary") {
                expected.insert(format!("{} {path}", method.to_uppercase()), format!("{summary}."));
            }
        }
    }
    let page = page(PAGE);
    let sections: Vec<_> = page.split("\n### ").skip(1).collect();
    let described: BTreeMap<_, _> = sections
        .iter()
        .map(|section| {
            assert_eq!(section.matches("\n```console\n$ curl ").count(), 1, "{section}");
            let mut lines = section.lines().filter(|line| !line.is_empty());
            let mut line = || lines.next().expect("a line").to_owned();
            (line(), line())
        })
        .collect();
    assert_eq!(described.len(), sections.len(), "an operation is there twice");
    assert_eq!(described, expected);
    // Each group has the description of its tag.
    for tag in document["tags"].as_array().expect("tags") {
        let (name, description) = (tag["name"].as_str().expect("a name"), tag["description"].as_str().expect("a text"));
        let heading = format!("\n## {}{}\n\n{description}\n", name[..1].to_uppercase(), &name[1..]);
        assert!(page.contains(&heading), "{heading}");
    }
}
