//! `sportsctl watch` beside other watchers, and with folders that it cannot publish or move.

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
fn with_releases(names: &[&str]) -> (TestFolder, PathBuf) {
    let place = TestFolder::fresh();
    let inbox = place.path().join("inbox");
    fs::create_dir(&inbox).expect("a folder");
    for name in names {
        move_in(&place, name);
    }
    (place, inbox)
}

/// Moves a whole release folder into the inbox.
fn move_in(place: &TestFolder, name: &str) {
    let filled = place.path().join(name);
    copy_folder(&fixture("edge-cases/release"), &filled);
    fs::rename(filled, place.path().join("inbox").join(name)).expect("moved");
}

fn arguments<'a>(inbox: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&["watch", inbox.to_str().expect("text")][..], more].concat()
}

fn watch(place: &TestFolder, inbox: &Path, more: &[&str]) -> Completed {
    run(place, arguments(inbox, more))
}

/// Starts a watcher that does not end by itself.
fn start(place: &TestFolder, inbox: &Path) -> Child {
    let mut command = place.sportsctl(arguments(inbox, &[]));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
}

fn kill(mut watcher: Child) {
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

fn is_root(place: &TestFolder) -> bool {
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

fn give_away_all(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("given away");
    if path.is_dir() {
        let inside = fs::read_dir(path).expect("a folder");
        inside.for_each(|entry| give_away_all(&entry.expect("an entry").path()));
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
}

/// Returns the sorted names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        found.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
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
    let moved = ["a", "b", "c", "d"].into_iter().flat_map(|name| [name.to_owned(), format!("{name}.report.json")]);
    assert_eq!(names(&inbox.join("published")), moved.collect::<Vec<_>>());
    assert_eq!(names(&inbox), ["published", "refused"]);
}

#[test]
fn a_folder_that_its_watcher_may_not_move_is_named_and_not_published() {
    let (place, inbox) = with_releases(&["a", "b", "c"]);
    give_away(&place, &inbox);
    set_mode(&inbox.join("b"), 0o555);
    for attempt in 0..2 {
        let watched = watch_as_its_owner(&place, &inbox);
        assert_eq!((watched.code, entries(&place, "nfl")), (Some(2), 1), "{attempt}: {watched:?}");
        let sentence = "inbox/b was not published, since this user may not write to it";
        assert_eq!(watched.err.matches(sentence).count(), 1, "{attempt}: {watched:?}");
        let moved = ["a", "a.report.json", "c", "c.report.json"];
        assert_eq!(names(&inbox.join("published")), moved, "the folders behind it are published");
        assert_eq!(names(&inbox), ["b", "published", "refused"]);
    }
    set_mode(&inbox.join("b"), 0o755);
    let mended = watch_as_its_owner(&place, &inbox);
    assert_eq!((mended.code, mended.out.as_str()), (Some(0), "b: published\n"), "{mended:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_published_folder_that_could_not_be_moved_is_named_and_has_one_report() {
    let (place, inbox) = with_releases(&["a"]);
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return eprintln!("skipped: there is no /dev/shm") };
    let device = |folder: &Path| fs::metadata(folder).expect("a folder").dev();
    if device(elsewhere.path()) == device(&inbox) {
        return eprintln!("skipped: a folder can be moved to /dev/shm");
    }
    symlink(elsewhere.path(), inbox.join("published")).expect("linked");
    let mut watcher = start(&place, &inbox);
    let mut lines = BufReader::new(watcher.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let mut expect = |sentence: &str| assert!(lines.any(|line| line.contains(sentence)), "{sentence}");
    expect("inbox/a was published, but cannot be moved to published/: ");
    fs::remove_file(elsewhere.path().join("a.unmoved.json")).expect("a report");
    move_in(&place, "b");
    expect("inbox/b was published, but cannot be moved to published/: ");
    kill(watcher);
    assert_eq!(names(elsewhere.path()), ["b.unmoved.json"], "this run did not take the first again");

    for attempt in 0..2 {
        let again = watch(&place, &inbox, &["--once"]);
        assert_eq!((again.code, entries(&place, "nfl")), (Some(2), 1), "{attempt}: {again:?}");
        assert!(again.err.contains("its report is published/b.unmoved.json"), "{attempt}: {again:?}");
        assert_eq!(names(elsewhere.path()), ["a.unmoved.json", "b.unmoved.json"], "{attempt}");
    }
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
