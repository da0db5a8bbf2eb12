//! Who reads what the program prints.
#![cfg(unix)]

use std::fs::OpenOptions;
use std::process::Stdio;

use sports_testkit::programs::{Place, fixture};

use crate::support::{Said, publish, verified};

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let place = Place::fresh();
    publish(&place, &fixture("edge-cases/release"));
    for arguments in [&["template", "games"][..], &["releases", "nfl"], &["verify"], &["verify", "--json"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = place.sportsctl(arguments).stdout(writer).stderr(Stdio::piped()).output();
        let said = Said::from(output.expect("sportsctl runs"));
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_failure_keeps_its_exit_code_when_its_output_is_not_read() {
    let place = Place::fresh();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let folder = fixture("broken/price-too-small/release");
    let status = place.sportsctl(["publish", folder.to_str().expect("text"), "--json"]).stdout(writer).status();
    assert_eq!(status.expect("sportsctl runs").code(), Some(2));
}

/// Linux has a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_could_not_be_written_is_a_failure_that_says_what_was_done() {
    let place = Place::fresh();
    let full = OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let folder = fixture("edge-cases/release");
    let command =
        place.sportsctl(["publish", folder.to_str().expect("text")]).stdout(full).stderr(Stdio::piped()).output();
    let said = Said::from(command.expect("sportsctl runs"));
    assert_eq!(said.code, Some(1));
    assert!(said.err.starts_with("sportsctl: done, but the answer could not be printed: "), "{said:?}");
    assert_eq!(verified(&place, "nfl")["entries"], 1);
}
