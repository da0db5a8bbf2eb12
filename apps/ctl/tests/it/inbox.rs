//! The inbox of `sportsctl watch` against publishers' transfers, names, links and disks, and against kills.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_testkit::disks::SmallDisk;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use sports_testkit::services::installed;
use tokio::time::{Instant, sleep};

use crate::slates::{CELTICS, SUNS, Slate};
use crate::support::{entries, run, verified};
use crate::watch::{kept, kill, move_in, names, start, watch, with_releases};

/// Returns the files of a folder, by their path in it.
fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let found = crate::support::files(folder).into_iter();
    let mut files: Vec<_> = found
        .map(|file| (file.strip_prefix(folder).expect("within").to_owned(), fs::read(&file).expect("a file")))
        .collect();
    files.sort();
    files
}

/// Asserts that a published folder has the files of `source`, and that the hashes beside it are of these.
fn assert_whole(inbox: &Path, name: &str, source: &Path) {
    let expected = tree(source);
    assert_eq!(tree(&inbox.join("published").join(name)), expected, "{name}");
    let line = |(path, bytes): &(PathBuf, Vec<u8>)| format!("{}  {}\n", ObjectHash::from_bytes(bytes), path.display());
    let hashes = fs::read_to_string(inbox.join(format!("published/{name}.sha256"))).expect("hashes");
    assert_eq!(hashes, expected.iter().map(line).collect::<String>(), "{name}");
}

#[test]
fn slates_that_rsync_sends_slowly_are_published_whole() {
    let Some(rsync) = installed("rsync", &[]) else { return };
    let (place, inbox) = with_releases(&[]);
    let place = place.with("SPORTS_WATCH__SETTLE", "3s").with("SPORTS_CLOCK__AS_OF", "2024-01-06T15:00:00Z");
    // Some 17 KB, which take more than four seconds.
    let source = fixture("nfl-2023-week-18-slate/release");
    let watcher = start(&place, &inbox);
    let target = |number: u32| inbox.join(format!("slate-{number:02}"));
    let send = |number: u32| {
        let (from, to) = (format!("{}/", source.display()), target(number));
        Command::new(&rsync).args(["--recursive", "--bwlimit=4"]).arg(from).arg(to).spawn().expect("rsync starts")
    };
    let transfers: Vec<_> = (1..=20).map(send).collect();
    for mut transfer in transfers {
        assert!(transfer.wait().expect("it ends").success());
    }
    kill(watcher);
    let rest = watch(&place, &inbox, &["--once"]);
    assert_eq!((rest.code, entries(&place, "nfl")), (Some(0), 1), "{rest:?}");
    assert_eq!(names(&inbox), ["published", "refused"]);
    assert_eq!(names(&inbox.join("refused")), [""; 0]);
    for number in 1..=20 {
        assert_whole(&inbox, &format!("slate-{number:02}"), &source);
    }
}

#[tokio::test]
async fn a_watcher_that_is_killed_at_any_step_publishes_each_folder_once() {
    let sources = [("a", "nfl", "edge-cases"), ("b", "nfl", "nfl-2023-week-18"), ("c", "mlb", "doubleheader")];
    let published = |place: &TestFolder| entries(place, "nfl") + entries(place, "mlb");
    // The entry, the hashes, the report and the move, of the first, the second and the last folder.
    let kills = [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)];
    for (step, landed) in kills {
        let (place, inbox) = with_releases(&[]);
        for (name, _, release) in sources {
            copy_folder(&fixture(release).join("release"), &place.path().join(name));
            fs::rename(place.path().join(name), inbox.join(name)).expect("moved");
        }
        let (name, _, _) = sources[landed - 1];
        let at = |ending: &str| inbox.join(format!("published/{name}{ending}"));
        let is_reached = || match step {
            0 => published(&place) >= landed,
            1 => at(".sha256").exists(),
            2 => at(".report.json").exists(),
            _ => at("").exists(),
        };
        let (watcher, begun) = (start(&place, &inbox), Instant::now());
        while !is_reached() {
            assert!(begun.elapsed() < Duration::from_mins(1), "step {step} of {name} comes sooner or later");
            sleep(Duration::from_micros(200)).await;
        }
        kill(watcher);
        for (name, _, _) in sources {
            let places = [inbox.join(name), inbox.join("published").join(name)];
            assert_eq!(places.iter().filter(|place| place.exists()).count(), 1, "{name}, step {step}");
        }
        let rest = watch(&place, &inbox, &["--once"]);
        assert_eq!((rest.code, published(&place)), (Some(0), 3), "step {step} of {name}: {rest:?}");
        // A writer that is killed leaves a hidden file.
        let moved: Vec<_> = names(&inbox.join("published")).into_iter().filter(|name| !name.starts_with('.')).collect();
        assert_eq!(moved, kept(&["a", "b", "c"]), "step {step} of {name}");
        for (name, sport, release) in sources {
            assert_whole(&inbox, name, &fixture(release).join("release"));
            let report = fs::read(inbox.join(format!("published/{name}.report.json"))).expect("a report");
            let report: Value = serde_json::from_slice(&report).expect("JSON");
            assert_eq!(report["sport"], sport);
            verified(&place, sport);
        }
    }
}

