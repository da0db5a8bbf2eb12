//! The steps of `docs/record-recovery.md`, executed as they are written, and what readers of the record see afterwards.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use sports_testkit::services::{S3Server, WitnessStandIn};
use sports_transparency::SignedCheckpoint;

use crate::support::{Completed, catalog, files, run};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record-recovery.md");
const SLATE: &str = "nfl-2023-week-18-slate";
const ORIGIN: &str = "example.com/api/v1/record";
const GAME: &str = "2024-01-06 16:30 pittsburgh_steelers at baltimore_ravens";
const START: &str = "2024-01-06T21:30:00Z";
/// The warning of a machine that cannot know whether another one signed a larger tree.
const UNKNOWN_ELSEWHERE: &str = "nothing shows whether another machine has signed a larger tree";
/// The verifier in Python, as it is served.
const VERIFIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/web/verify/verify.py");

/// Returns the commands of a section of the page.
fn steps(heading: &str) -> String {
    let page = fs::read_to_string(PAGE).expect("the page");
    let section = page.split("\n## ").find(|section| section.starts_with(&format!("{heading}\n"))).expect("a section");
    let blocks = section.split("```sh\n").skip(1).map(|rest| rest.split("```").next().expect("an end"));
    blocks.collect::<Vec<_>>().join("\n")
}

/// Runs the commands of a section in the folder of a publisher, with the program on the path.
fn follow(place: &TestFolder, heading: &str) -> Completed {
    let program = place.sportsctl::<&str>([]);
    let mut path = OsString::from(Path::new(program.get_program()).parent().expect("a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &steps(heading)]).current_dir(place.path());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let done: Completed = shell.env("PATH", path).output().expect("bash runs").into();
    assert_eq!(done.code, Some(0), "{heading}: {done:?}");
    done
}

/// Creates a folder whose settings name a key file, two days after the forecasts.
fn folder() -> TestFolder {
    let place = TestFolder::fresh();
    let key = place.path().join("record.key").display().to_string();
    place
        .with("SPORTS_RECORD__KEY_FILE", key)
        .with("SPORTS_RECORD__ORIGIN", ORIGIN)
        .with("SPORTS_CLOCK__AS_OF", "2024-01-08T15:00:00Z")
}

/// Returns the vkey of nfl's log among the lines of a command.
fn vkey(printed: &Completed, origin: &str) -> String {
    let line = printed.out.lines().find(|line| line.starts_with(&format!("{origin}/nfl+")));
    line.unwrap_or_else(|| panic!("a key of {origin}: {printed:?}")).to_owned()
}

/// Creates a publisher with a key and a witness, who has published forecasts; returns the vkey of nfl's log, too.
fn publisher(witness: &WitnessStandIn) -> (TestFolder, String) {
    let place = folder().with("SPORTS_RECORD__WITNESSES", witness.setting());
    let log = vkey(&run(&place, ["record", "init"]), ORIGIN);
    let release = fixture(SLATE).join("release");
    let release = release.to_str().expect("text");
    assert_eq!(run(&place, ["publish", release, "--as-of", "2024-01-06T15:00:00Z"]).code, Some(0));
    fs::copy(fixture(SLATE).join("finals.csv"), place.path().join("finals.csv")).expect("copied");
    (place, log)
}

fn settle(place: &TestFolder) -> Completed {
    let finals = fixture(SLATE).join("finals.csv");
    run(place, ["settle", "nfl", finals.to_str().expect("text")])
}

/// Creates a machine with copies of the key file and of a store.
fn another_machine(key_of: &TestFolder, store: &Path) -> TestFolder {
    let other = folder();
    fs::copy(key_of.path().join("record.key"), other.path().join("record.key")).expect("copied");
    copy_folder(store, &other.store());
    other
}

/// Serves a store and compares its checkpoints with those that a reader keeps in a folder.
fn watch(place: &TestFolder, logs: &[&str], kept: &Path) -> Completed {
    let server = place.serve();
    let (url, kept) = (server.url(""), kept.to_str().expect("text"));
    let mut words = vec!["record", "watch", "nfl", "--url", &url, "--state", kept, "--json"];
    words.extend(logs.iter().flat_map(|log| ["--log", log]));
    run(place, words)
}

fn verdicts(watched: &Completed) -> Vec<Value> {
    let report = watched.json();
    let records = report["records"].as_array().expect("records").iter();
    records.map(|record| record["verdict"].clone()).collect()
}

fn size(place: &TestFolder, generation: u64) -> u64 {
    catalog(place, "nfl", generation)["record"]["size"].as_u64().expect("a size")
}

/// Returns the texts of the stored notes of a size.
fn notes(place: &TestFolder, size: u64) -> Vec<String> {
    let folder = place.store().join(format!("sports/nfl/record/checkpoints/{size:012}"));
    let is_note = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "note");
    files(&folder).iter().filter(|path| is_note(path)).map(|path| fs::read_to_string(path).expect("a note")).collect()
}

fn is_signed(place: &TestFolder, size: u64, vkey: &str) -> bool {
    let key = vkey.parse().expect("a vkey");
    let note = |text: &String| text.parse::<SignedCheckpoint>().expect("a note");
    notes(place, size).iter().map(note).any(|note| note.verify(&key, &[]).is_ok())
}

#[test]
fn a_lost_key_gives_way_to_another_name_over_the_same_tree() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, old) = publisher(&witness);
    let kept = place.path().join("kept");
    assert_eq!(verdicts(&watch(&place, &[&old], &kept)), ["first"]);
    fs::remove_file(place.path().join("record.key")).expect("removed");
    assert!(run(&place, ["record", "sign"]).err.contains("cannot be read"));

    let new = vkey(&follow(&place, "A lost key"), &format!("{ORIGIN}/b"));
    let place =
        place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/b")).with("SPORTS_RECORD__KEY_FILE", "record-b.key");
    let mut settle = place.sportsctl(["settle", "nfl", "finals.csv"]);
    let settled: Completed = settle.current_dir(place.path()).output().expect("it runs").into();
    assert_eq!((settled.code, settled.err.as_str()), (Some(0), ""), "{settled:?}");
    let size = size(&place, 2);
    assert!(is_signed(&place, size, &new) && !is_signed(&place, size, &old));
    let watched = watch(&place, &[&old, &new], &kept);
    assert_eq!((watched.code, verdicts(&watched)), (Some(0), vec!["extended".into()]), "{watched:?}");
}

