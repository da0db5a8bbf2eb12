use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use sports_testkit::programs::TestFolder;

use crate::support::{files, run, run_json};

/// The SHA-256 of `a,b
/// 1,2
/// `, computed with `sha256sum`.
const HASH: &str = "492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470";

/// Creates a place with a database, a customer's id, and a file to sell.
fn a_shop() -> (TestFolder, String, String) {
    let place = TestFolder::fresh();
    let created = run_json(&place, ["customer", "create", "--email", "ann@example.com", "--name", "Ann"]);
    let file = write(&place, "nfl.csv", "a,b\n1,2\n");
    (place, created["customer_id"].as_str().expect("an id").to_owned(), file)
}

fn write(place: &TestFolder, name: &str, content: &str) -> String {
    let file = place.path().join(name);
    fs::write(&file, content).expect("written");
    file.to_str().expect("text").to_owned()
}

fn kept(place: &TestFolder) -> Vec<PathBuf> {
    files(&place.store().join("datasets/objects"))
}

fn refused(place: &TestFolder, arguments: &[&str]) -> String {
    let output = run(place, arguments);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{arguments:?}: {output:?}");
    output.err
}

#[test]
fn a_dataset_is_kept_under_the_hash_of_its_content() {
    let (place, _, file) = a_shop();
    let added = run_json(&place, ["dataset", "add", "odds", "NFL", &file, "--as-of", "2026-10-03T14:00:00Z"]);
    assert_eq!(
        (&added["product"], &added["sport"], &added["filename"]),
        (&json!("odds"), &json!("nfl"), &json!("nfl.csv"))
    );
    assert_eq!((&added["sha256"], &added["bytes"], &added["replaced_sha256"]), (&json!(HASH), &json!(8), &Value::Null));
    assert!(added["added_at"].as_str().is_some_and(|at| at.starts_with("2026-10-03T14:00:0")), "{added}");
    assert_eq!(kept(&place), [place.store().join("datasets/objects").join(HASH)]);
    assert_eq!(fs::read(&kept(&place)[0]).expect("kept"), b"a,b\n1,2\n");
    let line = format!("odds  nfl  nfl.csv  8 bytes  sha256 {}\n", &HASH[..12]);
    assert_eq!(place.ctl(["dataset", "list"]), line);
}

#[test]
fn a_dataset_replaces_its_namesake_whose_content_stays_in_the_store() {
    let (place, _, file) = a_shop();
    let _ = place.ctl(["dataset", "add", "odds", "nfl", &file]);
    let _ = place.ctl(["dataset", "add", "odds", "nba", &file]);
    assert_eq!(kept(&place).len(), 1, "the same content is kept once");
    write(&place, "nfl.csv", "a,b\n3,4\n");
    let added = run_json(&place, ["dataset", "add", "odds", "nfl", &file]);
    assert_eq!(added["replaced_sha256"], HASH);
    assert_eq!(kept(&place).len(), 2);
    let listed = run_json(&place, ["dataset", "list"]);
    let hashes: Vec<_> = listed["datasets"].as_array().expect("a list").iter().map(|one| &one["sha256"]).collect();
    assert_eq!(hashes, [&json!(HASH), &added["sha256"]], "nba comes before nfl");
}

#[test]
fn adding_a_damaged_dataset_again_writes_its_true_bytes() {
    let (place, _, file) = a_shop();
    let add = || run_json(&place, ["dataset", "add", "odds", "nfl", &file]);
    assert_eq!(add()["repaired"], false);
    let object = place.store().join("datasets/objects").join(HASH);
    // Damaged with the same length and shorter; once still on the list, once removed from it.
    for damaged in ["a,b\n1,3\n", "a,b"] {
        fs::write(&object, damaged).expect("damaged");
        let again = add();
        assert_eq!((&again["repaired"], &again["changed"]), (&json!(true), &json!(false)), "{damaged}");
        assert_eq!(fs::read(&object).expect("kept"), b"a,b\n1,2\n");
        fs::write(&object, damaged).expect("damaged");
        let _ = place.ctl(["dataset", "remove", "odds", "nfl"]);
        assert_eq!(add()["changed"], true);
        assert_eq!(fs::read(&object).expect("kept"), b"a,b\n1,2\n");
    }
    fs::remove_file(&object).expect("lost");
    assert!(place.ctl(["dataset", "add", "odds", "nfl", &file]).contains("repaired: "));
    assert_eq!(place.ctl(["dataset", "verify"]), "1 datasets verified, 8 bytes in all\n");
}

#[test]
fn every_changed_dataset_is_named() {
    let (place, _, file) = a_shop();
    assert_eq!(run_json(&place, ["dataset", "list"])["datasets"], json!([]));
    let other = write(&place, "more.csv", "x\n");
    for file in [&file, &other] {
        let _ = place.ctl(["dataset", "add", "odds", "nfl", file]);
    }
    assert_eq!(place.ctl(["dataset", "verify"]), "2 datasets verified, 10 bytes in all\n");
    assert_eq!(run_json(&place, ["dataset", "verify"]), json!({ "datasets": 2, "bytes": 10 }));

    let object = place.store().join("datasets/objects").join(HASH);
    let found = || {
        let output = run(&place, ["dataset", "verify"]);
        assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "{output:?}");
        output.err
    };
    let named = |fault: &str| format!("sportsctl: nfl.csv of odds for nfl: the object {HASH} {fault}\n");
    fs::write(&object, "a,b\n1,3\n").expect("written");
    assert_eq!(found(), named("does not hash to its name"));
    fs::write(&object, "a,b\n").expect("written");
    assert_eq!(found(), named("has 4 bytes and not the 8 on record"));
    fs::remove_file(&object).expect("removed");
    assert_eq!(found(), named("is missing"));
    for kept in kept(&place) {
        fs::remove_file(kept).expect("removed");
    }
    assert_eq!(found().matches(" is missing").count(), 2);
}