#[test]
fn folders_of_any_name_are_taken_and_named() {
    let long = ["n".repeat(243), "n".repeat(244), "n".repeat(255), "é".repeat(127)];
    let odd: [&[u8]; 5] = [b"not\xff\xfeutf8", b"two\nlines: published", b"\x1b[2Jclear", b"-rf", b"a b'c\"d"];
    let all: Vec<_> = long.iter().map(String::as_bytes).chain(odd).map(OsStr::from_bytes).collect();
    let (place, inbox) = with_releases(&["plain"]);
    for name in &all {
        copy_folder(&fixture("edge-cases/release"), &inbox.join(name));
    }
    let watched = watch(&place, &inbox, &["--once"]);
    assert_eq!((watched.code, watched.out.lines().count()), (Some(0), all.len() + 1), "{watched:?}");
    for shown in [&long[0], &long[2], "two\\nlines: published", "\\u{1b}[2Jclear", "not\u{fffd}\u{fffd}utf8", "-rf"] {
        assert!(watched.out.lines().any(|line| line == format!("{shown}: published")), "{shown}: {watched:?}");
    }
    assert_eq!(names(&inbox), ["published", "refused"]);
    let moved = names(&inbox.join("published"));
    assert_eq!(moved.len(), 3 * (all.len() + 1), "{moved:?}");
    let hash = ObjectHash::from_bytes("n".repeat(255).as_bytes()).short(16);
    assert!(moved.contains(&format!("{}-{hash}.report.json", "n".repeat(40))), "{moved:?}");
}

#[test]
fn a_folder_with_a_long_name_that_is_refused_is_named_and_blocks_no_other() {
    let (place, inbox) = with_releases(&[]);
    let name = "n".repeat(255);
    fs::create_dir(inbox.join(&name)).expect("a folder");
    fs::write(inbox.join(&name).join("release.json"), "{}").expect("written");
    move_in(&place, "z");
    let watched = watch(&place, &inbox, &["--once"]);
    assert_eq!((watched.code, entries(&place, "nfl")), (Some(2), 1), "{watched:?}");
    assert!(watched.err.contains(&format!("  {name}\n")), "{watched:?}");
    assert_eq!(names(&inbox), ["published", "refused"]);
    assert_eq!(names(&inbox.join("refused")).len(), 3);
}

#[test]
fn nothing_is_published_until_published_is_a_folder() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    for (name, is_link) in [("published", false), ("published", true), ("refused", false)] {
        let (place, inbox) = with_releases(&["a"]);
        let obstacle = inbox.join(name);
        if is_link { symlink(elsewhere.path(), obstacle) } else { fs::write(obstacle, "") }.expect("made");
        let sentence = format!("inbox/{name} is no folder: move it away; nothing is published until then");
        let once = watch(&place, &inbox, &["--once"]);
        assert_eq!((once.code, entries(&place, "nfl")), (Some(2), 0), "{once:?}");
        assert!(once.err.contains(&sentence), "{once:?}");

        let mut watcher = start(&place, &inbox);
        let mut lines = BufReader::new(watcher.stderr.take().expect("piped")).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.contains(&sentence)));
        fs::remove_file(inbox.join(name)).expect("moved away");
        let mut printed = String::new();
        BufReader::new(watcher.stdout.take().expect("piped")).read_line(&mut printed).expect("text");
        kill(watcher);
        assert_eq!(printed, "a: published\n");
        assert_eq!(names(elsewhere.path()), [""; 0]);
    }
}

