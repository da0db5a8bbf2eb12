//! `sportsctl watch` beside other watchers, and with folders that it cannot publish or move.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};

use crate::support::{Completed, entries, run, run_json};

/// The user and the group id of nobody.
const NOBODY: u32 = 65534;

/// Creates a place with release folders in its inbox.
pub fn with_releases(names: &[&str]) -> (TestFolder, PathBuf) {
    let place = TestFolder::fresh();
    let inbox = place.path().join("inbox");
    fs::create_dir(&inbox).expect("a folder");
    for name in names {
        move_in(&place, name);
    }
    (place, inbox)
}

/// Moves a whole release folder into the inbox.
pub fn move_in(place: &TestFolder, name: &str) {
    let filled = place.path().join(name);
    copy_folder(&fixture("edge-cases/release"), &filled);
    fs::rename(filled, place.path().join("inbox").join(name)).expect("moved");
}

pub fn arguments<'a>(inbox: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&["watch", inbox.to_str().expect("text")][..], more].concat()
}

pub fn watch(place: &TestFolder, inbox: &Path, more: &[&str]) -> Completed {
    run(place, arguments(inbox, more))
}

/// Starts a watcher that does not end by itself.
pub fn start(place: &TestFolder, inbox: &Path) -> Child {
    let mut command = place.sportsctl(arguments(inbox, &[]));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
}

pub fn kill(mut watcher: Child) {
    watcher.kill().expect("killed");
    watcher.wait().expect("it ends");
}

