//! A visitor without a key, of a league whose record is open.

use serde_json::json;

use super::visit::{Visit, text};
use crate::browser::Browser;
use crate::public_record::{league, serve};

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_track_record_has_the_open_seasons_without_a_key() {
    let site = league();
    for (public, season, sections) in [("nfl=all", "2023-24", 1), ("nfl=finished", "2022-23", 0)] {
        let Some(mut browser) = Browser::start() else { return };
        let service = serve(&site, public).await;
        let mut visit = Visit::start(&mut browser, &service).await;
        visit.show("track-record/nfl/won_on_points").await;
        let headings = visit.text("main h2");
        let headings = headings.as_array().expect("texts");
        let is_there = |heading: &str| headings.iter().any(|found| text(found).starts_with(heading));
        assert!(is_there(&format!("Summary of {season}")), "{public}: {headings:?}");
        // Curves and heat maps are of all seasons.
        assert_eq!(headings.iter().filter(|found| text(found).starts_with("Four-week curves")).count(), sections);
        let note = visit.text("#public-record")[0].clone();
        assert!(text(&note).starts_with("This record is open to everybody. With a key you see"), "{note}");
        assert_eq!(visit.text("#summary-ELO").as_array().map(Vec::len), Some(1), "the public model");
        assert_eq!(visit.text("#summary-nn_v2"), json!([]), "a hidden model");
        assert_eq!(visit.complaints(), Vec::<String>::new());
    }
}
