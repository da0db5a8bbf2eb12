//! Commands that run as another user than the owner of the places they write to.

use std::fs;
use std::path::Path;

use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, entries, run};
use crate::watch::{give_away_all, is_root, watch, with_releases};

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
    for ending in ["", "-wal", "-counts"] {
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
fn a_backup_only_reads_the_places_of_another_user() {
    let Some(place) = site() else { return };
    give_away_all(&place.store());
    give_away_all(&place.path().join("sports.db"));
    let backup = run(&place, [Path::new("backup"), &place.path().join("backup")]);
    assert_eq!(backup.code, Some(0), "{backup:?}");
}