#[test]
fn what_a_thief_signs_is_a_fork_and_the_record_goes_on_under_another_key() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, old) = publisher(&witness);
    // An hour later, so that its entry has another time, and its tree another root.
    let thief = another_machine(&place, &place.store()).with("SPORTS_CLOCK__AS_OF", "2024-01-08T16:00:00Z");
    assert_eq!(settle(&place).code, Some(0));
    let kept = place.path().join("kept");
    assert_eq!(verdicts(&watch(&place, &[&old], &kept)), ["first"]);
    // The thief's settings name no witness.
    let stolen = settle(&thief);
    assert!(stolen.code == Some(0) && stolen.err.contains(UNKNOWN_ELSEWHERE), "{stolen:?}");
    let size = size(&place, 2);
    assert!(is_signed(&thief, size, &old));
    let forked = watch(&thief, &[&old], &kept);
    assert_eq!((forked.code, verdicts(&forked)), (Some(1), vec!["fork".into()]), "{forked:?}");
    let thief = thief.with("SPORTS_RECORD__WITNESSES", witness.setting());
    assert!(run(&thief, ["record", "sign", "nfl"]).err.contains("has cosigned another tree"));

    let done = follow(&place, "A stolen key");
    let new = vkey(&done, &format!("{ORIGIN}/c"));
    assert_eq!(files(&place.path().join("last-checkpoints")).len(), 4, "notes with and without the cosignature");
    assert!(is_signed(&place, size, &new));
    let watched = watch(&place, &[&old, &new], &kept);
    assert_eq!((watched.code, verdicts(&watched)), (Some(0), vec!["unchanged".into()]), "{watched:?}");
}

/// A publisher whose store was restored from a backup that is older than the last checkpoint.
struct Restored {
    place: TestFolder,
    old: String,
    kept: PathBuf,
    witness: WitnessStandIn,
}

impl Restored {
    fn publisher() -> Self {
        let witness = WitnessStandIn::start("witness.example/1");
        let (place, old) = publisher(&witness);
        let older = place.path().join("older");
        copy_folder(&place.store(), &older);
        assert_eq!(settle(&place).code, Some(0));
        let kept = place.path().join("kept");
        assert_eq!(verdicts(&watch(&place, &[&old], &kept)), ["first"]);
        fs::remove_dir_all(place.store()).expect("removed");
        copy_folder(&older, &place.store());
        fs::copy(kept.join("nfl.checkpoint"), place.path().join("lost.checkpoint")).expect("copied");
        // It goes on an hour later, so that its next entry is another than the lost one.
        let place = place.with("SPORTS_CLOCK__AS_OF", "2024-01-08T16:00:00Z");
        Self { place, old, kept, witness }
    }

