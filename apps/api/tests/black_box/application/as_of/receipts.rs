//! Receipts: the head of the record on each answer behind a key that is of one league.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Record, with};
use crate::folder::League;
use crate::operations;
use crate::service::{Answer, Service, Site};
use crate::signed::sign;

const HEAD: &str = "x-record-head";
const RAVENS: &str = "game_id=nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";

/// Returns the head of the tree that an entry states.
fn stated(site: &Site, generation: u64) -> String {
    let text = fs::read_to_string(League::nfl(&site.place.store()).entry(generation)).expect("an entry");
    let entry: Value = serde_json::from_str(&text).expect("JSON");
    let root = entry["record"]["root"].as_str().expect("a root");
    format!("nfl {} {root}", entry["record"]["size"])
}

/// Returns each reading operation of one league, with its address, and whether it is public.
async fn of_a_league(service: &Service) -> Vec<(String, bool)> {
    let operations = operations::all(service).await.into_iter();
    let of_a_league =
        operations.filter(|operation| operation.method == Method::GET && operation.template.contains("{sport}"));
    let address = |operation: operations::Operation| {
        let path = operation.path();
        let path = if operation.is_of_a_game() { with(&path, RAVENS) } else { path };
        let names_market = operation.takes.iter().any(|name| name == "model_type");
        (if names_market { with(&path, "model_type=won_on_points") } else { path }, operation.public)
    };
    of_a_league.map(address).collect()
}

#[tokio::test]
async fn each_answer_behind_a_key_has_the_head_of_the_league_and_no_public_one_has() {
    let record = Record::new();
    let _ = sign(&record.site).await;
    let service = record.site.app_with(&[("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")]).await;
    let head = stated(&record.site, 4);
    let operations = of_a_league(&service).await;
    assert!(operations.len() > 20, "{operations:?}");
    for (path, is_public) in &operations {
        // The third answer comes from the response cache.
        for _ in 0..3 {
            let answer = service.get(path).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            assert_eq!(answer.header(HEAD), (!is_public).then_some(&*head), "{path}");
        }
    }
    let document = service.get("/openapi.json").await.json();
    for (template, item) in document["paths"].as_object().expect("paths") {
        let Some(answer) = item["get"]["responses"].get("200") else { continue };
        let takes_key = item["get"]["security"].as_array().is_some_and(|ways| ways.iter().any(|way| *way != json!({})));
        let expected = takes_key && template.contains("{sport}");
        assert_eq!(answer["headers"].get("X-Record-Head").is_some(), expected, "{template}");
    }
}

#[tokio::test]
async fn an_answer_of_a_moment_has_the_head_of_its_generation() {
    let record = Record::new();
    let service = record.site.app().await;
    let heads: Vec<_> = (1..=4).map(|generation| stated(&record.site, generation)).collect();
    assert!(heads.windows(2).all(|pair| pair[0] != pair[1]), "{heads:?}");
    let paths = [
        "/api/v1/odds/nfl",
        "/api/v1/games/nfl?format=csv",
        "/api/v1/summary/nfl/won_on_points",
        "/api/v1/results/nfl/won_on_points?season=2023-24&limit=3",
        "/api/v1/results/nfl/won_on_points/seasons",
        "/api/v1/data-status/nfl",
    ];
    for path in paths {
        for (generation, head) in (1..).zip(&heads) {
            let path = with(path, &format!("generation={generation}"));
            let answer = service.get(&path).await;
            assert_eq!((answer.status, answer.header(HEAD)), (200, Some(&**head)), "{path}");
            let etag = answer.header("etag").expect("a validator");
            let same = Answer::to(service.keyed(&path).header("If-None-Match", etag)).await;
            assert_eq!((same.status, same.header(HEAD)), (304, Some(&**head)), "{path}");
        }
    }
}
