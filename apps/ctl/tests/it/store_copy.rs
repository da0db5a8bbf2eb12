//! Copies of a store into another: complete, repeated, interrupted, and refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture, real_data};
use sports_testkit::services::{Condition, Network, S3Server};

use crate::real_leagues;
use crate::support::{Completed, files, publish, run, run_json};

/// Creates a place with a store in a folder, and the environment of programs that copy it into a bucket.
fn beside(server: &S3Server, endpoint: &str) -> (TestFolder, String) {
    let url = format!("s3://{}/live", server.fresh_bucket());
    let variables = S3Server::variables_at(endpoint);
    let place = variables.into_iter().fold(TestFolder::fresh(), |place, (name, value)| place.with(name, value));
    (place, url)
}

fn directly(server: &S3Server) -> (TestFolder, String) {
    beside(server, &format!("http://{}", server.address()))
}

fn folder(place: &TestFolder, name: &str) -> String {
    format!("file:{}", place.path().join(name).display())
}

fn copy(place: &TestFolder, from: &str, to: &str) -> Completed {
    run(place, ["store", "copy", "--from", from, "--to", to, "--json"])
}

/// Returns the part of a copy's report about the published league.
fn nfl(copied: &Value) -> &Value {
    let verified = copied["verified"].as_array().expect("leagues");
    verified.iter().find(|league| league["sport"] == "nfl").expect("one league")
}

/// Returns every file of a store with its bytes.
fn contents(store: &Path) -> Vec<(String, Vec<u8>)> {
    let relative = |file: &Path| file.strip_prefix(store).expect("in it").display().to_string();
    files(store).iter().map(|file| (relative(file), fs::read(file).expect("read"))).collect()
}

#[test]
fn a_copied_store_has_the_same_record_and_copied_back_the_same_files() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    for release in ["nfl-2023-week-18", "edge-cases"] {
        publish(&place, &fixture(release).join("release"));
    }
    let sold = place.path().join("nfl.csv");
    fs::write(&sold, "a,b\n1,2\n").expect("written");
    let _ = place.ctl(["migrate"]);
    let _ = run_json(&place, [Path::new("dataset"), Path::new("add"), Path::new("odds"), Path::new("nfl"), &sold]);
    // An object that no entry names is copied as well, if its name is the hash of its content.
    let unnamed = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    fs::write(place.store().join(format!("sports/nfl/objects/{unnamed}.json")), "abc").expect("written");
    fs::write(place.store().join("sports/nfl/log/notes.txt"), "no entry").expect("written");

    let source = folder(&place, "store");
    let head = |store: &str| run_json(&place, ["verify", "nfl", "--store", store])["verified"][0]["head"].clone();
    let first = copy(&place, &source, &bucket);
    assert_eq!(first.code, Some(0), "{first:?}");
    let json = first.json();
    assert_eq!((&json["copied"]["entries"], &json["copied"]["present"]), (&json!(2), &json!(0)), "{json}");
    assert_eq!((head(&source), &nfl(&json)["head"]), (head(&bucket), &head(&bucket)));

    let again = copy(&place, &source, &bucket).json();
    assert_eq!((&again["copied"]["entries"], &again["copied"]["objects"]), (&json!(0), &json!(0)), "{again}");

    let back = copy(&place, &bucket, &folder(&place, "back"));
    assert_eq!(back.code, Some(0), "{back:?}");
    fs::remove_file(place.store().join("sports/nfl/log/notes.txt")).expect("removed");
    assert_eq!(contents(&place.path().join("back")), contents(&place.store()));
}

#[test]
fn the_next_copy_brings_what_was_published_since() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    assert_eq!(copy(&place, &folder(&place, "store"), &bucket).code, Some(0));
    publish(&place, &fixture("edge-cases").join("release"));
    let next = copy(&place, &folder(&place, "store"), &bucket).json();
    assert_eq!(next["copied"]["entries"], 1, "{next}");
    assert_eq!(nfl(&next)["entries"], 2, "{next}");
}

#[test]
fn a_target_with_another_record_is_refused_with_the_first_difference() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    let (ours, theirs) = (folder(&place, "store"), folder(&place, "theirs"));
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    let other = fixture("edge-cases").join("release");
    let _ = run_json(&place, [Path::new("publish"), &other, Path::new("--store"), Path::new(&theirs)]);
    assert_eq!(copy(&place, &theirs, &bucket).code, Some(0));
    let refused = copy(&place, &ours, &bucket);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.out.contains("entry 1 of nfl has other bytes"), "{refused:?}");
    // A target that is ahead is another record, too.
    let ahead = folder(&place, "ahead");
    assert_eq!(copy(&place, &ours, &ahead).code, Some(0));
    let _ = run_json(&place, [Path::new("publish"), &other, Path::new("--store"), Path::new(&ahead)]);
    let refused = copy(&place, &ours, &ahead);
    assert!(refused.code == Some(2) && refused.out.contains("entry 2 of nfl is not in the source"), "{refused:?}");
    for (from, to) in [(&*ours, &*ours), (&*folder(&place, "missing"), &*bucket), (&*ours, "s3://no-such-bucket")] {
        let refused = copy(&place, from, to);
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
}

#[test]
fn a_copy_into_its_own_source_is_refused_through_links_too() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    std::os::unix::fs::symlink(place.store(), place.path().join("linked")).expect("a link");
    let before = files(&place.store());
    for target in ["store/copy", "linked", "linked/copy"] {
        let refused = copy(&place, &folder(&place, "store"), &folder(&place, target));
        assert!(refused.code == Some(2) && refused.out.contains("is in the store"), "{target}: {refused:?}");
    }
    assert_eq!(files(&place.store()), before);
}

