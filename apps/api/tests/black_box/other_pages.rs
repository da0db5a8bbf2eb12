//! Commands on other pages: a server's metrics, a converted feed, the crate for embedding.

use std::process::Command;

use sports_testkit::programs::TestFolder;

use crate::console::{matches_sample, samples};
use crate::terminal::{follow, listening_at, on_free_ports, page, root, section};

#[test]
fn a_server_prints_the_address_of_its_metrics_as_shown() {
    let page = on_free_ports(&page("docs/monitoring.md"), &["8080", "9100"]);
    let shown = section(&page, "## Have the figures read");
    follow(shown, TestFolder::fresh().path(), &[("SPORTS_HTTP__BIND", listening_at(shown))]);
}

#[test]
fn a_feed_is_converted_as_shown() {
    let page = page("docs/converting.md");
    let shown = section(&page, "## From The Odds API to an odds file");
    // The file replaces the download, as of an evening between the first game's start and the others'.
    let (before, command) = shown.split_once("$ curl").expect("it is fetched");
    let (_, after) = command.split_once(" > feed.json").expect("into a file");
    let recorded = root().join("apps/ctl/tests/data/odds-feed.json");
    let shown = format!("{before}$ cat {} > feed.json{after}", recorded.display());
    follow(&shown, TestFolder::fresh().path(), &[("SPORTS_CLOCK__AS_OF", "2025-12-14T18:00:00Z")]);
}

#[test]
fn tables_are_converted_as_shown() {
    let page = page("docs/converting.md");
    let place = TestFolder::fresh();
    for heading in ["## From nflverse to a release", "## A map of your own", "### Own models", "## Messages"] {
        follow(section(&page, heading), place.path(), &[("SPORTS_CLOCK__AS_OF", "2026-11-23T12:00:00Z")]);
    }
}

#[test]
fn a_file_is_graded_by_the_example_as_shown() {
    let samples = samples(&page("docs/embedding.md"));
    assert_eq!(samples.len(), 1);
    for sample in samples {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let command = sample.command.replacen("cargo", &format!("\"{cargo}\" --locked"), 1);
        let graded = Command::new("bash").args(["-c", &command]).current_dir(root()).output().expect("bash runs");
        let output = String::from_utf8_lossy(&graded.stdout);
        assert!(matches_sample(&output, &sample.printed), "{output}{}", String::from_utf8_lossy(&graded.stderr));
    }
}