    /// Proves a forecast, against the signed tree of a size if one is given; returns the file.
    fn prove(&self, size: Option<u64>) -> String {
        let size = size.map(|size| size.to_string());
        let file = self.place.path().join(format!("{}.tlog-proof", size.as_deref().unwrap_or("earliest")));
        let file = file.to_str().expect("text").to_owned();
        let words = ["record", "prove", "nfl", "won_on_points", GAME, "--out", &file];
        let more = size.iter().flat_map(|size| ["--size", size]);
        let made = run(&self.place, words.into_iter().chain(more).collect::<Vec<_>>());
        assert_eq!(made.code, Some(0), "{made:?}");
        file
    }

    /// Checks a proof under a key of the log; returns the codes of both verifiers.
    fn codes(&self, file: &str, log: &str) -> [Option<i32>; 2] {
        let witness = self.witness.key().to_string();
        let known = [file, "--log", log, "--start", START, "--witness", &witness];
        let checked = run(&self.place, [&["record", "check"], &known[..]].concat());
        let python: Completed = Command::new("python3").arg(VERIFIER).args(known).output().expect("python3").into();
        [checked.code, python.code]
    }
}

#[test]
fn a_restored_store_goes_on_as_a_record_that_states_its_loss() {
    let restored = Restored::publisher();
    let Restored { place, old, kept, .. } = &restored;
    let refused = run(place, ["record", "sign", "nfl"]);
    assert!(refused.code == Some(1) && refused.err.contains("does not extend the one of"), "{refused:?}");

    let done = follow(place, "An older store");
    let new = vkey(&done, &format!("{ORIGIN}/2"));
    let (common, size) = (size(place, 1), size(place, 2));
    assert!(is_signed(place, size, &new) && !is_signed(place, size, old));
    let object = catalog(place, "nfl", 2)["record"]["leaves"]["object"].as_str().expect("a name").to_owned();
    let leaves = fs::read_to_string(place.store().join("sports/nfl/objects").join(object)).expect("leaves");
    let leaves: Value = serde_json::from_str(&leaves).expect("JSON");
    let lost = fs::read_to_string(kept.join("nfl.checkpoint")).expect("a note");
    let (text, _) = lost.split_once("\n\n").expect("a blank line");
    let hash = sports_domain::content::ObjectHash::from_bytes(format!("{text}\n").as_bytes());
    assert_eq!(leaves["leaves"][1], format!("sports-record/v1 restart\nnfl 2\nsha256:{hash}\n"));

    // Proofs under the old key are as good as before, and the tree of the new one has the same forecasts.
    let (earliest, renewed) = (restored.prove(None), restored.prove(Some(size)));
    assert_eq!([restored.codes(&earliest, old), restored.codes(&renewed, &new)], [[Some(0); 2]; 2]);
    assert_eq!([restored.codes(&earliest, &new), restored.codes(&renewed, old)], [[Some(1); 2]; 2], "another log");

    let fresh = place.path().join("fresh");
    let watched = watch(place, &[old, &new], &fresh);
    assert_eq!((watched.code, verdicts(&watched)), (Some(0), vec!["first".into(), "first".into()]), "{watched:?}");
    let of = |name: &str| fs::read_to_string(fresh.join(name)).expect("kept");
    assert!(of("nfl.checkpoint").starts_with(&format!("{ORIGIN}/nfl\n{common}\n")));
    assert!(of("2-nfl.checkpoint").starts_with(&format!("{ORIGIN}/2/nfl\n{size}\n")));
    // A reader who kept the lost checkpoint sees that it is no longer shown.
    let watched = watch(place, &[old], kept);
    assert_eq!((watched.code, verdicts(&watched)), (Some(3), vec!["older".into()]), "{watched:?}");
}

