//! Completions and the manual.

use std::fs;
use std::process::Command;

use sports_testkit::programs::TestFolder;

use crate::support::run;

/// Completes what a person has typed, with the script of bash.
fn completed(place: &TestFolder, typed: &[&str]) -> Vec<String> {
    let script = place.path().join("completions.bash");
    fs::write(&script, run(place, ["completions", "bash"]).out).expect("written");
    let (words, last) = (typed.join("' '"), typed.len() - 1);
    let asked = format!(
        "source '{}'; COMP_WORDS=('{words}') COMP_CWORD={last}; _sportsctl sportsctl \"${{COMP_WORDS[{last}]}}\" \
         \"${{COMP_WORDS[{last}-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let answer = Command::new("bash").args(["--norc", "-c", &asked]).output().expect("bash runs");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_options() {
    let place = TestFolder::fresh();
    assert_eq!(completed(&place, &["sportsctl", "sett"]), ["settle"]);
    assert_eq!(completed(&place, &["sportsctl", "record", "che"]), ["check"]);
    assert_eq!(completed(&place, &["sportsctl", "publish", "--dr"]), ["--dry-run"]);
}

#[test]
fn each_shell_has_a_script() {
    let place = TestFolder::fresh();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&place, ["completions", shell]);
        assert!(script.code == Some(0) && script.out.contains("sportsctl"), "{shell}: {script:?}");
    }
    let unknown = run(&place, ["completions", "tcsh"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("bash, elvish, fish, powershell, zsh"), "{unknown:?}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let place = TestFolder::fresh();
    let folder = place.path().join("share/man");
    let written = run(&place, ["man", folder.to_str().expect("text")]);
    assert_eq!(written.code, Some(0), "{written:?}");
    for page in ["sportsctl", "sportsctl-publish", "sportsctl-record-check", "sportsctl-key-issue"] {
        let text = fs::read_to_string(folder.join(format!("{page}.1"))).expect("a page");
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    let publish = fs::read_to_string(folder.join("sportsctl-publish.1")).expect("a page");
    assert!(publish.contains("my\\-release"), "its examples: {publish}");
}

#[test]
fn a_manual_that_cannot_be_written_is_bad_input_and_names_the_folder() {
    let place = TestFolder::fresh();
    let file = place.path().join("a-file");
    fs::write(&file, "").expect("written");
    let refused = run(&place, ["man", file.to_str().expect("text")]);
    assert!(refused.code == Some(2) && refused.err.contains("a-file"), "{refused:?}");
}
