//! Commands that run as another user than the owner of the places they write to.

use std::fs;
use std::path::Path;

use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, entries, run};
use crate::watch::{give_away_all, is_root, names, watch, with_releases};

fn assert_refused(output: &Completed, path: &Path, program: &str) {
    assert_eq!(output.code, Some(2), "{output:?}");
    let sentence = format!(
        "{} belongs to nobody and this program runs as root, so nobody could not read what it writes; run it as the owner: \
         sudo -u nobody {program} …",
        path.display()
    );
    assert!(output.err.contains(&sentence), "{output:?}");
}

/// Creates a store with a release and a database; `None` if the tests do not run as root.
fn site() -> Option<TestFolder> {
    let place = TestFolder::fresh();
    if !is_root(&place) {
        eprintln!("skipped: only root can give files to another user");
        return None;
    }
    let _ = place.ctl([Path::new("publish"), &fixture("edge-cases/release")]);
    let _ = place.ctl(["migrate"]);
    Some(place)
}

#[test]
fn root_does_not_write_to_the_store_of_another_user() {
    let Some(place) = site() else { return };
    let other = TestFolder::fresh();
    let (store, file) = (place.store(), place.path().join("finals.csv"));
    fs::write(&file, "date,away_team,home_team,away_score,home_score\n2024-09-08,a,b,1,2\n").expect("written");
    give_away_all(&store);
    let release = fixture("nfl-2023-week-18/release");
    let (release, file) = (release.to_str().expect("text"), file.to_str().expect("text"));
    for command in [&["publish", release][..], &["settle", "nfl", file]] {
        assert_refused(&run(&place, command), &store, "sportsctl");
    }
    let (from, to) = (format!("file:{}", other.store().display()), format!("file:{}", store.display()));
    assert_refused(&run(&place, ["store", "copy", "--from", &from, "--to", &to]), &store, "sportsctl");
    assert_eq!(entries(&place, "nfl"), 1);
    for command in [&["verify", "nfl"][..], &["releases", "nfl"], &["publish", release, "--dry-run"]] {
        assert_eq!(run(&place, command).code, Some(0), "{command:?} only reads");
    }
    let (inboxes, inbox) = with_releases(&["a"]);
    fs::create_dir(inboxes.store()).expect("a folder");
    give_away_all(&inboxes.store());
    assert_refused(&watch(&inboxes, &inbox, &["--once"]), &inboxes.store(), "sportsctl");
    assert!(inbox.join("a/release.json").is_file());
}

#[test]
fn root_does_not_write_to_the_database_of_another_user_or_to_files_beside_it() {
    for ending in ["", "-wal"] {
        let Some(place) = site() else { return };
        let file = place.path().join(format!("sports.db{ending}"));
        fs::OpenOptions::new().create(true).append(true).open(&file).expect("a file");
        give_away_all(&file);
        let before = fs::read(place.path().join("sports.db")).expect("a database");
        assert_refused(
            &run(&place, ["customer", "create", "--email", "a@example.com", "--name", "A"]),
            &file,
            "sportsctl",
        );
        let output = place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]).output().expect("it runs");
        assert_refused(&output.into(), &file, "sports-api");
        assert_eq!(fs::read(place.path().join("sports.db")).expect("a database"), before);
    }
}

#[test]
fn root_publishes_nothing_that_the_database_of_another_user_could_not_note() {
    let Some(place) = site() else { return };
    let database = place.path().join("sports.db");
    give_away_all(&database);
    let release = fixture("nfl-2023-week-18/release");
    assert_refused(&run(&place, [Path::new("publish"), &release]), &database, "sportsctl");
    assert_eq!(entries(&place, "nfl"), 1);
}

#[test]
fn root_creates_nothing_in_the_folder_of_another_user() {
    let Some(site) = site() else { return };
    let backup = site.path().join("backup");
    assert_eq!(run(&site, [Path::new("backup"), &backup]).code, Some(0));
    let place = TestFolder::fresh();
    give_away_all(place.path());
    let (release, backup) = (fixture("edge-cases/release"), backup.to_str().expect("text"));
    let in_place = |name: &str| place.path().join(name).display().to_string();
    let from = format!("sqlite:{}", site.path().join("sports.db").display());
    let to = format!("sqlite:{}", in_place("new/copy.db"));
    let (store, copy) = (format!("file:{}", site.store().display()), format!("file:{}", in_place("copy")));
    for command in [
        &["publish", release.to_str().expect("text")][..],
        &["customer", "create", "--email", "a@example.com", "--name", "A"],
        &["migrate"],
        &["accounts", "copy", "--from", &from, "--to", &to],
        &["accounts", "copy", "--from", &from],
        &["store", "copy", "--from", &store, "--to", &copy],
        &["restore", backup],
    ] {
        assert_refused(&run(&place, command), place.path(), "sportsctl");
        assert_eq!(names(place.path()), [""; 0], "{command:?}");
    }
    let served = place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]).output().expect("it runs");
    assert_refused(&served.into(), place.path(), "sports-api");
    assert_eq!(names(place.path()), [""; 0]);
    // A store of root's, and a database that would not be.
    fs::create_dir(place.store()).expect("a folder");
    assert_refused(&run(&place, ["restore", backup]), place.path(), "sportsctl");
    assert_eq!(names(place.path()), ["store"]);
    give_away_all(&place.store());
    fs::write(place.path().join("sports.db"), "").expect("a file of root's");
    assert_refused(&run(&place, ["restore", backup]), &place.store(), "sportsctl");
    assert_eq!(names(&place.store()), [""; 0]);
}

#[test]
fn a_backup_only_reads_the_places_of_another_user() {
    let Some(place) = site() else { return };
    give_away_all(&place.store());
    give_away_all(&place.path().join("sports.db"));
    let backup = run(&place, [Path::new("backup"), &place.path().join("backup")]);
    assert_eq!(backup.code, Some(0), "{backup:?}");
}