#[test]
fn an_empty_store_under_another_name_hides_no_signed_tree() {
    let Restored { place, old, kept: _, witness: _witness } = Restored::publisher();
    let release = fixture(SLATE).join("release");
    let publish = ["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"];
    fs::remove_dir_all(place.store()).expect("removed");
    let elsewhere = place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/elsewhere"));
    for more in [&["--dry-run"][..], &[]] {
        let refused = run(&elsewhere, [&publish[..], more].concat());
        let reason = format!("leaves of {ORIGIN}/nfl: publish to the store that has them");
        assert!(refused.code == Some(2) && refused.err.contains(&reason), "{refused:?}");
    }
    assert!(!elsewhere.store().join("sports/nfl").exists(), "nothing is on record");

    // Under the old name the store gets a tree, which is not signed, under no name before it states the loss.
    let place = elsewhere.with("SPORTS_RECORD__ORIGIN", ORIGIN);
    let published = run(&place, publish);
    assert!(published.code == Some(0) && published.err.contains("does not extend the one of"), "{published:?}");
    let elsewhere = place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/elsewhere"));
    let refused = run(&elsewhere, ["record", "sign", "nfl"]);
    assert!(refused.code == Some(1) && refused.err.contains("does not extend the one of"), "{refused:?}");
    let place = elsewhere.with("SPORTS_RECORD__ORIGIN", ORIGIN);
    let new = vkey(&follow(&place, "An older store"), &format!("{ORIGIN}/2"));
    assert!(is_signed(&place, size(&place, 2), &new) && !is_signed(&place, size(&place, 2), &old));
}

#[test]
fn a_restarted_record_is_audited_and_its_old_path_ends_with_the_common_tree() {
    let Restored { place, old, witness, .. } = Restored::publisher();
    let new = vkey(&follow(&place, "An older store"), &format!("{ORIGIN}/2"));
    let (common, size) = (size(&place, 1), size(&place, 2));
    assert!(common < size && size < 256, "one partial tile: {common}, {size}");
    let key = place.subscriber_key();
    let server = place.serve();
    let url = server.url("");
    // It has the lost tree, which the log names.
    let witness = witness.setting();
    let words = ["record", "audit", "nfl", "2023-24", "--url", &url, "--key", &key, "--witness", &witness];
    for logs in [&[&new][..], &[&old, &new]] {
        let logs = logs.iter().flat_map(|log| ["--log", log.as_str()]);
        let audited = run(&place, words.into_iter().chain(logs).collect::<Vec<_>>());
        // A loser of the lost week would be in no tree that is served.
        assert!(audited.code == Some(3) && !audited.out.contains("contradiction"), "{audited:?}");
        assert!(audited.out.contains("loss: entry 2 states that the tree of the checkpoint "), "{audited:?}");
    }
    let status = |path: String| {
        let url = server.url(&format!("/api/v1/record/{path}"));
        let got = Command::new("curl").args(["-s", "-o", "/dev/null", "-w", "%{http_code}", &url]).output();
        String::from_utf8(got.expect("curl runs").stdout).expect("text")
    };
    for (path, expected) in [
        (format!("nfl/tile/entries/000.p/{common}"), "200"),
        (format!("nfl/tile/entries/000.p/{}", common + 1), "404"),
        (format!("nfl/tile/0/000.p/{size}"), "404"),
        (format!("nfl/checkpoints/{common}"), "200"),
        (format!("nfl/checkpoints/{size}"), "404"),
        (format!("2/nfl/tile/0/000.p/{size}"), "200"),
        (format!("2/nfl/checkpoints/{size}"), "200"),
        ("3/nfl/checkpoint".to_owned(), "404"),
    ] {
        assert_eq!(status(path.clone()), expected, "{path}");
    }
}

#[test]
fn a_bucket_that_lost_entries_begins_anew_by_the_same_steps() {
    let server = S3Server::start();
    let Restored { place, old, witness: _witness, .. } = Restored::publisher();
    let place = server.variables().into_iter().fold(place, |place, (name, value)| place.with(name, value));
    let folder = format!("file:{}", place.store().display());
    let bucket = format!("s3://{}/live", server.fresh_bucket());
    let copy = |place: &TestFolder, from: &str, to: &str| {
        let copied = run(place, ["store", "copy", "--from", from, "--to", to]);
        assert_eq!(copied.code, Some(0), "{copied:?}");
    };
    copy(&place, &folder, &bucket);
    fs::remove_dir_all(place.store()).expect("removed");
    let place = place.with("SPORTS_STORE__URL", bucket.as_str());
    let refused = run(&place, ["record", "sign", "nfl"]);
    assert!(refused.code == Some(1) && refused.err.contains("does not extend the one of"), "{refused:?}");

    let new = vkey(&follow(&place, "An older store"), &format!("{ORIGIN}/2"));
    copy(&place, &bucket, &folder);
    let [common, size] = [1, 2].map(|generation| size(&place, generation));
    assert!(is_signed(&place, common, &old) && !is_signed(&place, common, &new));
    assert!(is_signed(&place, size, &new) && !is_signed(&place, size, &old));
}