#[test]
fn adding_the_same_file_again_is_reported_as_unchanged() {
    let (place, _, file) = a_shop();
    let add = |at: &'static str| run_json(&place, ["dataset", "add", "odds", "nfl", &file, "--as-of", at]);
    let first = add("2026-10-03T14:00:00Z");
    assert_eq!((&first["changed"], &first["replaced_sha256"]), (&json!(true), &Value::Null));
    let again = add("2026-10-04T14:00:00Z");
    assert_eq!((&again["changed"], &again["replaced_sha256"]), (&json!(false), &Value::Null));
    assert_eq!(again["added_at"], first["added_at"]);
    let line = format!("odds  nfl  nfl.csv  8 bytes  sha256 {}\n", &HASH[..12]);
    let output = place.ctl(["dataset", "add", "odds", "nfl", &file]);
    assert_eq!(output, format!("{line}unchanged: the dataset already has this content\n"));
    assert_eq!(place.ctl(["dataset", "list"]), line);
}

#[test]
fn a_removed_dataset_is_not_listed() {
    let (place, _, file) = a_shop();
    let other = write(&place, "more.csv", "x\n");
    for file in [&file, &other] {
        let _ = place.ctl(["dataset", "add", "odds", "nfl", file]);
    }
    let removed = run_json(&place, ["dataset", "remove", "odds", "nfl", "nfl.csv"]);
    assert_eq!(removed["removed"][0]["sha256"], HASH);
    let none = refused(&place, &["dataset", "remove", "odds", "nfl", "nfl.csv"]);
    assert_eq!(none, "sportsctl: there is no dataset of odds for nfl called nfl.csv\n");
    assert!(place.ctl(["dataset", "remove", "odds", "nfl"]).starts_with("removed odds  nfl  more.csv  2 bytes"));
    assert_eq!(
        refused(&place, &["dataset", "remove", "odds", "nfl"]),
        "sportsctl: there is no dataset of odds for nfl\n"
    );
    assert_eq!(run_json(&place, ["dataset", "list"]), json!({ "datasets": [] }));
}

#[test]
fn a_bad_dataset_is_refused_and_nothing_is_kept() {
    let (place, _, file) = a_shop();
    let empty = write(&place, "empty.csv", "");
    let spaced = write(&place, "two words.csv", "a\n");
    let folder = place.path().join("folder");
    fs::create_dir(&folder).expect("made");
    let folder = folder.to_str().expect("text");
    let table = [
        (["Odds", "nfl", &file], "`Odds` is not a product: it is 1 to 64 lower-case letters"),
        (["odds", "cricket", &file], "`cricket` is not a sport; known sports: mlb"),
        (["odds", "nfl", &empty], "empty.csv is empty"),
        (["odds", "nfl", &spaced], "`two words.csv` cannot be the name of a dataset's file"),
        (["odds", "nfl", folder], "is not a file"),
        (["odds", "nfl", "missing.csv"], "cannot read missing.csv: "),
    ];
    for ([product, sport, file], message) in table {
        let error = refused(&place, &["dataset", "add", product, sport, file]);
        assert!(error.contains(message), "{error}");
    }
    assert!(kept(&place).is_empty());
}

#[test]
fn an_entitlement_is_granted_listed_extended_and_revoked() {
    let (place, ann, file) = a_shop();
    let _ = place.ctl(["dataset", "add", "odds", "nfl", &file]);
    let right = ["--customer", &ann, "--product", "odds", "--sport", "nfl", "--as-of", "2026-10-03T14:00:00Z"];
    let entitlement = |verb: &'static str, more: &[&'static str]| {
        let words = ["entitlement", verb].iter().chain(&right).chain(more).copied().collect::<Vec<_>>();
        run(&place, words)
    };
    let granted = entitlement("grant", &["--expires", "2026-11-01T00:00:00Z"]);
    assert_eq!(granted.out, format!("{ann}  odds  nfl  in force  until 2026-11-01T00:00:00Z\n"));
    assert_eq!(granted.err, "");
    let granted = entitlement("grant", &[]);
    assert_eq!(granted.out, format!("{ann}  odds  nfl  in force  no end\n"));
    let listed = run_json(&place, ["entitlement", "list", "--customer", &ann]);
    assert_eq!(listed["entitlements"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&listed["entitlements"][0]["in_force"], &listed["entitlements"][0]["expires_at"]),
        (&json!(true), &Value::Null)
    );

    let revoked = entitlement("revoke", &[]);
    assert_eq!(revoked.out, "revoked odds for nfl; links issued before no longer work\n");
    let again = entitlement("revoke", &[]);
    assert_eq!(again.err, "sportsctl: the customer has no entitlement to odds for nfl in force\n");
    assert_eq!(again.code, Some(2));
    assert_eq!(
        place.ctl(["entitlement", "list", "--customer", &ann]),
        format!("{ann}  odds  nfl  not in force  no end\n")
    );
    let past = entitlement("grant", &["--expires", "2026-10-03T14:00:00Z"]);
    assert_eq!((past.code, past.err.contains("--expires is in the past")), (Some(2), true));
}

#[test]
fn a_right_to_a_missing_dataset_is_granted_with_a_warning() {
    let (place, ann, _) = a_shop();
    let output = run(&place, ["entitlement", "grant", "--customer", &ann, "--product", "odds", "--sport", "nfl"]);
    assert_eq!(output.code, Some(0));
    assert!(output.err.starts_with("warning: there is no dataset of odds for nfl yet"), "{output:?}");
}
