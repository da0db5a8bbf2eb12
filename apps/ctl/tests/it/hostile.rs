//! Files that would fill the memory or never end, and times outside the accepted years.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sports_tables::bounded::testing::bombs;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};

use crate::support::{Completed, entry, run};

/// The time limit of a command, after which it is ended as blocked forever.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The memory limit of a command, in KiB.
const MOST_MEMORY: u64 = 1 << 20;

/// Runs a command to its end, or ends it after the time limit; returns the largest observed memory, in KiB.
#[expect(clippy::disallowed_methods, reason = "another process is watched, and no clock of a test moves that")]
fn watched(mut command: Command) -> (Completed, u64) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let (started, status, mut most) = (Instant::now(), format!("/proc/{}/status", child.id()), 0);
    // The output fits into a pipe.
    while child.try_wait().expect("polled").is_none() {
        let output = fs::read_to_string(&status).unwrap_or_default();
        let peak = output.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        if started.elapsed() > TIMEOUT {
            child.kill().expect("ended");
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    (child.wait_with_output().expect("it ended").into(), most)
}

/// Writes a release folder with one more file.
fn release_with(place: &TestFolder, name: &str, bytes: &[u8]) -> PathBuf {
    let folder = place.path().join("release");
    copy_folder(&fixture("edge-cases/release"), &folder);
    let file = folder.join(name);
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    fs::write(file, bytes).expect("written");
    folder
}

/// Asserts that publishing it is refused as wrong input that names the file, within the memory limit.
fn refused(name: &str, bytes: &[u8], expected: &str) {
    let place = TestFolder::fresh();
    let folder = release_with(&place, name, bytes);
    let (output, memory) = watched(place.sportsctl([Path::new("publish"), &folder, Path::new("--dry-run")]));
    assert_eq!(output.code, Some(2), "{name}: {:.2000}", output.err);
    assert!(output.err.contains(name) && output.err.contains(expected), "{name}: {:.2000}", output.err);
    assert!(memory < MOST_MEMORY, "{name}: {memory} KiB");
}

#[test]
fn small_parquet_files_that_decode_to_far_more_are_refused() {
    for (what, bytes) in bombs() {
        assert!(bytes.len() < 4 << 20, "{what}: {} bytes", bytes.len());
        refused("games/2025-26.parquet", &bytes, "reading it failed");
    }
}

#[test]
fn text_files_over_the_limits_are_refused() {
    refused("games/2025-26.csv", ",".repeat(31 << 20).as_bytes(), "at most 1000 columns");
    refused("odds.json", format!("[{}0]", "0,".repeat(4_200_000)).as_bytes(), "it is larger than 8 MiB");
    refused("odds.json", format!("[{}0]", "0,".repeat(3_000_000)).as_bytes(), "at most 50000 rows");
    let fields = (0..400_000).map(|number| format!("\"f{number}\":0")).collect::<Vec<_>>().join(",");
    refused("odds.json", format!("{{{fields}}}").as_bytes(), "a list of games");
    refused("games/2025-26.csv", format!("date\n{}", "1\n".repeat(10_000_000)).as_bytes(), "at most 50000 rows");
    refused("games/2025-26.csv", format!("date,a\n{}", "1\n".repeat(10_000_000)).as_bytes(), "at most 50000 rows");
    let name = "n".repeat(20 << 20);
    refused("games/2025-26.csv", name.as_bytes(), "at most 200 bytes");
    refused("games/2025-26.csv", format!("date\n{name}\n").as_bytes(), "at most 16384 bytes");
}

#[test]
fn a_file_of_ten_gigabytes_is_not_read() {
    let place = TestFolder::fresh();
    let folder = release_with(&place, "odds.csv", b"");
    fs::File::create(folder.join("odds.csv")).and_then(|file| file.set_len(10 << 30)).expect("made");
    let (output, memory) = watched(place.sportsctl([Path::new("publish"), &folder, Path::new("--dry-run")]));
    assert!(output.code == Some(2) && output.err.contains("odds.csv") && output.err.contains("32 MiB"), "{output:?}");
    assert!(memory < MOST_MEMORY, "{memory} KiB");
}

fn pipe(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().expect("mkfifo runs").success());
}

