//! The walk of docs/operations.md, command by command.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use sports_testkit::programs::Place;

/// The `sh` blocks between the walk's two marks, one after the other.
fn commands(document: &str) -> String {
    let walk = document.split("<!-- walk -->").nth(1).expect("the walk begins");
    let (walk, _) = walk.split_once("<!-- end of walk -->").expect("the walk ends");
    let blocks = walk.split("```sh\n").skip(1).map(|block| block.split("```").next().expect("a block ends"));
    blocks.collect()
}

#[test]
fn a_newcomer_gets_from_an_empty_folder_to_a_downloaded_file() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let commands = commands(&fs::read_to_string(document).expect("the page"));
    assert!(commands.contains("sportsctl customer create") && commands.contains("cmp downloaded.csv"), "{commands}");

    let place = Place::fresh();
    let programs = Path::new(env!("CARGO_BIN_EXE_sports-api")).parent().expect("a folder");
    let mut path = OsString::from(programs);
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    // The one change: another port, since 8080 may be taken where tests run.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let mut walk = Command::new("bash");
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SPORTS_")) {
        walk.env_remove(variable);
    }
    let walked = walk
        .args(["-euo", "pipefail", "-c"])
        // Whatever goes wrong, the server does not outlive the walk.
        .arg(format!("trap 'kill %1 2>/dev/null || true' EXIT\n{}", commands.replace("8080", &free.to_string())))
        .current_dir(place.path())
        .env("PATH", path)
        .env("SPORTS_HTTP__BIND", format!("127.0.0.1:{free}"))
        .output()
        .expect("bash runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(walked.status.success(), "{}\n{}", said(&walked.stdout), said(&walked.stderr));
    assert!(place.path().join("downloaded.csv").exists());
}
