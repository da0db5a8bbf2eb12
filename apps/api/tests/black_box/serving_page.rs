//! The commands of docs/serving.md, and those of docs/answers.md about a slate, section by section.

use std::collections::BTreeMap;
use std::fs;

use regex_lite::Regex;
use sports_testkit::programs::{TestFolder, fixture};
use sports_testkit::services::S3Server;

use crate::console::{Sample, matches_sample, samples};
use crate::folder::League;
use crate::service::{Answer, Service, Site};
use crate::terminal::{follow, listening_at, on_free_ports, page, section, shell};

const PAGE: &str = "docs/serving.md";
const ANSWERS: &str = "docs/answers.md";
/// The morning of the week on the page.
const SATURDAY: &str = "2024-01-06T15:00:00Z";

/// Runs the commands of a section of a page against a server.
fn run_section((name, heading): (&str, &str), service: &Service, place: &TestFolder) {
    let shown = section(&page(name), heading).replace("http://127.0.0.1:8080", &service.url(""));
    follow(&shown, place.path(), &[("SPORTS_API_KEY", service.key())]);
}

#[test]
fn a_server_starts_as_shown() {
    let shown = on_free_ports(section(&page(PAGE), "## Start it"), &["8080"]);
    follow(&shown, TestFolder::fresh().path(), &[("SPORTS_HTTP__BIND", listening_at(&shown))]);
}

#[test]
fn settings_are_printed_and_refused_as_shown() {
    let page = page(PAGE);
    let shown = section(&page, "## Settings");
    assert_eq!(samples(shown).len(), 3);
    follow(shown, TestFolder::fresh().path(), &[]);
}

#[test]
fn a_missing_bucket_is_refused_as_shown() {
    let store = S3Server::start();
    let variables = store.variables();
    let (_, endpoint) = variables.iter().find(|(name, _)| *name == "AWS_ENDPOINT_URL").expect("an endpoint");
    let shown = section(&page(PAGE), "## A store in a bucket").replace("http://127.0.0.1:9000", endpoint);
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    follow(&shown, TestFolder::fresh().path(), &variables);
}

/// Identifiers are drawn anew: those of the page are matched with the printed ones.
#[test]
fn a_customer_gets_a_key_and_loses_it_as_shown() {
    let place = TestFolder::fresh();
    let drawn = Regex::new("cus_[0-9a-z]{16}|sk_service_[0-9A-Za-z]{4}").expect("a pattern");
    let mut meant = BTreeMap::new();
    for Sample { command, printed } in samples(section(&page(PAGE), "## Customers and keys")) {
        let mut shell = shell(place.path(), &in_place(&command, &meant));
        let output = shell.env("SPORTS_CLOCK__AS_OF", "2026-11-21T08:45:00Z").output().expect("bash runs");
        let output_text = String::from_utf8([output.stderr, output.stdout].concat()).expect("text");
        let places = drawn.find_iter(&printed).zip(drawn.find_iter(&output_text));
        meant.extend(places.map(|(shown, own)| (shown.as_str().to_owned(), own.as_str().to_owned())));
        assert!(matches_sample(&output_text, &in_place(&printed, &meant)), "$ {command}\n{output_text}");
    }
    assert_eq!(meant.len(), 2);
}

/// Replaces the identifiers of the page by the drawn ones.
fn in_place(text: &str, meant: &BTreeMap<String, String>) -> String {
    meant.iter().fold(text.to_owned(), |text, (shown, own)| text.replace(shown, own))
}

#[tokio::test]
async fn the_slate_and_its_freshness_and_health_are_as_shown() {
    let site = Site::on_one_machine();
    let release = fixture("nfl-2023-week-18-slate").join("release");
    let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", SATURDAY]);
    // The harness sets a limit that has a warning in health.
    let settings = [("SPORTS_CLOCK__AS_OF", SATURDAY), ("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "10")];
    let service = site.serve_with(&settings).await;
    for shown in [(ANSWERS, "## Today's slate"), (ANSWERS, "## Is today's data there?"), (PAGE, "## Health")] {
        run_section(shown, &service, &site.place);
    }
}

#[tokio::test]
async fn a_server_without_its_database_answers_as_shown() {
    let site = Site::on_one_machine();
    site.publish_fixture("nfl-2023-week-18");
    let service = site.serve().await;
    // File permissions have no effect for root, so the file is moved away.
    fs::rename(site.place.path().join("sports.db"), site.place.path().join("away.db")).expect("renamed");
    service.until("/api/v1/readiness", |answer| answer.status == 503).await;
    run_section((PAGE, "## Failing dependencies"), &service, &site.place);
}

#[tokio::test]
async fn a_log_entry_that_cannot_be_used_is_named_as_shown() {
    let site = Site::on_one_machine();
    site.publish_fixture("nfl-2023-week-18");
    let service = site.serve().await;
    fs::write(League::nfl(&site.place.store()).entry(5), "{").expect("written");
    let named = |answer: &Answer| answer.text().contains("nfl 5");
    service.until("/api/v1/health", named).await;
    run_section((PAGE, "### A log entry that cannot be used"), &service, &site.place);
}
