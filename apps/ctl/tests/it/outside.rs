//! A publisher who cheats, seen from outside: the store was really altered, a real server serves it, and commands that a
//! customer can run name the game or the size.

mod cheats;
mod late;
mod public;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sports_testkit::programs::{Server, TestFolder, copy_folder, fixture};
use sports_testkit::services::WitnessStandIn;

use crate::support::{Completed, catalog, run, run_json};
use cheats::{forecast_of_ravens, rewrite, withhold};

const SLATE: &str = "nfl-2023-week-18-slate";
const SEASON: &str = "2023-24";
const ORIGIN: &str = "example.com/api/v1/record";
/// Hours before the week's first game, at which a witness receives the forecasts.
const IN_TIME: u64 = 1_704_553_201;
/// An hour after the start of the first game, Pittsburgh at Baltimore, at 2024-01-06T21:30:00Z.
const TOO_LATE: u64 = 1_704_576_600 + 3_600;
const AFTER_THE_WEEK: u64 = 1_704_726_000;

/// A publisher with a key and a witness.
struct Publisher {
    place: TestFolder,
    witness: WitnessStandIn,
    log: String,
}

impl Publisher {
    fn new() -> Self {
        Self::of_origin(ORIGIN)
    }

    /// A publisher whose logs have this common name.
    fn of_origin(origin: &str) -> Self {
        let witness = WitnessStandIn::start("witness.example.com/w");
        let place = with_key_file(TestFolder::fresh()).with("SPORTS_RECORD__ORIGIN", origin);
        let place = place.with("SPORTS_RECORD__WITNESSES", witness.setting());
        let made = run_json(&place, ["record", "init"]);
        let nfl = made["keys"].as_array().and_then(|keys| keys.iter().find(|key| key["sport"] == "nfl"));
        let log = nfl.and_then(|key| key["vkey"].as_str()).expect("a vkey").to_owned();
        Self { place, witness, log }
    }

    /// A publisher who published the week and settled it, each with the word of a witness from this second.
    fn of_week(received: u64) -> Self {
        let publisher = Self::new();
        publisher.witness.set_time(received);
        publish(&publisher.place);
        publisher.settle();
        publisher
    }

    fn settle(&self) {
        self.witness.set_time(AFTER_THE_WEEK);
        settle(&self.place, "2024-01-08T15:00:00Z");
    }

    fn serve(&self) -> Outside<'_> {
        let key = self.place.subscriber_key();
        Outside { publisher: self, key, server: self.place.serve() }
    }
}

fn with_key_file(place: TestFolder) -> TestFolder {
    let key = place.path().join("record.key").display().to_string();
    place.with("SPORTS_RECORD__KEY_FILE", key).with("SPORTS_RECORD__ORIGIN", ORIGIN)
}

fn publish(place: &TestFolder) {
    let release = fixture(SLATE).join("release");
    let done = run(place, ["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    assert_eq!(done.code, Some(0), "{done:?}");
}

fn settle(place: &TestFolder, at: &str) {
    let finals = fixture(SLATE).join("finals.csv");
    let done = run(place, ["settle", "nfl", finals.to_str().expect("text"), "--as-of", at]);
    assert_eq!(done.code, Some(0), "{done:?}");
}

/// The service of a publisher, and a customer's key.
struct Outside<'p> {
    publisher: &'p Publisher,
    key: String,
    server: Server,
}

impl Outside<'_> {
    fn check(&self, words: &[&str]) -> Completed {
        let (url, log) = (self.server.url(""), self.publisher.log.as_str());
        run(&self.publisher.place, [&["record"], words, &["--url", &url, "--log", log, "--json"]].concat())
    }

    /// Audits the season, with the witness.
    fn audit(&self) -> Completed {
        let witness = self.publisher.witness.key().to_string();
        self.check(&["audit", "nfl", SEASON, "--key", &self.key, "--witness", &witness])
    }

    fn watch(&self, state: &Path) -> Completed {
        self.check(&["watch", "nfl", "--state", state.to_str().expect("text")])
    }
}

/// Asserts that an audit ends with a code, and that all it found is of one kind and about the game of the Ravens in each market
/// once; returns the sentences.
fn found_about_ravens(done: &Completed, code: i32, kind: &str) -> Vec<String> {
    assert_eq!(done.code, Some(code), "{done:?}");
    let report = done.json();
    let findings = report["findings"].as_array().expect("findings").clone();
    for finding in &findings {
        assert_eq!((&finding["kind"], &finding["game"]), (&json!(kind), &json!(RAVENS)), "{finding}");
    }
    findings.iter().map(|finding| finding["sentence"].as_str().expect("a sentence").to_owned()).collect()
}

const RAVENS: &str = "2024-01-06 16:30:00 pittsburgh_steelers at baltimore_ravens";

#[test]
fn a_week_that_was_published_with_a_clock_three_hours_back_is_not_attested() {
    let publisher = Publisher::of_week(TOO_LATE);
    let sentences = found_about_ravens(&publisher.serve().audit(), 3, "not_attested");
    assert_eq!(sentences.len(), 3, "the other games had not started: {sentences:?}");
    assert!(sentences.iter().all(|sentence| sentence.contains("before the start")), "{sentences:?}");
}