#[test]
fn a_stopped_machine_signs_again_once_it_has_the_newer_store() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (place, log) = publisher(&witness);
    let other = another_machine(&place, &place.store()).with("SPORTS_RECORD__WITNESSES", witness.setting());
    assert_eq!(settle(&place).code, Some(0));
    for _ in 0..2 {
        let stopped = run(&other, ["record", "sign", "nfl"]);
        assert!(stopped.code == Some(1) && stopped.err.contains("This machine signs it no longer"), "{stopped:?}");
    }
    copy_folder(&place.store(), &other.path().join("newer"));
    follow(&other, "A copied key beside an older store");
    let again = run(&other, ["record", "sign", "nfl"]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""), "{again:?}");
    let size = size(&other, 2);
    assert!(is_signed(&other, size, &log));
    assert_eq!(notes(&other, size), notes(&place, size), "nothing is signed anew");
}

#[test]
fn a_league_whose_loss_is_not_stated_is_not_signed_under_another_name() {
    let Restored { place, witness: _witness, .. } = Restored::publisher();
    let place = place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/2"));
    let refused = settle(&place);
    // Its entry announces the key of the other name, too.
    let signed = size(&place, 2) - 1;
    let expected = format!("does not extend the one of {signed} leaves that {ORIGIN}/nfl signed");
    assert!(refused.code == Some(0) && refused.err.contains(&expected), "{refused:?}");
    assert_eq!(notes(&place, size(&place, 2)), Vec::<String>::new());
}

#[test]
fn a_machine_without_the_memory_of_a_restart_does_not_sign_before_its_leaf() {
    let Restored { place, witness: _witness, .. } = Restored::publisher();
    let place = place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/2"));
    let lost = place.path().join("lost.checkpoint");
    assert_eq!(run(&place, ["record", "restart", "--after", lost.to_str().expect("text")]).code, Some(0));
    let other = another_machine(&place, &place.store()).with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/2"));
    let refused = settle(&other);
    assert!(refused.code == Some(0) && refused.err.contains("begins anew with the next entry"), "{refused:?}");
    assert_eq!(notes(&other, size(&other, 2)), Vec::<String>::new());
    // Where the loss is stated, it signs.
    assert_eq!(settle(&place).code, Some(0));
    let third = another_machine(&place, &place.store()).with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/2"));
    let signed = run(&third, ["record", "sign", "nfl"]);
    // It cannot know whether another machine signed more, and names no witness.
    assert!(signed.code == Some(0) && signed.err.contains(UNKNOWN_ELSEWHERE), "{signed:?}");
}

#[test]
fn a_restart_is_refused_for_a_checkpoint_that_says_nothing_about_a_loss() {
    let Restored { place, kept, witness: _witness, .. } = Restored::publisher();
    let restart = |place: &TestFolder, text: &str| {
        let file = place.path().join("other.checkpoint");
        fs::write(&file, text).expect("written");
        run(place, ["record", "restart", "--after", file.to_str().expect("text")])
    };
    let lost = fs::read_to_string(kept.join("nfl.checkpoint")).expect("a note");
    let same = restart(&place, &lost);
    assert!(same.code == Some(2) && same.err.contains("name another `record.origin`"), "{same:?}");
    let place = place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/2"));
    let refused = |text: &str, expected: &str| {
        let refused = restart(&place, text);
        assert!(refused.code == Some(2) && refused.err.contains(expected), "{expected}: {refused:?}");
    };
    refused("no checkpoint", "other.checkpoint: ");
    refused(&lost.replacen("/nfl\n", "/cricket\n", 1), "the log of no league");
    refused(&lost.replacen("/nfl\n", "/nba\n", 1), "is signed by no key in the store");
    refused(&lost.replacen("/record/nfl", "/elsewhere/nfl", 1), "is signed by no key in the store");
    let common = notes(&place, size(&place, 1)).remove(0);
    refused(&common, "nothing is lost");
    assert_eq!(restart(&place, &lost).code, Some(0));
    refused(&lost, "has begun already");
    let missing = place.path().join("missing");
    let refused = run(&place, ["record", "restart", "--after", missing.to_str().expect("text")]);
    assert!(refused.code == Some(2) && refused.err.contains("cannot be read"), "{refused:?}");
    // The next entry states the loss, which a third record cannot state again.
    assert_eq!(settle(&place).code, Some(0));
    let again = restart(&place.with("SPORTS_RECORD__ORIGIN", format!("{ORIGIN}/3")), &lost);
    assert!(again.code == Some(2) && again.err.contains("states the loss of this checkpoint already"), "{again:?}");
}