/// Runs `watch --once` as the owner of the inbox. Root, whom no permission stops, becomes nobody.
fn watch_as_its_owner(place: &TestFolder, inbox: &Path) -> Completed {
    let ours = place.sportsctl(arguments(inbox, &["--once"]));
    let program = place.path().join("sportsctl");
    if !program.exists() {
        let original = Path::new(ours.get_program());
        fs::hard_link(original, &program).or_else(|_| fs::copy(original, &program).map(drop)).expect("the program");
    }
    let mut command = Command::new(program);
    command.args(ours.get_args()).current_dir(place.path()).stdin(Stdio::null());
    for (variable, value) in ours.get_envs() {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    if is_root(place) {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().expect("sportsctl runs").into()
}

pub fn is_root(place: &TestFolder) -> bool {
    fs::metadata(place.path()).expect("a folder").uid() == 0
}

/// Makes nobody the owner of the inbox and of the store, if the tests run as root.
fn give_away(place: &TestFolder, inbox: &Path) {
    fs::create_dir(place.store()).expect("a folder");
    if is_root(place) {
        set_mode(place.path(), 0o755);
        [inbox, &place.store()].into_iter().for_each(give_away_all);
    }
}

pub fn give_away_all(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("given away");
    if path.is_dir() {
        let inside = fs::read_dir(path).expect("a folder");
        inside.for_each(|entry| give_away_all(&entry.expect("an entry").path()));
    }
}

pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
}

/// Returns the sorted names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        found.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// Returns the names in a subfolder with these folders.
pub fn kept(folders: &[&str]) -> Vec<String> {
    let beside = |name: &&str| ["", ".report.json", ".sha256"].map(|ending| format!("{name}{ending}"));
    folders.iter().flat_map(beside).collect()
}

#[test]
fn a_second_watcher_ends_at_once_until_the_first_is_killed() {
    let (place, inbox) = with_releases(&["a"]);
    let mut first = start(&place, &inbox);
    let mut line = String::new();
    BufReader::new(first.stdout.take().expect("piped")).read_line(&mut line).expect("text");
    assert_eq!(line, "a: published\n");
    let (overlapping, second) = (watch(&place, &inbox, &["--once"]), watch(&place, &inbox, &[]));
    let listed = run_json(&place, arguments(&inbox, &["--once"]));
    kill(first);

    let sentence = format!("another `sportsctl watch` watches {}", inbox.display());
    assert_eq!(overlapping.code, Some(0), "{overlapping:?}");
    assert_eq!(overlapping.err, format!("warning: {sentence}; this one published nothing\n"));
    assert_eq!((second.code, second.err), (Some(1), format!("sportsctl: {sentence}\n")));
    assert_eq!((&listed["published"], &listed["warning_count"]), (&json!([]), &json!(1)));

    move_in(&place, "b");
    let after = watch(&place, &inbox, &["--once"]);
    assert_eq!((after.code, after.out.as_str()), (Some(0), "b: published\n"), "{after:?}");
}

#[test]
fn watchers_that_start_at_once_move_each_folder_once() {
    let (place, inbox) = with_releases(&["a", "b", "c", "d"]);
    let watcher = || {
        let mut command = place.sportsctl(arguments(&inbox, &["--once"]));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
    };
    let watchers: Vec<_> = std::iter::repeat_with(watcher).take(4).collect();
    for watcher in watchers {
        let ended = Completed::from(watcher.wait_with_output().expect("it ends"));
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    assert_eq!(names(&inbox.join("published")), kept(&["a", "b", "c", "d"]));
    assert_eq!(names(&inbox), ["published", "refused"]);
}

#[test]
fn a_folder_that_its_watcher_may_not_move_is_copied_and_published_once() {
    let (place, inbox) = with_releases(&["a", "b", "c"]);
    give_away(&place, &inbox);
    if is_root(&place) {
        // Another user's, whose group and others only read it.
        chown(inbox.join("b"), Some(1), Some(1)).expect("given");
    }
    set_mode(&inbox.join("b"), 0o555);
    let published = inbox.join("published");
    let watched = watch_as_its_owner(&place, &inbox);
    assert_eq!((watched.code, entries(&place, "nfl")), (Some(0), 1), "{watched:?}");
    // The folders have been changed at the same moment, as far as the file system tells: their order is open.
    let said: BTreeSet<_> = watched.out.lines().collect();
    let expected = ["a: published", "b: published, copied, since this user may not move it", "c: published"];
    assert_eq!(said, BTreeSet::from(expected), "{watched:?}");
    assert_eq!((names(&published), names(&inbox)), (kept(&["a", "b", "c"]), vec_of(&["b", "published", "refused"])));
    for path in ["release.json", "games/2024-25.csv"] {
        let [copied, original] = [&published, &inbox].map(|of| fs::read(of.join("b").join(path)).expect("a file"));
        assert!(copied == original, "{path}");
    }
    let report = fs::read(published.join("b.report.json")).expect("a report");
    for attempt in 0..2 {
        let again = watch_as_its_owner(&place, &inbox);
        assert_eq!((again.code, again.out.as_str(), again.err.as_str()), (Some(0), "", ""), "{attempt}: {again:?}");
        assert_eq!((names(&published), entries(&place, "nfl")), (kept(&["a", "b", "c"]), 1), "{attempt}");
    }
    assert!(fs::read(published.join("b.report.json")).expect("a report") == report, "the first report stays");

    // Other files of the same name are another release.
    let manifest = inbox.join("b/release.json");
    let text = fs::read_to_string(&manifest).expect("a file");
    fs::remove_file(&manifest).or_else(|_| fs::write(&manifest, "")).expect("removed");
    fs::write(&manifest, format!("{text}\n")).expect("written");
    let changed = watch_as_its_owner(&place, &inbox);
    assert!(changed.code == Some(0) && changed.out.starts_with("b: published, copied"), "{changed:?}");
    assert!(published.join("b-2").is_dir() && inbox.join("b").is_dir());
    // The same files that are moved in once more are taken once more.
    for (from, to) in [("b", ".b"), (".b", "b")] {
        fs::rename(inbox.join(from), inbox.join(to)).expect("moved");
    }
    let sent_again = watch_as_its_owner(&place, &inbox);
    assert!(sent_again.out.starts_with("b: published, copied") && published.join("b-3").is_dir(), "{sent_again:?}");
    set_mode(&inbox.join("b"), 0o755);
    if is_root(&place) {
        give_away_all(&inbox.join("b"));
    }
    let mended = watch_as_its_owner(&place, &inbox);
    assert_eq!((mended.code, mended.out.as_str()), (Some(0), "b: published\n"), "{mended:?}");
    assert_eq!(names(&inbox), ["published", "refused"]);
}

#[test]
fn a_refused_folder_that_cannot_be_moved_is_copied_and_refused_once() {
    let (place, inbox) = with_releases(&["a"]);
    fs::write(inbox.join("a/release.json"), "{}").expect("written");
    give_away(&place, &inbox);
    set_mode(&inbox.join("a"), 0o555);
    let first = watch_as_its_owner(&place, &inbox);
    assert_eq!((first.code, names(&inbox.join("refused"))), (Some(2), kept(&["a"])), "{first:?}");
    let second = watch_as_its_owner(&place, &inbox);
    assert_eq!((second.code, second.out.as_str()), (Some(0), ""), "{second:?}");
    assert_eq!((names(&inbox.join("refused")), names(&inbox)), (kept(&["a"]), vec_of(&["a", "published", "refused"])));
}

#[test]
fn a_folder_under_the_sticky_bit_is_copied_and_published_once() {
    let (place, inbox) = with_releases(&["a"]);
    if !is_root(&place) {
        return eprintln!("skipped: only root can make folders that another user may write to, and not move");
    }
    give_away(&place, &inbox);
    // In a folder with this bit only the owner of an entry moves it.
    set_mode(&inbox, 0o1777);
    for folder in [&inbox, &inbox.join("a")] {
        chown(folder, Some(0), Some(0)).expect("taken back");
    }
    set_mode(&inbox.join("a"), 0o777);
    for attempt in 0..2 {
        let watched = watch_as_its_owner(&place, &inbox);
        assert_eq!((watched.code, entries(&place, "nfl")), (Some(0), 1), "{attempt}: {watched:?}");
        let line = if attempt == 0 { "a: published, copied, since this user may not move it\n" } else { "" };
        assert_eq!(watched.out, line, "{attempt}");
        assert_eq!((names(&inbox.join("published")), inbox.join("a").is_dir()), (kept(&["a"]), true), "{attempt}");
    }
    let report = fs::read_to_string(inbox.join("published/a.report.json")).expect("a report");
    assert!(report.contains("\"on_air\""), "the report of the publish: {report}");
}

fn vec_of(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_folder_that_cannot_be_read_is_a_warning() {
    let (place, inbox) = with_releases(&["a", "b"]);
    give_away(&place, &inbox);
    set_mode(&inbox.join("a"), 0o000);
    let watched = watch_as_its_owner(&place, &inbox);
    set_mode(&inbox.join("a"), 0o755);
    assert_eq!((watched.code, watched.out.as_str()), (Some(0), "b: published\n"), "{watched:?}");
    let warnings = watched.err.matches("inbox/a was skipped, since it cannot be read: Permission denied").count();
    assert_eq!(warnings, 1, "{watched:?}");
}

#[test]
fn a_link_to_a_release_stays_a_link_and_is_not_published() {
    let (place, inbox) = with_releases(&["day"]);
    fs::rename(inbox.join("day"), place.path().join("day")).expect("moved");
    symlink("../day", inbox.join("day")).expect("linked");
    let watched = watch(&place, &inbox, &["--once"]);
    assert_eq!((watched.code, entries(&place, "nfl")), (Some(2), 0), "{watched:?}");
    let sentence = "inbox/day was not published, since it is a symbolic link: move the release folder itself";
    assert!(watched.err.contains(sentence), "{watched:?}");
    assert!(inbox.join("day/release.json").is_file());
}

#[test]
fn a_folder_to_watch_that_does_not_exist_is_bad_input() {
    let (place, inbox) = with_releases(&["a"]);
    let (typo, file) = (place.path().join("nope/typo"), inbox.join("a/release.json"));
    for (path, reason) in [
        (&typo, "does not exist: correct the name, or create the folder"),
        (&file, "is a file: name the folder that releases are moved into"),
    ] {
        let watched = watch(&place, path, &["--once"]);
        assert_eq!((watched.code, watched.err), (Some(2), format!("sportsctl: {} {reason}\n", path.display())));
    }
    assert!(!place.path().join("nope").exists());
}