#[tokio::test]
async fn a_probability_that_was_changed_after_the_games_differs() {
    let publisher = Publisher::of_week(IN_TIME);
    rewrite(&publisher.place.store(), 2, |game| Some(forecast_of_ravens(game, 0.4662))).await;
    let sentences = found_about_ravens(&publisher.serve().audit(), 1, "differs");
    assert_eq!(sentences.len(), 3, "{sentences:?}");
    assert!(
        sentences.iter().any(|text| text.contains("BLEND is 0.4662 in results and 0.5661 in leaf")),
        "{sentences:?}"
    );
}

/// Every archive is rewritten, each entry is linked again, and the leaves stay.
#[tokio::test]
async fn an_archive_that_was_rewritten_with_all_links_is_found_with_its_game() {
    let publisher = Publisher::of_week(IN_TIME);
    rewrite(&publisher.place.store(), 1, |game| Some(forecast_of_ravens(game, 0.4662))).await;
    let done = publisher.serve().audit();
    let sentences = found_about_ravens(&done, 1, "unopened");
    assert_eq!(sentences.len(), 3, "{sentences:?}");
    assert!(sentences.iter().all(|text| text.contains("commits to a forecast that is not opened")), "{sentences:?}");
    let chain = json!(["the leaf of generation 2 continues another entry than the listed one, generation 1"]);
    assert_eq!(done.json()["contradictions"], chain);
    let verified = run(&publisher.place, ["verify", "nfl"]);
    assert!(verified.code == Some(1) && verified.err.contains("entry 1: "), "{verified:?}");
}

#[tokio::test]
async fn a_loser_that_was_removed_from_results_is_missing() {
    let publisher = Publisher::of_week(IN_TIME);
    rewrite(&publisher.place.store(), 2, |game| (!cheats::is_of_ravens(&game)).then_some(game)).await;
    let sentences = found_about_ravens(&publisher.serve().audit(), 1, "missing");
    assert_eq!(sentences.len(), 3, "{sentences:?}");
}

/// The leaf is left out before the tree is signed, so tree, entry and signature fit each other.
#[tokio::test]
async fn a_leaf_that_was_withheld_is_found_with_its_game() {
    let publisher = Publisher::new();
    let unsigned = TestFolder::fresh();
    publish(&unsigned);
    copy_folder(&unsigned.store(), &publisher.place.store());
    withhold(&publisher.place.store()).await;
    let signed = run(&publisher.place, ["record", "sign", "nfl"]);
    assert_eq!((signed.code, signed.err.as_str()), (Some(0), ""), "{signed:?}");
    publisher.settle();
    let sentences = found_about_ravens(&publisher.serve().audit(), 1, "differs");
    let [sentence] = &sentences[..] else { panic!("one market: {sentences:?}") };
    assert!(sentence.ends_with("has leaves, and none of this game"), "{sentence}");
}

/// Returns the head of an entry as an answer states it.
fn head(place: &TestFolder, generation: u64) -> (Value, String) {
    let record = catalog(place, "nfl", generation)["record"].clone();
    (record["size"].clone(), format!("nfl {} {}", record["size"], record["root"].as_str().expect("a root")))
}

#[test]
fn two_trees_of_one_size_are_a_fork_for_a_watcher_and_for_a_kept_head() {
    let publisher = Publisher::new();
    publish(&publisher.place);
    // A second machine with the key and all that was signed so far; it names no witness.
    let other = with_key_file(TestFolder::fresh());
    copy_folder(&publisher.place.store(), &other.store());
    fs::copy(publisher.place.path().join("record.key"), other.path().join("record.key")).expect("copied");
    copy_folder(&publisher.place.path().join("record.key.signed"), &other.path().join("record.key.signed"));
    publisher.settle();
    settle(&other, "2024-01-08T16:00:00Z");
    let (size, kept) = head(&publisher.place, 2);
    let (same, forked) = head(&other, 2);
    assert!(size == same && kept != forked, "{kept} {forked}");

    let state = publisher.place.path().join("kept");
    let outside = publisher.serve();
    let watched = outside.watch(&state).json();
    assert_eq!((&watched["records"][0]["verdict"], &watched["code"]), (&json!("first"), &json!(0)), "{watched}");
    assert_eq!(outside.check(&["watch", "nfl", "--head", &kept]).code, Some(0));
    drop(outside);
    let outside = Outside { publisher: &publisher, key: String::new(), server: other.serve() };
    let watched = outside.watch(&state);
    assert_eq!(watched.code, Some(1), "{watched:?}");
    let sentence = format!("the checkpoint of size {size} contradicts the kept one, and both are kept");
    assert!(watched.out.contains(&sentence), "{watched:?}");
    let names = fs::read_dir(&state).expect("a folder").flatten();
    let names: Vec<_> = names.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let is_fork = |name: &String| name.starts_with(&format!("nfl.{size}."));
    assert!(names.contains(&"nfl.checkpoint".to_owned()) && names.iter().any(is_fork), "{names:?}");
    let checked = outside.check(&["watch", "nfl", "--head", &kept]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.out.contains(&format!("the checkpoint of size {size} contradicts the head")), "{checked:?}");
}
