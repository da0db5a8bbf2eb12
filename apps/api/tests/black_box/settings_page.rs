//! What docs/serving.md shows under "Settings", command by command.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use sports_testkit::programs::Place;

/// A command as a reader types it, and what the page says it prints.
struct Sample {
    command: String,
    printed: String,
}

fn samples() -> Vec<Sample> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serving.md");
    let page = fs::read_to_string(page).expect("the page");
    let section = page.split("\n## ").find(|section| section.starts_with("Settings\n")).expect("the section");
    let blocks = section.split("```console\n").skip(1).map(|block| block.split("```").next().expect("a block ends"));
    let commands = blocks.flat_map(|block| block.split("$ ").skip(1));
    let sample = |text: &str| {
        let (command, printed) = text.split_once('\n').expect("a command prints something");
        Sample { command: command.to_owned(), printed: printed.to_owned() }
    };
    commands.map(sample).collect()
}

#[test]
fn the_page_shows_what_the_programs_print() {
    let place = Place::fresh();
    let mut path = OsString::from(Path::new(env!("CARGO_BIN_EXE_sports-api")).parent().expect("a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let samples = samples();
    assert_eq!(samples.len(), 3);
    for Sample { command, printed } in samples {
        let mut shell = Command::new("bash");
        for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SPORTS_")) {
            shell.env_remove(variable);
        }
        let output = shell.args(["-c", &command]).current_dir(place.path()).env("PATH", &path).output();
        let output = output.expect("bash runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        match printed.strip_suffix("…\n") {
            Some(beginning) => assert!(said.starts_with(beginning), "{command}\n{said}"),
            None => assert_eq!(said, printed, "{command}"),
        }
    }
}