#[test]
fn an_empty_source_is_refused() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    assert_eq!(copy(&place, &folder(&place, "store"), &bucket).code, Some(0));
    let refused = copy(&place, &format!("{bucket}-mistyped"), &folder(&place, "back"));
    assert!(refused.code == Some(2) && refused.out.contains("nothing in the source"), "{refused:?}");
}

#[test]
fn a_damaged_object_of_the_source_is_named_and_not_copied() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    let object = files(&place.store().join("sports/nfl/objects")).remove(0);
    fs::write(&object, "damaged").expect("written");
    let refused = copy(&place, &folder(&place, "store"), &bucket);
    let name = object.file_name().and_then(|name| name.to_str()).expect("a name");
    assert!(refused.code == Some(1) && refused.out.contains(name), "{refused:?}");
}

#[test]
fn a_copy_that_was_killed_is_completed_by_the_next() {
    let server = S3Server::start();
    let network = Network::to(server.address());
    let (place, bucket) = beside(&server, &format!("http://{}", network.address()));
    for release in ["nfl-2023-week-18", "edge-cases"] {
        publish(&place, &fixture(release).join("release"));
    }
    let source = folder(&place, "store");
    network.becomes(Condition::Slow(Duration::from_millis(150)));
    for killed_after in [1, 4, 9] {
        let kept = server.folder_of(bucket.split('/').nth(2).expect("a bucket"));
        let mut copying =
            place.sportsctl(["store", "copy", "--from", &source, "--to", &bucket]).spawn().expect("starts");
        for _ in 0..1_000 {
            if files(&kept).len() >= killed_after || copying.try_wait().expect("polled").is_some() {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(5));
        }
        copying.kill().expect("killed");
        copying.wait().expect("ended");
    }
    network.becomes(Condition::Well);
    let completed = copy(&place, &source, &bucket);
    assert_eq!(completed.code, Some(0), "{completed:?}");
    let back = folder(&place, "back");
    assert_eq!(copy(&place, &bucket, &back).code, Some(0));
    assert_eq!(contents(&place.path().join("back")), contents(&place.store()));
}

#[test]
fn real_leagues_are_copied_whole() {
    let Some(data) = real_data() else { return };
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    for sport in ["nfl", "nba", "mlb", "ncaaf", "ncaab"] {
        let release = place.path().join(sport);
        real_leagues::release(&data, sport, &release);
        publish(&place, &release);
    }
    let copied = copy(&place, &folder(&place, "store"), &bucket);
    assert_eq!(copied.code, Some(0), "{copied:?}");
    let verified = |store: &str| run_json(&place, ["verify", "--store", store])["verified"].clone();
    assert_eq!(verified(&bucket), verified(&folder(&place, "store")));
}

#[test]
fn a_store_in_a_bucket_is_refused_in_a_backup_with_the_remedy() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    let _ = place.ctl(["migrate"]);
    let backup = place.path().join("backup");
    let backup = backup.to_str().expect("text");
    let refused = run(&place, ["backup", backup, "--store", &bucket]);
    assert!(refused.code == Some(2) && refused.err.contains("sportsctl store copy"), "{refused:?}");
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    let _ = place.ctl(["backup", backup]);
    let refused = run(&place, ["restore", backup, "--store", &bucket]);
    assert!(refused.code == Some(2) && refused.err.contains("sportsctl store copy"), "{refused:?}");
}

#[test]
fn requests_to_a_busy_store_are_repeated_and_reported() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    let release = fixture("nfl-2023-week-18").join("release");
    let release = release.to_str().expect("text");

    server.answer_busy(12);
    let output = run(&place, ["publish", release, "--store", &bucket]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.err.contains("the store answers 503 Service Unavailable; requests are repeated"), "{output:?}");
    assert!(output.err.contains("failed for a while and were repeated: 12\n"), "{output:?}");
    let verified = run_json(&place, ["verify", "nfl", "--store", &bucket]);
    assert_eq!((&verified["verified"][0]["entries"], verified.get("store_retries")), (&json!(1), None), "{verified}");

    server.answer_busy(9);
    let copied = copy(&place, &bucket, &folder(&place, "copied"));
    assert_eq!((copied.code, copied.err.as_str()), (Some(0), ""), "{copied:?}");
    assert_eq!(copied.json()["store_retries"], 9);
    assert_eq!(nfl(&copied.json())["head"], verified["verified"][0]["head"]);
}

#[test]
fn a_publish_into_a_store_that_stays_busy_publishes_nothing() {
    let server = S3Server::start();
    let (place, bucket) = directly(&server);
    server.answer_busy(usize::MAX);
    let release = fixture("nfl-2023-week-18").join("release");
    let output = run(&place, ["publish", release.to_str().expect("text"), "--store", &bucket]);
    assert_eq!(output.code, Some(1), "{output:?}");
    let errors = output.err.lines().find_map(|line| line.split("were repeated: ").nth(1)?.parse::<u32>().ok());
    // A server stops retrying after three attempts.
    assert!(output.err.contains("503") && errors.is_some_and(|errors| errors > 10), "{output:?}");
    server.answer_busy(0);
    assert_eq!(run_json(&place, ["verify", "nfl", "--store", &bucket])["verified"][0]["entries"], 0);
}
