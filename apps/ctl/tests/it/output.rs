//! Closed and full outputs.
#![cfg(unix)]

use std::fs::OpenOptions;
use std::process::Stdio;

use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, publish, verified};

#[test]
fn a_closed_output_is_no_failure() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("edge-cases/release"));
    for arguments in [&["template", "games"][..], &["releases", "nfl"], &["verify"], &["verify", "--json"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = place.sportsctl(arguments).stdout(writer).stderr(Stdio::piped()).output();
        let output = Completed::from(output.expect("sportsctl runs"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_failure_keeps_its_exit_code_with_a_closed_output() {
    let place = TestFolder::fresh();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let folder = fixture("broken/price-too-small/release");
    let status = place.sportsctl(["publish", folder.to_str().expect("text"), "--json"]).stdout(writer).status();
    assert_eq!(status.expect("sportsctl runs").code(), Some(2));
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_answer_is_a_failure_that_reports_the_publish() {
    let place = TestFolder::fresh();
    let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let folder = fixture("edge-cases/release");
    let command =
        place.sportsctl(["publish", folder.to_str().expect("text")]).stdout(full).stderr(Stdio::piped()).output();
    let output = Completed::from(command.expect("sportsctl runs"));
    assert_eq!(output.code, Some(1));
    let failed = |line: &str| line.starts_with("sportsctl: done, but the answer could not be printed: ");
    assert!(output.err.lines().any(failed), "{output:?}");
    assert_eq!(verified(&place, "nfl")["entries"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_error_stream_changes_no_outcome() {
    let place = TestFolder::fresh();
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let folder = fixture("edge-cases/release");
    let code = |arguments: &[&str]| {
        let mut command = place.sportsctl(arguments);
        command.stdout(Stdio::null()).stderr(full()).status().expect("sportsctl runs").code()
    };
    assert_eq!(code(&["publish", folder.to_str().expect("text")]), Some(0));
    assert_eq!(verified(&place, "nfl")["entries"], 1);
    assert_eq!(code(&["publish", "nowhere"]), Some(2));
    assert_eq!(code(&["--nonsense"]), Some(2));
}
