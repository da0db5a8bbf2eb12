//! Leftovers of killed publishes in a store: their listing and their removal.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{files, publish, run, run_json};

const OBJECT: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// Writes a file of the store whose last change was so many minutes ago, as was that of its folder.
fn left(place: &TestFolder, path: &str, minutes: u64) {
    let path = place.store().join(path);
    let folder = path.parent().expect("a folder");
    fs::create_dir_all(folder).expect("made");
    fs::write(&path, "half").expect("written");
    // Files have the machine's own time.
    #[expect(clippy::disallowed_methods, reason = "a file's age is measured by the machine's clock")]
    let then = SystemTime::now() - Duration::from_mins(minutes);
    File::options().write(true).open(&path).expect("a file").set_modified(then).expect("set");
    File::open(folder).expect("a folder").set_modified(then).expect("set");
}

fn paths<'a>(answer: &'a Value, field: &str) -> Vec<&'a str> {
    answer[field].as_array().expect("a list").iter().map(|file| file["path"].as_str().expect("text")).collect()
}

#[test]
fn the_next_publish_removes_only_leftovers_that_are_an_hour_old() {
    let place = TestFolder::fresh();
    let first = fixture("nfl-2023-week-18/release");
    let _ = place.ctl(["publish", first.to_str().expect("text"), "--as-of", "2029-01-01T00:00:00Z"]);
    let gone = [
        format!("sports/nfl/objects/{OBJECT}.parquet#1"),
        format!("sports/nfl/objects/{OBJECT}.json#2"),
        "sports/nfl/log/000000000002.json#1".to_owned(),
        format!("datasets/objects/{OBJECT}#1"),
        "sports/nfl/objects/draft.json#1".to_owned(),
        format!("sports/nfl/record/checkpoints/000000000066/{OBJECT}.note#1"),
        format!("sports/nfl/record/checkpoints/000000000066/{OBJECT}.tsr#3"),
        "sports/nfl/record/tile/0/x001/067#1".to_owned(),
        "sports/nfl/record/tile/1/000.p/3#1".to_owned(),
        "record/keys/000102ff.vkey#1".to_owned(),
    ];
    let kept = [
        (format!("sports/nfl/objects/{OBJECT}.parquet#3"), 30),
        ("sports/nfl/log/000000000002.json#2".to_owned(), 30),
        (format!("datasets/objects/{OBJECT}#2"), 30),
        (format!("sports/nhl/objects/{OBJECT}.parquet#1"), 90),
        ("sports/nfl/objects/notes#1".to_owned(), 90),
        (format!("sports/nfl/objects/{OBJECT}.parquet"), 90),
        (format!("sports/nfl/{OBJECT}.parquet#1"), 90),
        (format!("sports/nhl/record/checkpoints/000000000066/{OBJECT}.note#1"), 90),
        ("sports/nfl/record/tile/0/notes#1".to_owned(), 90),
        ("record/keys/000102ff.vkey#2".to_owned(), 30),
        ("sports/nfl/record/tile/0/000#1".to_owned(), 30),
    ];
    for (path, minutes) in gone.iter().map(|path| (path, 90)).chain(kept.iter().map(|(path, minutes)| (path, *minutes)))
    {
        left(&place, path, minutes);
    }
    let there = |path: &String| place.store().join(path).exists();
    let release = fixture("edge-cases/release");
    let _ = place.ctl([
        Path::new("publish"),
        &release,
        Path::new("--dry-run"),
        Path::new("--as-of"),
        Path::new("2030-01-01T00:00:00Z"),
    ]);
    assert!(gone.iter().all(there), "a dry run changes nothing");
    // The release is of another time; the age of files follows the machine's clock.
    let _ = place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2030-01-01T00:00:00Z"]);
    assert!(!gone.iter().any(there), "what is left of an hour ago goes");
    for (path, _) in &kept {
        assert!(there(path), "{path}");
    }
    let young = [&kept[1].0, &kept[0].0, &kept[10].0, &kept[9].0, &kept[2].0];
    assert_eq!(paths(&run_json(&place, ["verify", "nfl", "--unused"]), "leftovers"), young, "listed and kept");
}

#[test]
fn verify_lists_unnamed_files_and_removes_nothing() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("nfl-2023-week-18/release"));
    let none = run(&place, ["verify", "nfl", "--unused"]);
    assert!(none.code == Some(0) && none.out.ends_with("every object is named by an entry\n"), "{none:?}");
    let plain = run_json(&place, ["verify", "nfl"]);
    assert_eq!((plain.get("unused"), plain.get("leftovers")), (None, None));

    let files = [
        format!("sports/nfl/objects/{OBJECT}.parquet"),
        "sports/nfl/objects/notes.txt".to_owned(),
        format!("sports/nfl/objects/{OBJECT}.json#1"),
        format!("datasets/objects/{OBJECT}#1"),
        format!("sports/nhl/objects/{OBJECT}.json"),
        "sports/nfl/log/000000000009.json#4".to_owned(),
        format!("sports/nfl/record/checkpoints/000000000066/{OBJECT}.note#1"),
        "sports/nfl/record/tile/0/000#1".to_owned(),
        "record/keys/000102ff.vkey#2".to_owned(),
    ];
    for path in &files {
        left(&place, path, 90);
    }
    let nfl = run_json(&place, ["verify", "nfl", "--unused"]);
    assert_eq!(paths(&nfl, "unused"), [&files[0], &files[1]]);
    let leftovers = [&files[5], &files[2], &files[7], &files[6], &files[8], &files[3]];
    assert_eq!(paths(&nfl, "leftovers"), leftovers);
    assert_eq!((&nfl["unused"][0]["bytes"], nfl["unused"][0]["written_at"].is_string()), (&json!(4), true));
    let all = run_json(&place, ["verify", "--unused"]);
    assert_eq!(paths(&all, "unused"), [&files[0], &files[1], &files[4]]);
    assert_eq!(paths(&all, "leftovers"), leftovers, "each once");
    let output = run(&place, ["verify", "nfl", "--unused"]).out;
    let line = format!("no entry names {} (4 bytes, written ", files[0]);
    assert!(
        output.contains(&line) && output.contains("left by a write that did not end: sports/nfl/objects/"),
        "{output}"
    );
    assert!(files.iter().all(|path| place.store().join(path).exists()));
}

#[test]
fn copies_and_backups_have_no_leftovers_of_a_record() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("nfl-2023-week-18/release"));
    let _ = place.subscriber_key();
    left(&place, &format!("sports/nfl/record/checkpoints/000000000001/{OBJECT}.note#1"), 90);
    left(&place, "sports/nfl/record/tile/0/000#1", 90);
    left(&place, "record/keys/000102ff.vkey#2", 90);
    let (from, copy) = (format!("file:{}", place.store().display()), place.path().join("copy"));
    let to = format!("file:{}", copy.display());
    let copied = run_json(&place, ["store", "copy", "--from", from.as_str(), "--to", to.as_str()]);
    assert_eq!(copied["copied"]["signed"], 0, "{copied}");
    let backup = place.path().join("backup");
    let _ = place.ctl(["backup", backup.to_str().expect("text")]);
    let partial = |folder: &Path| files(folder).iter().filter(|path| path.display().to_string().contains('#')).count();
    assert_eq!((partial(&place.store()), partial(&copy), partial(&backup)), (3, 0, 0));
}