#[test]
fn a_named_pipe_is_refused_by_name_without_blocking() {
    let place = TestFolder::fresh();
    let folder = release_with(&place, "notes", b"");
    fs::remove_file(folder.join("notes")).expect("removed");
    let at = place.path().join("pipe");
    pipe(&at);
    let text = at.to_str().expect("text");
    let expect = |command: Command, named: &str| {
        let (output, _) = watched(command);
        assert!(matches!(output.code, Some(1 | 2)), "{output:?}");
        assert!(output.err.contains(named), "{named}: {output:?}");
    };
    let _ = place.ctl(["customer", "create", "--email", "a@example.com", "--name", "A"]);
    let _ = place.ctl(["publish", fixture("edge-cases").join("release").to_str().expect("text")]);
    expect(place.sportsctl(["settle", "nfl", text]), "pipe");
    expect(place.sportsctl(["dataset", "add", "p", "nfl", text]), "pipe");
    expect(place.sportsctl(["--config", text, "verify"]), "a named pipe");
    expect(place.program("sports-api", ["--config", text, "config"]), "a named pipe");
    expect(place.sportsctl(["restore", text]), "pipe");
    expect(place.sportsctl(["backup", text]), "pipe");
    expect(place.sportsctl(["publish", text]), "pipe");
    let convert = ["convert", "the-odds-api", text, "--sport", "nfl", "--bookmaker", "b", "--out", "/dev/null/x"];
    expect(place.sportsctl(convert), "a named pipe");
    for name in ["odds.csv", "release.json", "games/2025-26.parquet", "predictions/over_under.json"] {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        drop(fs::remove_file(&file));
        pipe(&file);
        expect(place.sportsctl([Path::new("publish"), &folder]), name);
        fs::remove_file(&file).expect("removed");
        fs::copy(fixture("edge-cases/release/release.json"), folder.join("release.json")).expect("copied");
    }
}

#[test]
fn pipes_and_folders_in_the_store_are_named_and_moved_aside() {
    let place = TestFolder::fresh();
    let release = fixture("edge-cases").join("release");
    let _ = place.ctl(["publish", release.to_str().expect("text")]);
    pipe(&entry(&place, "nfl", 2));
    fs::create_dir(entry(&place, "nfl", 3)).expect("made");
    pipe(&entry(&place, "nfl", 999_999_999_999));
    let changed = place.path().join("changed");
    copy_folder(&fixture("nfl-2023-week-18").join("release"), &changed);
    let (refused, _) = watched(place.sportsctl([Path::new("publish"), &changed]));
    assert!(refused.code == Some(1) && refused.err.contains("number 2 "), "{refused:?}");
    let (verified, _) = watched(place.sportsctl(["verify", "nfl"]));
    assert!(verified.code == Some(1) && verified.err.contains("entry 2 "), "{verified:?}");
    let (repaired, _) = watched(place.sportsctl(["repair", "nfl", "--yes"]));
    assert_eq!(repaired.code, Some(0), "{repaired:?}");
    for number in ["number 2 ", "number 3 ", "number 999999999999 "] {
        assert!(repaired.out.contains(number), "{repaired:?}");
    }
    let (output, _) = watched(place.sportsctl([Path::new("publish"), &changed]));
    assert!(output.code == Some(0) && output.out.contains("nfl generation 2"), "{output:?}");
    let (verified, _) = watched(place.sportsctl(["verify", "nfl"]));
    assert!(verified.code == Some(0) && verified.out.contains("number 999999999999 was moved to"), "{verified:?}");
    let object = fs::read_dir(place.store().join("sports/nfl/objects")).expect("objects").next().expect("one");
    let object = object.expect("one").path();
    fs::remove_file(&object).expect("removed");
    pipe(&object);
    let (verified, _) = watched(place.sportsctl(["verify", "nfl"]));
    assert!(verified.code == Some(1) && verified.err.contains("missing, altered or unreadable"), "{verified:?}");
}