#[test]
fn a_full_disk_of_the_inbox_leaves_the_folders_until_there_is_room() {
    let Some(disk) = SmallDisk::mounted(512) else { return };
    let (place, inbox) = (TestFolder::fresh(), disk.path());
    for name in ["a", "b"] {
        copy_folder(&fixture("edge-cases/release"), &inbox.join(name));
    }
    disk.fill();
    for attempt in 0..2 {
        let full = watch(&place, inbox, &["--once"]);
        assert_eq!((full.code, entries(&place, "nfl")), (Some(2), 0), "{attempt}: {full:?}");
        assert!(full.err.contains("published: mend that; nothing is published until then: No space left"), "{full:?}");
    }
    disk.empty();
    let watched = watch(&place, inbox, &["--once"]);
    assert_eq!((watched.code, watched.out.as_str()), (Some(0), "a: published\nb: published\n"), "{watched:?}");
    assert_eq!(names(&inbox.join("published")), kept(&["a", "b"]));
}

#[test]
fn a_link_inside_a_release_is_refused_by_publish_and_watch() {
    for (link, target) in [("games/2025-26.csv", "/etc/passwd"), ("predictions", "/"), ("release.json", "../day.json")]
    {
        let (place, inbox) = with_releases(&["day"]);
        fs::copy(inbox.join("day/release.json"), inbox.join("day.json")).expect("copied");
        drop(fs::remove_file(inbox.join("day").join(link)));
        symlink(target, inbox.join("day").join(link)).expect("linked");
        let sentence =
            format!("{link}: expected a file or a folder of its own: links in a release folder are not followed");
        let published = run(&place, [Path::new("publish"), &inbox.join("day")]);
        assert_eq!(published.code, Some(2), "{published:?}");
        assert!(published.err.contains(&sentence) && !published.err.contains("root:"), "{published:?}");
        let watched = watch(&place, &inbox, &["--once"]);
        assert_eq!((watched.code, entries(&place, "nfl")), (Some(2), 0), "{watched:?}");
        let report = fs::read_to_string(inbox.join("refused/day.report.json")).expect("a report");
        assert!(report.contains("links in a release folder are not followed") && !report.contains("root:"), "{report}");
    }
}

#[test]
fn a_folder_without_a_manifest_is_left_and_named() {
    let (place, inbox) = with_releases(&["a"]);
    fs::remove_file(inbox.join("a/release.json")).expect("removed");
    let watched = watch(&place, &inbox, &["--once"]);
    assert_eq!((watched.code, watched.out.as_str()), (Some(0), ""), "{watched:?}");
    assert!(watched.err.contains("inbox/a has no release.json, without which it is not taken"), "{watched:?}");
}

#[test]
fn a_completed_run_without_its_predictions_is_refused_after_a_slate_with_some() {
    let place = TestFolder::fresh();
    let run = |date: &'static str, more: &str| {
        let run = format!(r#""run":{{"id":"next","started_at":"2025-12-10T15:50:00Z"{more}}}"#);
        let refresh = Slate::refresh(&[CELTICS, SUNS], 224.5).with_fields(&run);
        Slate { date, ..refresh }
    };
    let completed = r#","completed_at":"2025-12-10T16:00:00Z""#;
    let noon = "2025-12-10T17:00:00Z";
    assert_eq!(run("2025-12-10", completed).publish(&TestFolder::fresh(), noon).code, Some(0), "there was no slate");
    assert_eq!(Slate::of_games(&[CELTICS, SUNS]).publish(&place, "2025-12-10T15:00:00Z").code, Some(0));
    let refused = run("2025-12-10", completed).publish(&place, noon);
    assert_eq!((refused.code, entries(&place, "nba")), (Some(2), 1), "{refused:?}");
    assert!(
        refused.err.contains("release.json, column run.id: `next`: expected predictions/ beside it"),
        "{refused:?}"
    );
    assert_eq!(run("2025-12-10", "").publish(&place, noon).code, Some(0), "a run that has only begun has none");
    assert_eq!(run("2025-12-09", completed).publish(&place, noon).code, Some(0), "an import of an earlier day");
    let off_day = format!(r#""slate":"none","run":{{"id":"off","started_at":"2025-12-10T15:50:00Z"{completed}}}"#);
    let off_day = Slate { date: "2025-12-11", ..Slate::default() }.with_fields(&off_day);
    assert_eq!(off_day.publish(&place, "2025-12-11T16:00:00Z").code, Some(0));
}
