//! The commands of the README, of the demo's page and of the crates' READMEs, as a newcomer types them.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use sports_testkit::programs::TestFolder;

use crate::console::blocks;
use crate::demo::Demo;
use crate::python;
use crate::terminal::{follow, listening_at, on_free_ports, page, programs, root, section};

/// The start of the demo on its page.
const SATURDAY: &str = "2026-11-21T12:30:00Z";

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn the_demo_prints_and_answers_as_shown() {
    let place = TestFolder::fresh();
    let demo = Demo::start(place.path(), &["--as-of", SATURDAY]).await;
    let address = demo.0.url("");
    let at_demo = |path, heading| section(&page(path), heading).replace("http://127.0.0.1:8080", &address);
    let shown = at_demo("docs/demo.md", "## Output and answers");
    // The demo runs already; a file has its output.
    let printed = place.path().join("printed");
    fs::write(&printed, demo.0.printed()).expect("written");
    let shown = shown.replace("cargo run -- demo", "cat printed");
    follow(&shown, place.path(), &[("SPORTS_API_KEY", demo.0.key())]);

    let quick_start = at_demo("README.md", "## Try it");
    let (_, lines) = blocks(&quick_start).find(|(kind, _)| *kind == "python").expect("lines of Python");
    let pick = Command::new(python::interpreter()).args(["-c", lines]).output().expect("Python runs");
    let pick = String::from_utf8(pick.stdout).expect("text");
    let (_, probability) = pick.trim().rsplit_once(' ').expect("a pick and its probability");
    assert!((0.0..=1.0).contains(&probability.parse::<f64>().expect("a number")), "{pick}");
}

#[test]
fn a_csv_becomes_graded_results_and_a_verified_record() {
    let place = TestFolder::fresh();
    // The programs are built already.
    std::fs::create_dir(place.path().join("target")).expect("a folder");
    symlink(programs(), place.path().join("target/debug")).expect("linked");
    symlink(root().join("fixtures"), place.path().join("fixtures")).expect("linked");
    let walk = on_free_ports(&page("README.md"), &["8080"]);
    let walk = section(&walk, "## Publish your own CSV in five minutes").replace("cargo build", ": cargo build");
    let (_, browser) = walk.split_once("Open <").expect("the walk ends in a browser");
    let (address, _) = browser.split_once('>').expect("an address ends");
    let in_browser = format!("\n```console\n$ curl -s -o /dev/null -w '%{{http_code}}' '{address}'\n200\n```\n");
    follow(&(walk.clone() + &in_browser), place.path(), &[("SPORTS_HTTP__BIND", listening_at(&walk))]);
}

/// Returns the lines of a README's `[dependencies]`, if it has any.
fn dependencies(readme: &str) -> Option<String> {
    let (_, lines) = blocks(readme).find(|(kind, _)| *kind == "toml")?;
    lines.contains("[dependencies]").then(|| lines.to_owned())
}

#[test]
fn crate_readmes_name_the_present_version_and_dependencies_that_resolve() {
    let folders = fs::read_dir(root().join("crates")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let readmes = folders.filter_map(|folder| fs::read_to_string(folder.join("README.md")).ok());
    let lines: Vec<_> = readmes.filter_map(|readme| dependencies(&readme)).collect();
    assert!(lines.len() >= 5, "{lines:?}");
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').expect("three numbers").0;
    for lines in lines {
        for dependency in lines.lines().filter(|line| line.starts_with("sports-")) {
            assert!(dependency.contains(&format!("version = \"{version}\"")), "{dependency}");
        }
        // A reader's project beside a clone of the repository.
        let place = TestFolder::fresh();
        symlink(root(), place.path().join("sports")).expect("linked");
        let project = place.path().join("project");
        fs::create_dir_all(project.join("src")).expect("a folder");
        fs::write(project.join("src/lib.rs"), "").expect("written");
        fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock")).expect("copied");
        let package = "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(project.join("Cargo.toml"), format!("{package}\n{lines}")).expect("written");
        let mut cargo = Command::new(env!("CARGO"));
        let resolved = cargo.args(["metadata", "--offline", "--format-version", "1"]).current_dir(&project).output();
        let resolved = resolved.expect("cargo runs");
        assert!(resolved.status.success(), "{lines}\n{}", String::from_utf8_lossy(&resolved.stderr));
    }
}