#[test]
fn a_store_with_a_number_that_continues_nothing_is_repaired_before_its_backup() {
    let place = TestFolder::fresh();
    let _ = place.ctl(["migrate"]);
    let _ = place.ctl(["publish", fixture("edge-cases").join("release").to_str().expect("text")]);
    fs::write(entry(&place, "nfl", 999_999_999_999), "{}").expect("written");
    let folder = place.path().join("backup");
    let (output, _) = watched(place.sportsctl([Path::new("backup"), &folder]));
    assert!(output.code == Some(1) && output.err.contains("entry 999999999999"), "{output:?}");
    let _ = place.ctl(["repair", "nfl", "--yes"]);
    let (output, _) = watched(place.sportsctl([Path::new("backup"), &folder]));
    assert_eq!(output.code, Some(0), "{output:?}");
}

#[test]
fn times_beyond_three_centuries_are_bad_input() {
    let place = TestFolder::fresh();
    let _ = place.ctl(["migrate"]);
    for time in ["+262142-12-31T23:59:59Z", "1899-12-31T23:59:59Z", "2201-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
        let options: [&[&str]; 3] = [
            &["--as-of", time, "verify"],
            &["key", "issue", "--customer", "cus_v1vasdk1d8s9c0dr", "--name", "n", "--expires", time],
            &[
                "entitlement",
                "grant",
                "--customer",
                "cus_v1vasdk1d8s9c0dr",
                "--product",
                "p",
                "--sport",
                "nfl",
                "--expires",
                time,
            ],
        ];
        for arguments in options {
            let output = run(&place, arguments);
            assert_eq!(output.code, Some(2), "{arguments:?}: {output:?}");
            assert!(output.err.contains("1900 to 2200"), "{arguments:?}: {output:?}");
        }
        let (output, _) = watched(place.program("sports-api", ["serve", "--bind", "127.0.0.1:0", "--as-of", time]));
        assert!(output.code == Some(2) && output.err.contains("in the years 1900 to 2200"), "{output:?}");
    }
    let (manifest, date) = ("release.json", "\"slate_date\": \"");
    let text = fs::read_to_string(fixture("edge-cases/release").join(manifest)).expect("a manifest");
    let (before, after) = text.split_once(date).expect("a date");
    let folder = release_with(&place, manifest, format!("{before}{date}1066-10-14{}", &after[10..]).as_bytes());
    let output = run(&place, [Path::new("publish"), &folder]);
    assert!(output.code == Some(2) && output.err.contains("in the years 1900 to 2200"), "{output:?}");
}

/// A limit on the size of files has the effect of a full disk: an error message, and no signal.
#[cfg(target_os = "linux")]
#[test]
fn a_file_size_limit_is_an_error_and_ends_no_program() {
    let place = TestFolder::fresh();
    let release = fixture("edge-cases/release");
    let sportsctl = place.sportsctl([Path::new("publish"), &release]);
    let mut limited = Command::new("prlimit");
    limited.arg("--fsize=64").arg(sportsctl.get_program()).args(sportsctl.get_args());
    for (name, value) in sportsctl.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    let output = Completed::from(limited.output().expect("prlimit runs"));
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.err.contains("File too large"), "{output:?}");
}

#[test]
fn a_header_of_commas_does_not_fill_the_memory() {
    let place = TestFolder::fresh();
    let folder = release_with(&place, "games/2024-25.csv", ",".repeat((32 << 20) - 1).as_bytes());
    let (output, memory) = watched(place.sportsctl([Path::new("publish"), &folder, Path::new("--dry-run")]));
    assert_eq!(output.code, Some(2), "{:.2000}", output.err);
    assert!(output.err.contains("at most 1000 columns; it has 33554432"), "{:.2000}", output.err);
    assert!(memory < 256 << 10, "{memory} KiB");
}
